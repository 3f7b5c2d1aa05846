package dev.pillion.kube;

import java.util.List;
import java.util.Optional;

import tools.jackson.databind.node.ObjectNode;

/** Any kind of object as JSON, for commands that handle what users wrote. Blocking, with a deadline. All throw {@link KubeException}. */
public interface Objects {
    /**
     * Creates the object, or replaces the one of its name; the namespace is "default" where a namespaced object names none. Returns the answer.
     * An object that carries a resourceVersion, as one that was read, replaces that very version or fails with 409.
     */
    ObjectNode apply(ObjectNode object);

    /** Reads one object; the namespace is "" for a cluster-scoped kind. */
    Optional<ObjectNode> get(String apiVersion, String kind, String namespace, String name);

    /** Lists objects; the namespace is "" for all namespaces, or for a cluster-scoped kind. */
    List<ObjectNode> list(String apiVersion, String kind, String namespace);
}
