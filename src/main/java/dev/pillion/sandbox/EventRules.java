package dev.pillion.sandbox;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** Events, stored in the core shape and shown in both groups. The new group is stricter: action, reporter and times are required and most of it never changes. */
final class EventRules implements TypeRules {
    private static final int NOTE_LIMIT = 1024;
    private static final Map<String, String> TO_CORE = Map.of("regarding", "involvedObject", "note", "message", "reportingController",
            "reportingComponent", "deprecatedSource", "source", "deprecatedFirstTimestamp", "firstTimestamp", "deprecatedLastTimestamp",
            "lastTimestamp", "deprecatedCount", "count");
    private final Shape shape;

    /** In which group the rules are asked. */
    enum Shape {
        CORE, EVENTS_GROUP
    }

    EventRules(Shape shape) {
        this.shape = shape;
    }

    @Override
    public boolean isStoredForm(ResourceType type, String version) {
        return shape == Shape.CORE;
    }

    @Override
    public List<ObjectNode> fromStored(ResourceType type, List<ObjectNode> objects, String version) {
        return shape == Shape.CORE ? objects : objects.stream().map(EventRules::fromCore).toList();
    }

    @Override
    public ObjectNode toStored(ResourceType type, ObjectNode object, String version) {
        return shape == Shape.CORE ? object : toCore(object);
    }

    /** Renames the members of an event of the new group to those of the core group. */
    static ObjectNode toCore(ObjectNode event) {
        return renamed(event, TO_CORE).put("apiVersion", "v1");
    }

    static ObjectNode fromCore(ObjectNode event) {
        Map<String, String> back = new TreeMap<>();
        TO_CORE.forEach((fresh, core) -> back.put(core, fresh));
        for (String member : List.of("reportingComponent", "reportingInstance")) {
            if (Trees.text(event, member).isEmpty()) {
                event.remove(member);
            }
        }
        return renamed(event, back).put("apiVersion", "events.k8s.io/v1");
    }

    private static ObjectNode renamed(ObjectNode event, Map<String, String> names) {
        ObjectNode result = Trees.object();
        event.properties().forEach(entry -> result.set(names.getOrDefault(entry.getKey(), entry.getKey()), entry.getValue()));
        return result;
    }

    /** Members that a typed server writes even when they are empty. */
    @Override
    public void applyDefaults(ObjectNode event, String version) {
        boolean core = shape == Shape.CORE;
        PodRules.nullTimes(event, core
                ? List.of("firstTimestamp", "lastTimestamp", "eventTime")
                : List.of("deprecatedFirstTimestamp", "deprecatedLastTimestamp", "eventTime"));
        Trees.child(event, core ? "source" : "deprecatedSource");
        if (core) {
            for (String member : List.of("reportingComponent", "reportingInstance")) {
                if (!event.has(member)) {
                    event.put(member, "");
                }
            }
        }
    }

    @Override
    public List<Cause> validateCreate(ObjectNode event) {
        List<Cause> faults = new ArrayList<>();
        JsonNode regarding = event.path(shape == Shape.CORE ? "involvedObject" : "regarding");
        String home = Trees.text(regarding, "namespace");
        String namespace = Trees.namespace(event);
        boolean placed = shape == Shape.CORE
                ? (home.isEmpty() ? "default" : home).equals(namespace)
                : !home.isEmpty() || List.of("default", "kube-system").contains(namespace);
        if (!placed) {
            faults.add(Cause.invalid("involvedObject.namespace", Names.quoted(home), "does not match event.namespace"));
        }
        if (shape == Shape.CORE) {
            return faults;
        }
        if (Trees.isAbsent(event.path("eventTime"))) {
            faults.add(Cause.required("eventTime", ""));
        }
        for (String member : List.of("reportingController", "reportingInstance", "action", "reason")) {
            String text = Trees.text(event, member);
            if (text.isEmpty()) {
                faults.add(Cause.required(member, ""));
            } else if (!member.equals("reportingController") && text.length() > 128) {
                faults.add(Cause.invalid(member, "\"\"", "can have at most 128 characters"));
            }
        }
        if (!List.of("Normal", "Warning").contains(Trees.text(event, "type"))) {
            faults.add(Cause.invalid("type", "\"\"", "has invalid value: " + Trees.text(event, "type")));
        }
        if (Trees.text(event, "note").length() > NOTE_LIMIT) {
            faults.add(Cause.invalid("message", "\"\"", "can have at most 1024 characters"));
        }
        return faults;
    }

    @Override
    public List<Cause> validateUpdate(ObjectNode event, ObjectNode old) {
        if (shape == Shape.CORE) {
            return validateCreate(event);
        }
        List<Cause> faults = new ArrayList<>(validateCreate(event));
        for (String member : List.of("regarding", "related", "reason", "note", "type", "action", "reportingController", "reportingInstance",
                "eventTime")) {
            if (!event.path(member).equals(old.path(member))) {
                faults.add(Cause.invalid(TO_CORE.getOrDefault(member, member), event.path(member).toString(), "field is immutable"));
            }
        }
        return faults;
    }

    @Override
    public Map<String, List<String>> selectableFields() {
        Map<String, List<String>> fields = new TreeMap<>();
        String object = shape == Shape.CORE ? "involvedObject" : "regarding";
        for (String member : List.of("kind", "namespace", "name", "uid", "apiVersion", "resourceVersion", "fieldPath")) {
            fields.put(object + "." + member, List.of("involvedObject", member));
        }
        fields.put("reason", List.of("reason"));
        fields.put("type", List.of("type"));
        fields.put("source", List.of("source", "component"));
        fields.put(shape == Shape.CORE ? "reportingComponent" : "reportingController", List.of("reportingComponent"));
        return Map.copyOf(fields);
    }
}
