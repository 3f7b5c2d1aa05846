package dev.pillion.sandbox;

import java.util.List;

import tools.jackson.databind.node.ObjectNode;

/** Makes the meta.k8s.io/v1 Table that `kubectl get` asks for. */
interface TableRenderer {

    /** What a row carries beside its cells: parameter includeObject. */
    enum RowObject {
        NONE, METADATA, OBJECT
    }

    /** Answers the column definitions of a type: the array `columnDefinitions`. */
    tools.jackson.databind.node.ArrayNode columns(ResourceType type, String version);

    /** Answers one row per object: `{cells, object}`. Objects are in the requested version. */
    List<ObjectNode> rows(ResourceType type, String version, List<ObjectNode> objects, RowObject rowObject);
}
