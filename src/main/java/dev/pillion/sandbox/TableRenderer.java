package dev.pillion.sandbox;

import java.util.List;

import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** Makes the meta.k8s.io/v1 Table that `kubectl get` asks for. */
interface TableRenderer {

    /** What a row carries beside its cells: parameter includeObject. */
    enum RowObject {
        NONE, METADATA, OBJECT
    }

    /** Answers the column definitions of a type: the array `columnDefinitions`. */
    ArrayNode columns(ResourceType type, String version);

    /** Answers one row per object: `{cells, object}`. Objects are in the requested version. */
    List<ObjectNode> rows(ResourceType type, String version, List<ObjectNode> objects, RowObject rowObject);

    /** One column, the name. */
    TableRenderer NONE = new TableRenderer() {
        @Override
        public ArrayNode columns(ResourceType type, String version) {
            return Trees.array().add(Trees.object().put("name", "Name").put("type", "string").put("format", "name").put("priority", 0));
        }

        @Override
        public List<ObjectNode> rows(ResourceType type, String version, List<ObjectNode> objects, RowObject rowObject) {
            return objects.stream().map(object -> {
                ObjectNode row = Trees.object();
                row.putArray("cells").add(Trees.name(object));
                row.set("object", Shape.metadataOnly(object));
                return row;
            }).toList();
        }
    };
}
