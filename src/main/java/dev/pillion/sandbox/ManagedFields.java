package dev.pillion.sandbox;

import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

import org.jspecify.annotations.Nullable;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Server-side apply. An apply
 *
 * 1. lays the configuration over the live object;
 * 2. drops what the same manager applied before, applies no longer, and nobody else owns;
 * 3. compares with the live object: a changed field of another manager is a conflict (409), or with force is taken from that manager;
 * 4. notes the configuration's fields as the manager's own.
 *
 * Every other write takes the fields it changed from all others. Fields are compared in the version of the request, also those noted in another one.
 */
final class ManagedFields implements ApplyPatch {
    private static final List<List<String>> NOBODYS = List.of(List.of("f:apiVersion"), List.of("f:kind"), List.of("f:metadata", "f:name"),
            List.of("f:metadata", "f:namespace"), List.of("f:metadata", "f:creationTimestamp"), List.of("f:metadata", "f:selfLink"),
            List.of("f:metadata", "f:uid"), List.of("f:metadata", "f:generation"), List.of("f:metadata", "f:managedFields"),
            List.of("f:metadata", "f:resourceVersion"), List.of("f:metadata", "f:generateName"),
            List.of("f:metadata", "f:deletionTimestamp"),
            List.of("f:metadata", "f:deletionGracePeriodSeconds"));
    private static final Comparator<Entry> ORDER = Comparator.comparing(Entry::operation).thenComparing(Entry::time)
            .thenComparing(Entry::manager)
            .thenComparing(Entry::apiVersion).thenComparing(Entry::subresource);
    private final TypeRegistry registry;
    private final InstantSource clock;

    /** One entry of managedFields. */
    private record Entry(String manager, String operation, String apiVersion, String time, String subresource, FieldSet fields) {

        /** Entries with one id are the same manager; an apply may change its version. */
        String id() {
            return operation + "/" + manager + "/" + subresource + (operation.equals("Apply") ? "" : "/" + apiVersion);
        }

        Entry with(FieldSet other) {
            return new Entry(manager, operation, apiVersion, time, subresource, other);
        }

        static Entry read(JsonNode node) {
            return new Entry(Trees.text(node, "manager"), Trees.text(node, "operation"), Trees.text(node, "apiVersion"),
                    Trees.text(node, "time"),
                    Trees.text(node, "subresource"),
                    node.path("fieldsV1").isEmpty() ? FieldSet.EMPTY : FieldSet.read(node.path("fieldsV1")));
        }

        ObjectNode write() {
            ObjectNode node = Trees.object();
            node.put("manager", manager).put("operation", operation).put("apiVersion", apiVersion);
            if (!time.isEmpty()) {
                node.put("time", time);
            }
            node.put("fieldsType", "FieldsV1").set("fieldsV1", fields.write());
            if (!subresource.isEmpty()) {
                node.put("subresource", subresource);
            }
            return node;
        }

        String shown() {
            String text = "\"" + manager + "\"" + (subresource.isEmpty() ? "" : " with subresource \"" + subresource + "\"");
            return operation.equals("Apply") ? text : text + " using " + apiVersion + (time.isEmpty() ? "" : " at " + time);
        }
    }

    ManagedFields(TypeRegistry registry, InstantSource clock) {
        this.registry = registry;
        this.clock = clock;
    }

    @Override
    public ObjectNode apply(ResourceType type, String version, @Nullable ObjectNode live, ObjectNode configuration, Owner owner,
            Conflicts conflicts) {
        if (!Trees.at(configuration, "metadata", "managedFields").isEmpty()) {
            throw ApiError.badRequest("metadata.managedFields must be nil");
        }
        FieldForm form = form(type, version);
        ObjectNode before = live == null ? Trees.object() : live;
        Map<String, Entry> entries = entries(before);
        Entry mine = new Entry(owner.name(), "Apply", type.apiVersion(version), now(), owner.subresource(),
                owned(type, owner, FieldWalk.fields(configuration, form)));
        Entry last = entries.put(mine.id(), mine);
        ObjectNode merged = (ObjectNode) FieldWalk.merge(withoutFields(before), configuration, form);
        if (last != null) {
            FieldSet kept = entries.values().stream().map(Entry::fields).reduce(FieldSet.EMPTY, FieldSet::union);
            merged = (ObjectNode) FieldWalk.prune(merged, last.fields(), kept, form);
        }
        FieldWalk.Difference difference = FieldWalk.difference(withoutFields(before), merged, form);
        FieldSet changed = owned(type, owner, difference.changed());
        if (conflicts == Conflicts.REFUSE) {
            refuse(entries, mine, changed);
        }
        take(entries, mine.id(), changed, owned(type, owner, difference.removed()));
        boolean isSame = changed.isEmpty() && difference.removed().isEmpty() && last != null && last.fields().equals(mine.fields());
        if (isSame && last.apiVersion().equals(mine.apiVersion())) {
            // An apply that changes nothing leaves no trace, not even a new time.
            entries.put(mine.id(), last);
        }
        write(merged, entries);
        return merged;
    }

    @Override
    public void note(ResourceType type, String version, @Nullable ObjectNode live, ObjectNode now, Owner owner) {
        ObjectNode before = live == null ? Trees.object() : live;
        JsonNode given = Trees.at(now, "metadata", "managedFields");
        if (given.size() == 1 && given.get(0).isEmpty()) {
            Trees.metadata(now).remove("managedFields");
            return;
        }
        // Clients may edit the entries; one that drops them all most likely does not know them.
        Map<String, Entry> entries = entries(given.isEmpty() ? before : now);
        FieldWalk.Difference difference = FieldWalk.difference(withoutFields(before), withoutFields(now), form(type, version));
        FieldSet changed = owned(type, owner, difference.changed());
        FieldSet removed = owned(type, owner, difference.removed());
        if (!changed.isEmpty() || !removed.isEmpty()) {
            Entry fresh = new Entry(owner.name(), "Update", type.apiVersion(version), now(), owner.subresource(), FieldSet.EMPTY);
            Entry there = entries.getOrDefault(fresh.id(), fresh);
            take(entries, fresh.id(), changed, removed);
            FieldSet fields = there.fields().minus(removed).union(changed);
            if (!fields.isEmpty()) {
                entries.put(fresh.id(), fresh.with(fields));
            }
        }
        write(now, entries);
    }

    /** Whether two objects are equal but for the times of their field managers: writing one over the other would change nothing worth a version. */
    static boolean differInTimesOnly(ObjectNode a, ObjectNode b) {
        if (a.equals(b)) {
            return true;
        }
        ObjectNode oneCopy = a.deepCopy();
        ObjectNode otherCopy = b.deepCopy();
        for (ObjectNode copy : List.of(oneCopy, otherCopy)) {
            for (JsonNode entry : Trees.at(copy, "metadata", "managedFields")) {
                ((ObjectNode) entry).remove("time");
            }
        }
        return oneCopy.equals(otherCopy);
    }

    /** Takes changed and removed fields from all but one. */
    private static void take(Map<String, Entry> entries, String id, FieldSet changed, FieldSet removed) {
        entries.replaceAll((key, entry) -> key.equals(id) ? entry : entry.with(entry.fields().minus(changed).minus(removed)));
        entries.values().removeIf(entry -> entry.fields().isEmpty() && !entry.id().equals(id));
    }

    private static void refuse(Map<String, Entry> entries, Entry mine, FieldSet changed) {
        Map<String, List<String>> byOwner = new TreeMap<>();
        ArrayNode causes = Trees.array();
        for (Entry entry : entries.values()) {
            if (entry.id().equals(mine.id())) {
                continue;
            }
            for (String path : entry.fields().and(changed).paths()) {
                byOwner.computeIfAbsent(entry.shown(), _ -> new ArrayList<>()).add(path);
                causes.add(Trees.object().put("reason", "FieldManagerConflict").put("message", "conflict with " + entry.shown())
                        .put("field", path));
            }
        }
        if (causes.isEmpty()) {
            return;
        }
        StringBuilder text = new StringBuilder("Apply failed with " + causes.size() + " conflict" + (causes.size() == 1 ? ": " : "s: "));
        if (causes.size() == 1) {
            text.append(Trees.text(causes.get(0), "message")).append(": ").append(Trees.text(causes.get(0), "field"));
        } else {
            List<String> lines = new ArrayList<>();
            byOwner.forEach((who, paths) -> {
                lines.add("conflicts with " + who + ":");
                paths.forEach(path -> lines.add("- " + path));
            });
            text.append(String.join("\n", lines));
        }
        ObjectNode details = Trees.object();
        details.set("causes", causes);
        throw ApiError.of(409, "Conflict", text.toString(), details);
    }

    /** Leaves out what nobody owns, and what the addressed resource cannot change: status or everything but status. */
    private static FieldSet owned(ResourceType type, Owner owner, FieldSet fields) {
        FieldSet owned = fields;
        for (List<String> path : NOBODYS) {
            owned = owned.without(path);
        }
        if (owner.subresource().equals("status")) {
            for (String step : Set.copyOf(owned.children().keySet())) {
                owned = step.equals("f:status") ? owned : owned.without(List.of(step));
            }
        } else if (type.has(ResourceType.Subresource.STATUS)) {
            owned = owned.without(List.of("f:status"));
        }
        FieldSet metadata = owned.child("f:metadata");
        if (metadata != null && metadata.children().isEmpty()) {
            owned = owned.without(List.of("f:metadata"));
        } else if (metadata != null) {
            Map<String, FieldSet> children = new TreeMap<>(owned.children());
            children.put("f:metadata", new FieldSet(false, metadata.children()));
            owned = new FieldSet(false, children);
        }
        return new FieldSet(false, owned.children());
    }

    private FieldForm form(ResourceType type, String version) {
        return FieldForm.of(type, registry.find(type.qualifiedName()).map(TypeRegistry.Served::rules).orElse(TypeRules.PLAIN), version);
    }

    private String now() {
        return clock.instant().truncatedTo(ChronoUnit.SECONDS).toString();
    }

    private static ObjectNode withoutFields(ObjectNode object) {
        ObjectNode copy = object.deepCopy();
        if (copy.path("metadata") instanceof ObjectNode metadata) {
            metadata.remove("managedFields");
        }
        return copy;
    }

    private static Map<String, Entry> entries(ObjectNode object) {
        Map<String, Entry> entries = new LinkedHashMap<>();
        for (JsonNode node : Trees.at(object, "metadata", "managedFields")) {
            Entry entry = Entry.read(node);
            entries.put(entry.id(), entry);
        }
        return entries;
    }

    private static void write(ObjectNode object, Map<String, Entry> entries) {
        List<Entry> kept = entries.values().stream().filter(entry -> !entry.fields().isEmpty()).sorted(ORDER).toList();
        if (kept.isEmpty()) {
            Trees.metadata(object).remove("managedFields");
            return;
        }
        ArrayNode list = Trees.metadata(object).putArray("managedFields");
        kept.forEach(entry -> list.add(entry.write()));
    }
}
