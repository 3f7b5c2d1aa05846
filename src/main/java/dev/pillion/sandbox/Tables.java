package dev.pillion.sandbox;

import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;

import org.jspecify.annotations.Nullable;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** Tables of all types: built-in ones by KindColumns, custom ones by the printer columns of their definition. */
final class Tables implements TableRenderer {
    private final TypeRegistry registry;
    private final InstantSource clock;

    Tables(TypeRegistry registry, InstantSource clock) {
        this.registry = registry;
        this.clock = clock;
    }

    @Override
    public ArrayNode columns(ResourceType type, String version) {
        ArrayNode definitions = Trees.array();
        of(type, version).forEach(column -> definitions.add(column.definition()));
        return definitions;
    }

    @Override
    public List<ObjectNode> rows(ResourceType type, String version, List<ObjectNode> objects, RowObject rowObject) {
        Instant now = clock.instant();
        List<Column> columns = of(type, version);
        List<ObjectNode> rows = new ArrayList<>();
        for (ObjectNode object : objects) {
            ObjectNode row = Trees.object();
            ArrayNode cells = row.putArray("cells");
            for (Column column : columns) {
                JsonNode cell = column.cell().of(object, now);
                cells.add(cell == null ? JsonNodeFactory.instance.nullNode() : cell);
            }
            switch (rowObject) {
                case NONE -> row.putNull("object");
                case METADATA -> row.set("object", Shape.metadataOnly(object));
                case OBJECT -> row.set("object", object);
            }
            rows.add(row);
        }
        return rows;
    }

    private List<Column> of(ResourceType type, String version) {
        if (registry.find(type.qualifiedName()).map(TypeRegistry.Served::rules).orElse(TypeRules.PLAIN) instanceof CustomRules rules) {
            return custom(rules.columns(version));
        }
        return KindColumns.of(type.qualifiedName());
    }

    private static List<Column> custom(JsonNode printerColumns) {
        List<Column> columns = new ArrayList<>(List.of(Column.named()));
        if (printerColumns.isEmpty()) {
            columns.add(printed("Age", "date", "", "Time since the object was made", 0, ".metadata.creationTimestamp"));
        }
        for (JsonNode column : printerColumns) {
            columns.add(printed(Trees.text(column, "name"), Trees.text(column, "type"), Trees.text(column, "format"),
                    Trees.text(column, "description"),
                    (int) Trees.number(column.path("priority"), 0), Trees.text(column, "jsonPath")));
        }
        return columns;
    }

    private static Column printed(String name, String type, String format, String description, int priority, String jsonPath) {
        PrinterPath path = new PrinterPath(jsonPath);
        return new Column(name, type, format, description, priority, (object, now) -> {
            List<JsonNode> found = path.find(object);
            return found.isEmpty() ? null : cell(type, found.getFirst(), now);
        });
    }

    private static @Nullable JsonNode cell(String type, JsonNode value, Instant now) {
        return switch (type) {
            case "integer" -> value.isNumber() ? JsonNodeFactory.instance.numberNode(value.longValue(0)) : null;
            case "number" -> value.isNumber() ? value : null;
            case "boolean" -> value.isBoolean() ? value : null;
            case "date" -> value.isString() ? Column.string(Ages.since(value.stringValue(), now)) : null;
            default -> Column.string(value.isContainer() ? Trees.text(value) : value.asString());
        };
    }
}
