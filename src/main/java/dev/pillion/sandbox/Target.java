package dev.pillion.sandbox;

import dev.pillion.sandbox.TypeRegistry.Served;

import tools.jackson.databind.node.ObjectNode;

/**
 * What a request is about.
 *
 * @param namespace "" for cluster-wide types and for lists over all namespaces
 * @param name "" for collections
 * @param subresource "" for the object itself
 */
record Target(Served served, String version, String namespace, String name, String subresource) {

    ResourceType type() {
        return served.type();
    }

    TypeRules rules() {
        return served.rules();
    }

    String store() {
        return served.type().store();
    }

    String key() {
        return Stored.key(namespace, name);
    }

    /** "" or "namespace/": what the keys of a collection start with. */
    String prefix() {
        return namespace.isEmpty() ? "" : namespace + "/";
    }

    boolean isStatus() {
        return subresource.equals(ResourceType.Subresource.STATUS.path());
    }

    Target named(String other) {
        return new Target(served, version, namespace, other, subresource);
    }

    Target without(String otherSubresource) {
        return subresource.equals(otherSubresource) ? new Target(served, version, namespace, name, "") : this;
    }

    /** The stored object in the version of the request. */
    ObjectNode view(Stored stored) {
        ObjectNode tree = stored.tree();
        return rules().isStoredForm(type(), version) ? tree : rules().fromStored(type(), java.util.List.of(tree), version).getFirst();
    }

    /** The object of the request's version in stored form. */
    ObjectNode toStored(ObjectNode object) {
        return rules().isStoredForm(type(), version) ? object : rules().toStored(type(), object, version);
    }

    /** What a read would show after the object had been stored: a dry run asks the conversion webhook, too. */
    ObjectNode throughStore(ObjectNode object) {
        return rules().isStoredForm(type(), version)
                ? object
                : rules().fromStored(type(), java.util.List.of(rules().toStored(type(), object.deepCopy(), version)), version).getFirst();
    }
}
