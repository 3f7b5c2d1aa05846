package dev.pillion.cli;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;

import org.snakeyaml.engine.v2.api.ConstructNode;
import org.snakeyaml.engine.v2.api.LoadSettings;
import org.snakeyaml.engine.v2.api.lowlevel.Compose;
import org.snakeyaml.engine.v2.exceptions.Mark;
import org.snakeyaml.engine.v2.exceptions.MarkedYamlEngineException;
import org.snakeyaml.engine.v2.exceptions.YamlEngineException;
import org.snakeyaml.engine.v2.nodes.MappingNode;
import org.snakeyaml.engine.v2.nodes.Node;
import org.snakeyaml.engine.v2.nodes.NodeTuple;
import org.snakeyaml.engine.v2.nodes.ScalarNode;
import org.snakeyaml.engine.v2.nodes.SequenceNode;
import org.snakeyaml.engine.v2.nodes.Tag;
import org.snakeyaml.engine.v2.resolver.ScalarResolver;
import org.snakeyaml.engine.v2.schema.Schema;

import dev.pillion.api.Json;

import tools.jackson.core.JacksonException;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.MappingIterator;
import tools.jackson.databind.ObjectReader;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * YAML as kubectl takes it, so that a manifest means here what it means in a cluster: scalars of YAML 1.1 (see {@link YamlScalar}),
 * anchors, merge keys. The mapper of the settings file knows none of that. A key given twice is a fault.
 */
final class YamlDocuments {
    private static final Tag PLAIN = new Tag("plain");
    private static final String MERGE = "<<";
    private static final Pattern SEPARATOR = Pattern.compile("(?m)^---[ \\t]*\\r?$");
    private static final ObjectReader JSON = Json.MAPPER.readerFor(JsonNode.class).without(DeserializationFeature.FAIL_ON_TRAILING_TOKENS);
    /** Aliases may blow a file up without end. */
    private static final int MOST_NODES = 2_000_000;

    private final String origin;
    private final Set<Node> open = new HashSet<>();
    private int nodes;

    private YamlDocuments(String origin) {
        this.origin = origin;
    }

    /** All documents in order; an empty one is a null node. */
    static List<JsonNode> read(String text, String origin) throws InputFault {
        if (text.isBlank()) {
            return List.of();
        }
        if (text.stripLeading().startsWith("{")) {
            try {
                return json(text);
            } catch (JacksonException _) {
                // Flow style, then: the YAML reader tells what is wrong, if anything is.
            }
        }
        try {
            YamlDocuments documents = new YamlDocuments(origin);
            List<JsonNode> read = new ArrayList<>();
            for (Node root : new Compose(settings()).composeAllFromString(text)) {
                read.add(documents.node(root));
            }
            return read;
        } catch (MarkedYamlEngineException e) {
            throw new InputFault(origin + ": not readable as YAML: line " + e.getProblemMark().map(m -> m.getLine() + 1).orElse(1) + ": "
                    + e.getProblem(), e);
        } catch (YamlEngineException e) {
            throw new InputFault(origin + ": not readable as YAML: " + e.getMessage(), e);
        } catch (StackOverflowError e) {
            throw new InputFault(origin + ": not readable as YAML: nested too deeply", e);
        }
    }

    /** JSON allows characters that YAML does not. Documents stand one after the other, with or without a line of dashes between them. */
    private static List<JsonNode> json(String text) {
        List<JsonNode> read = new ArrayList<>();
        for (String part : SEPARATOR.split(text, -1)) {
            try (MappingIterator<JsonNode> values = JSON.readValues(part)) {
                values.forEachRemaining(read::add);
            }
        }
        return read;
    }

    private static LoadSettings settings() {
        return LoadSettings.builder().setCodePointLimit(Integer.MAX_VALUE).setAllowNonScalarKeys(true).setSchema(new Schema() {
            @Override
            public ScalarResolver getScalarResolver() {
                return (_, implicit) -> implicit ? PLAIN : Tag.STR;
            }

            @Override
            public Map<Tag, ConstructNode> getSchemaTagConstructors() {
                return Map.of();
            }
        }).build();
    }

    private JsonNode node(Node node) throws InputFault {
        if (++nodes > MOST_NODES) {
            throw new InputFault(origin + ": more than " + MOST_NODES + " values, aliases counted");
        }
        if (node instanceof ScalarNode scalar) {
            return scalar.getTag().equals(Tag.STR) ? Json.NODES.stringNode(scalar.getValue()) : YamlScalar.of(scalar.getValue());
        }
        if (!open.add(node)) {
            throw fault(node, "an alias stands inside what it stands for");
        }
        try {
            return switch (node) {
                case SequenceNode sequence -> sequence(sequence);
                case MappingNode mapping -> mapping(mapping);
                default -> throw fault(node, "a value of kind " + node.getNodeType() + " is not known here");
            };
        } finally {
            open.remove(node);
        }
    }

    private ArrayNode sequence(SequenceNode sequence) throws InputFault {
        ArrayNode array = Json.NODES.arrayNode();
        for (Node item : sequence.getValue()) {
            array.add(node(item));
        }
        return array;
    }

    private ObjectNode mapping(MappingNode mapping) throws InputFault {
        ObjectNode object = Json.object();
        Map<String, JsonNode> merged = new HashMap<>();
        for (NodeTuple entry : mapping.getValue()) {
            if (!(entry.getKeyNode() instanceof ScalarNode key)) {
                throw fault(entry.getKeyNode(), "a key must be a text");
            }
            if (key.isPlain() && key.getValue().equals(MERGE)) {
                merge(entry.getValueNode(), merged);
            } else if (object.has(key.getValue())) {
                throw fault(key, "key \"" + key.getValue() + "\" is given twice");
            } else {
                object.set(key.getValue(), node(entry.getValueNode()));
            }
        }
        merged.forEach(object::putIfAbsent);
        return object;
    }

    /** What stands in the mapping itself wins, then the earlier one of several merged. */
    private void merge(Node value, Map<String, JsonNode> merged) throws InputFault {
        List<Node> sources = value instanceof SequenceNode sequence ? sequence.getValue() : List.of(value);
        for (Node source : sources) {
            if (!(node(source) instanceof ObjectNode object)) {
                throw fault(source, "<< needs a mapping");
            }
            object.properties().forEach(e -> merged.putIfAbsent(e.getKey(), e.getValue()));
        }
    }

    private InputFault fault(Node node, String text) {
        return new InputFault(origin + ": line " + node.getStartMark().map(Mark::getLine).map(l -> l + 1).orElse(1) + ": " + text);
    }
}
