package dev.pillion.bus;

import io.vertx.core.buffer.Buffer;
import io.vertx.core.eventbus.EventBus;
import io.vertx.core.eventbus.MessageCodec;

/** Hands every {@link BusMessage} over by reference: messages are immutable and all consumers are local (style.md, rule 5 of the bus). */
public final class BusCodec implements MessageCodec<BusMessage, BusMessage> {
    private static final String NAME = "pillion";

    private BusCodec() {
    }

    /** Makes a bus carry our messages. Once per bus, before anything is sent. */
    public static void register(EventBus bus) {
        bus.registerCodec(new BusCodec());
        bus.codecSelector(body -> body instanceof BusMessage ? NAME : null);
    }

    @Override
    public BusMessage transform(BusMessage message) {
        return message;
    }

    @Override
    public void encodeToWire(Buffer buffer, BusMessage message) {
        throw new UnsupportedOperationException("messages never leave the process: " + message);
    }

    @Override
    public BusMessage decodeFromWire(int position, Buffer buffer) {
        throw new UnsupportedOperationException("messages never come from outside the process");
    }

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public byte systemCodecID() {
        return -1;
    }
}
