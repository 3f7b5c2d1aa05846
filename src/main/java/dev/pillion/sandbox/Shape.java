package dev.pillion.sandbox;

import java.util.List;
import java.util.Locale;

import tools.jackson.databind.node.ObjectNode;

/** The form in which the Accept header wants objects: whole, as rows of a Table, or their metadata only. */
record Shape(Form form, TableRenderer.RowObject rowObject) {
    static final Shape PLAIN = new Shape(Form.PLAIN, TableRenderer.RowObject.OBJECT);

    /** What the objects become. */
    enum Form {
        PLAIN, TABLE, METADATA
    }

    /** The first form of the Accept header that the sandbox has; 406 when there is none (protobuf or CBOR only). */
    static Shape of(Exchange exchange) {
        String accept = exchange.header("Accept");
        if (accept.isBlank()) {
            return PLAIN;
        }
        for (String entry : List.of(accept.split(",", -1))) {
            List<String> parts = List.of(entry.strip().split("\\s*;\\s*", -1));
            String type = parts.getFirst().toLowerCase(Locale.ROOT);
            boolean json = type.equals("application/json") || type.equals("*/*") || type.equals("application/*");
            if (!json) {
                continue;
            }
            String as = parts.stream().filter(part -> part.startsWith("as=")).findFirst().orElse("");
            if (as.equals("as=Table")) {
                return new Shape(Form.TABLE, rowObject(exchange.parameters().text("includeObject")));
            }
            return as.startsWith("as=PartialObjectMetadata") ? new Shape(Form.METADATA, TableRenderer.RowObject.NONE) : PLAIN;
        }
        throw ApiError.notAcceptable();
    }

    private static TableRenderer.RowObject rowObject(String includeObject) {
        return switch (includeObject) {
            case "None" -> TableRenderer.RowObject.NONE;
            case "Object" -> TableRenderer.RowObject.OBJECT;
            default -> TableRenderer.RowObject.METADATA;
        };
    }

    String listKind(ResourceType type) {
        return switch (form) {
            case PLAIN -> type.listKind();
            case TABLE -> "Table";
            case METADATA -> "PartialObjectMetadataList";
        };
    }

    String apiVersion(Target target) {
        return form == Form.PLAIN ? target.type().apiVersion(target.version()) : "meta.k8s.io/v1";
    }

    static ObjectNode metadataOnly(ObjectNode object) {
        ObjectNode partial = Trees.object();
        partial.put("kind", "PartialObjectMetadata").put("apiVersion", "meta.k8s.io/v1");
        partial.set("metadata", object.path("metadata"));
        return partial;
    }

    /** One object in this form. */
    ObjectNode show(Target target, ObjectNode object, TableRenderer tables) {
        return switch (form) {
            case PLAIN -> object;
            case METADATA -> metadataOnly(object);
            case TABLE -> {
                ObjectNode table = Trees.object();
                table.put("kind", "Table").put("apiVersion", "meta.k8s.io/v1");
                table.putObject("metadata").set("resourceVersion", Trees.at(object, "metadata", "resourceVersion"));
                table.set("columnDefinitions", tables.columns(target.type(), target.version()));
                table.set("rows", Trees.array().addAll(tables.rows(target.type(), target.version(), List.of(object), rowObject)));
                yield table;
            }
        };
    }
}
