package dev.pillion.admission;

import tools.jackson.core.JsonGenerator;
import tools.jackson.databind.JacksonSerializable;
import tools.jackson.databind.SerializationContext;
import tools.jackson.databind.jsontype.TypeSerializer;

/** Base64 that goes into JSON as it is. The JDK makes it twenty times as fast as Jackson does, and it holds nothing to escape. */
@SuppressWarnings("ArrayRecordComponent") // written once, never compared
record Base64Text(byte[] encoded) implements JacksonSerializable {
    @Override
    public void serialize(JsonGenerator generator, SerializationContext context) {
        generator.writeRawUTF8String(encoded, 0, encoded.length);
    }

    @Override
    public void serializeWithType(JsonGenerator generator, SerializationContext context, TypeSerializer types) {
        serialize(generator, context);
    }
}
