package dev.pillion.sandbox;

import java.util.List;
import java.util.Map;
import java.util.Set;

/** How server-side apply sees a value: whether a map or list is owned as a whole or member by member, and what identifies a list entry. */
sealed interface FieldForm {

    /** What owners can own of a list. */
    sealed interface Entries {
        /** The list as a whole. */
        record Whole() implements Entries {
        }

        /** Each plain value. */
        record Values() implements Entries {
        }

        /** Each entry, identified by the values of these members. */
        record Keyed(List<String> keys) implements Entries {
        }
    }

    FieldForm member(String name);

    FieldForm items();

    /** Whether a map is owned as a whole. */
    boolean isAtomicMap();

    /** Whether the member is a fixed one of a struct, not a key of a map. */
    boolean isField(String name);

    Entries entries();

    /** The value that a lacking key member stands for, as JSON text; "" when there is none. */
    String keyDefault(String key);

    static FieldForm of(ResourceType type, TypeRules rules, String version) {
        return rules instanceof CustomRules custom ? new Custom(custom.schema(version), Place.ROOT) : new BuiltIn("", type.plural());
    }

    /** Where in a custom object a value is. */
    enum Place {
        ROOT, INSIDE
    }

    /** By the schema of a custom type. What the schema does not know is free: maps member by member, lists as a whole. */
    record Custom(Schema schema, Place place) implements FieldForm {

        @Override
        public FieldForm member(String name) {
            boolean isMetadata = name.equals("metadata") && (place == Place.ROOT || schema.isEmbedded());
            return isMetadata ? new BuiltIn("metadata", "") : new Custom(schema.member(name), Place.INSIDE);
        }

        @Override
        public FieldForm items() {
            return new Custom(schema.items(), Place.INSIDE);
        }

        @Override
        public boolean isAtomicMap() {
            return schema.mapType().equals("atomic");
        }

        @Override
        public boolean isField(String name) {
            return schema.knows(name) || place == Place.ROOT;
        }

        @Override
        public Entries entries() {
            return switch (schema.listType()) {
                case "set" -> new Entries.Values();
                case "map" -> new Entries.Keyed(schema.listMapKeys());
                default -> new Entries.Whole();
            };
        }

        @Override
        public String keyDefault(String key) {
            var value = schema.member(key).node().path("default");
            return value.isMissingNode() ? "" : Trees.text(value);
        }
    }

    /**
     * By the name of the member: within the built-in types a name has one meaning, but for `ports`.
     *
     * @param name the member this value is in, "" for the whole object
     * @param plural of the type
     */
    record BuiltIn(String name, String plural) implements FieldForm {
        private static final Map<String, List<String>> KEYS = Map.ofEntries(Map.entry("containers", List.of("name")),
                Map.entry("initContainers", List.of("name")), Map.entry("ephemeralContainers", List.of("name")),
                Map.entry("volumes", List.of("name")),
                Map.entry("env", List.of("name")), Map.entry("volumeMounts", List.of("mountPath")),
                Map.entry("volumeDevices", List.of("devicePath")),
                Map.entry("imagePullSecrets", List.of("name")), Map.entry("hostAliases", List.of("ip")),
                Map.entry("topologySpreadConstraints", List.of("topologyKey", "whenUnsatisfiable")),
                Map.entry("resourceClaims", List.of("name")),
                Map.entry("schedulingGates", List.of("name")), Map.entry("conditions", List.of("type")), Map.entry("podIPs", List.of("ip")),
                Map.entry("ownerReferences", List.of("uid")), Map.entry("webhooks", List.of("name")),
                Map.entry("matchConditions", List.of("name")),
                Map.entry("secrets", List.of("name")), Map.entry("addresses", List.of("type")));
        private static final Set<String> VALUES = Set.of("finalizers", "podCIDRs");
        private static final Set<String> WHOLE_MAPS = Set.of("selector", "labelSelector", "namespaceSelector", "objectSelector",
                "nodeSelector", "fieldRef",
                "resourceFieldRef", "configMapKeyRef", "secretKeyRef", "secretRef", "involvedObject", "regarding", "roleRef");
        /** Members whose own members are free names. */
        private static final Set<String> MAPS = Set.of("labels", "annotations", "data", "stringData", "binaryData", "limits", "requests",
                "capacity",
                "allocatable", "matchLabels");

        @Override
        public FieldForm member(String member) {
            return new BuiltIn(member, plural);
        }

        @Override
        public FieldForm items() {
            return new BuiltIn("", plural);
        }

        @Override
        public boolean isAtomicMap() {
            return WHOLE_MAPS.contains(name) || (plural.equals("controllerrevisions") && name.equals("data"));
        }

        @Override
        public boolean isField(String member) {
            return !MAPS.contains(name);
        }

        @Override
        public Entries entries() {
            if (name.equals("ports")) {
                return new Entries.Keyed(List.of(plural.equals("services") ? "port" : "containerPort", "protocol"));
            }
            List<String> keys = KEYS.get(name);
            return keys != null ? new Entries.Keyed(keys) : VALUES.contains(name) ? new Entries.Values() : new Entries.Whole();
        }

        @Override
        public String keyDefault(String key) {
            return key.equals("protocol") ? "\"TCP\"" : "";
        }
    }
}
