package dev.pillion.revision;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

import dev.pillion.api.Json;
import dev.pillion.api.Revision;
import dev.pillion.api.SidecarSet;
import dev.pillion.api.Wire;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** Revisions of several namespaces in memory, described as the recorded cases describe them. */
final class RevisionStore {
    private record Stored(String namespace, Revision revision) {
    }

    private final Map<String, Stored> revisions = new HashMap<>();
    private final Set<String> createdInStep = new HashSet<>();

    void startStep() {
        createdInStep.clear();
    }

    void addExisting(JsonNode object) {
        JsonNode metadata = object.path("metadata");
        Map<String, String> labels = new HashMap<>();
        metadata.path("labels").properties().forEach(e -> labels.put(e.getKey(), e.getValue().stringValue()));
        Optional<String> owner = Optional.empty();
        for (JsonNode reference : metadata.path("ownerReferences")) {
            if (reference.path("controller").asBoolean(false)) {
                owner = Optional.of(reference.path("uid").stringValue());
            }
        }
        put(metadata.path("namespace").stringValue(), new Revision(metadata.path("name").stringValue(), "", "",
                object.path("revision").longValue(), "", labels, Map.of(), object.path("data").stringValue(), owner));
    }

    List<Revision> labelled(String namespace, String setName) {
        return revisions.values().stream()
                .filter(s -> s.namespace.equals(namespace) && setName.equals(s.revision.labels().get(Wire.SET_NAME_LABEL)))
                .map(Stored::revision).toList();
    }

    Optional<Revision> find(String namespace, String name) {
        return Optional.ofNullable(revisions.get(namespace + "/" + name)).map(Stored::revision);
    }

    Revision create(String namespace, Revision wanted) {
        createdInStep.add(namespace + "/" + wanted.name());
        return put(namespace, wanted);
    }

    Revision renumber(String namespace, Revision r, long number) {
        return put(namespace, new Revision(r.name(), r.uid(), r.resourceVersion(), number, r.created(), r.labels(), r.annotations(),
                r.data(), r.ownerUid()));
    }

    Revision label(String namespace, Revision r, String customVersion) {
        Map<String, String> labels = new HashMap<>(r.labels());
        labels.put(Wire.CUSTOM_VERSION_LABEL, customVersion);
        return put(namespace, new Revision(r.name(), r.uid(), r.resourceVersion(), r.number(), r.created(), labels, r.annotations(),
                r.data(), r.ownerUid()));
    }

    void delete(String key) {
        revisions.remove(key);
    }

    private Revision put(String namespace, Revision r) {
        revisions.put(namespace + "/" + r.name(), new Stored(namespace, r));
        return r;
    }

    /** All revisions, ascending by number and name; those created in this step in full. */
    ArrayNode describe(SidecarSet set) {
        List<Stored> sorted = new ArrayList<>(revisions.values());
        sorted.sort(Comparator.comparingLong((Stored s) -> s.revision.number()).thenComparing(s -> s.revision.name()));
        ArrayNode list = Json.NODES.arrayNode();
        for (Stored stored : sorted) {
            Revision r = stored.revision;
            ObjectNode node = list.addObject().put("name", r.name()).put("namespace", stored.namespace);
            node.put("revision", r.number());
            if (!r.labels().isEmpty()) {
                r.labels().forEach(node.putObject("labels")::put);
            }
            if (createdInStep.contains(stored.namespace + "/" + r.name())) {
                node.put("new", true).put("data", r.data());
                if (!r.annotations().isEmpty()) {
                    r.annotations().forEach(node.putObject("annotations")::put);
                }
                node.putArray("ownerReferences").addObject().put("apiVersion", Wire.V1BETA1).put("kind", Wire.KIND)
                        .put("name", set.name()).put("uid", r.ownerUid().orElse("")).put("controller", true)
                        .put("blockOwnerDeletion", true);
            }
        }
        return list;
    }
}
