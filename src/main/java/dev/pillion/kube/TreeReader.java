package dev.pillion.kube;

import java.util.Optional;
import java.util.function.Function;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import dev.pillion.api.Json;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** Reads whole objects as trees, for the kinds of which there are few. An object that cannot be understood is logged and passed over (FR-60). */
final class TreeReader<T> implements ObjectReader<T> {
    private static final Logger LOG = LoggerFactory.getLogger(TreeReader.class);

    private final Function<ObjectNode, T> decode;

    TreeReader(Function<ObjectNode, T> decode) {
        this.decode = decode;
    }

    @Override
    public Item<T> read(JsonCursor json) {
        JsonNode node = json.tree();
        JsonNode metadata = node.path("metadata");
        String name = Json.text(metadata, "name");
        Optional<T> value = Optional.empty();
        if (node instanceof ObjectNode object && !name.isEmpty()) {
            try {
                value = Optional.of(decode.apply(object));
            } catch (RuntimeException e) {
                LOG.atError().setCause(e).addKeyValue("name", name).log("object cannot be understood");
            }
        }
        return new Item<>(name, Json.text(metadata, "resourceVersion"), value);
    }
}
