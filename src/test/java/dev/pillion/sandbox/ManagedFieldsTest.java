package dev.pillion.sandbox;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;

import org.junit.jupiter.api.Test;

import dev.pillion.sandbox.ApplyPatch.Conflicts;
import dev.pillion.sandbox.ApplyPatch.Owner;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** Owners of fields, on trees alone; the same against a real server in ServerSideApplyIT. */
final class ManagedFieldsTest {
    private final TypeRegistry types = new TypeRegistry(BuiltInTypes.all());
    private final ManagedFields fields = new ManagedFields(types, () -> Instant.EPOCH);

    @Test
    void anEntryGoesWithItsLastOwnerTogetherWithItsDefaults() {
        ResourceType pods = type("pods");
        ObjectNode live = apply(pods, null, "one",
                "{\"spec\":{\"containers\":[{\"name\":\"a\",\"image\":\"a:1\"},{\"name\":\"b\",\"image\":\"b:1\"}]}}");
        ((ObjectNode) live.at("/spec/containers/0")).put("imagePullPolicy", "Always");

        ObjectNode next = apply(pods, live, "one", "{\"spec\":{\"containers\":[{\"name\":\"b\",\"image\":\"b:1\"}]}}");

        assertThat(next.at("/spec/containers").toString()).isEqualTo("[{\"name\":\"b\",\"image\":\"b:1\"}]");
    }

    @Test
    void portsAreOneEntryWithAndWithoutTheDefaultProtocol() {
        ResourceType pods = type("pods");
        ObjectNode live = apply(pods, null, "one",
                "{\"spec\":{\"containers\":[{\"name\":\"a\",\"ports\":[{\"containerPort\":80,\"protocol\":\"TCP\"},{\"containerPort\":80,\"protocol\":\"UDP\"}]}]}}");

        ObjectNode next = apply(pods, live, "two",
                "{\"spec\":{\"containers\":[{\"name\":\"a\",\"ports\":[{\"containerPort\":80,\"name\":\"web\"}]}]}}");

        assertThat(next.at("/spec/containers/0/ports").toString())
                .isEqualTo("[{\"containerPort\":80,\"protocol\":\"TCP\",\"name\":\"web\"},{\"containerPort\":80,\"protocol\":\"UDP\"}]");
    }

    @Test
    void clientsMayEditTheEntriesAndCannotDropThemByAccident() {
        ResourceType maps = type("configmaps");
        ObjectNode live = apply(maps, null, "one", "{\"data\":{\"a\":\"1\"}}");
        ObjectNode without = live.deepCopy();
        Trees.metadata(without).remove("managedFields");
        fields.note(maps, "v1", live, without, new Owner("hand", ""));
        assertThat(without.at("/metadata/managedFields")).isEqualTo(live.at("/metadata/managedFields"));

        ObjectNode reset = live.deepCopy();
        Trees.metadata(reset).putArray("managedFields").addObject();
        fields.note(maps, "v1", live, reset, new Owner("hand", ""));

        assertThat(reset.at("/metadata/managedFields").isMissingNode()).isTrue();
    }

    @Test
    void anUpdateOwnsWhatItChangedAndNothingElse() {
        ResourceType maps = type("configmaps");
        ObjectNode live = apply(maps, null, "one", "{\"data\":{\"a\":\"1\",\"b\":\"1\",\"c\":\"1\"}}");
        ObjectNode now = live.deepCopy();
        Trees.child(now, "data").put("a", "2").remove("b");

        fields.note(maps, "v1", live, now, new Owner("hand", ""));

        assertThat(owners(now)).isEqualTo(Map.of("Apply one", "{\"f:data\":{\"f:c\":{}}}", "Update hand", "{\"f:data\":{\"f:a\":{}}}"));
    }

    @Test
    void atomicMapsAreOneField() {
        ResourceType services = type("services");
        ObjectNode live = apply(services, null, "one", "{\"spec\":{\"selector\":{\"a\":\"1\",\"b\":\"2\"}}}");

        assertThat(owners(live)).containsEntry("Apply one", "{\"f:spec\":{\"f:selector\":{}}}");
        assertThatThrownBy(() -> apply(services, live, "two", "{\"spec\":{\"selector\":{\"a\":\"1\"}}}")).hasMessage(
                "Apply failed with 1 conflict: conflict with \"one\": .spec.selector");
    }

    /** The law that makes it useful: whatever the order of applies, each manager's latest configuration holds, and nothing else is left. */
    @Test
    void theLatestConfigurationsOfAllManagersMakeTheObject() {
        long seed = Long.getLong("pillion.seed", System.nanoTime());
        Random random = new Random(seed);
        ResourceType maps = type("configmaps");
        for (int round = 0; round < 200; round++) {
            ObjectNode live = null;
            Map<String, Map<String, String>> latest = new TreeMap<>();
            for (int step = 0; step < 12; step++) {
                String manager = "m" + random.nextInt(3);
                Map<String, String> data = new TreeMap<>();
                // A key has one value whoever applies it, so nobody conflicts.
                for (int i = 0; i < 6; i++) {
                    if (random.nextBoolean()) {
                        data.put("k" + i, "v" + i);
                    }
                }
                ObjectNode configuration = Trees.object();
                data.forEach((key, value) -> Trees.child(configuration, "data").put(key, value));
                live = apply(maps, live, manager, configuration.toString());
                latest.put(manager, data);
                Map<String, String> union = new TreeMap<>();
                latest.values().forEach(union::putAll);
                Map<String, String> there = new TreeMap<>();
                live.path("data").properties().forEach(entry -> there.put(entry.getKey(), entry.getValue().stringValue("")));
                assertThat(there).as("-Dpillion.seed=" + seed).isEqualTo(union);
            }
        }
    }

    @Test
    void mergedListsKeepLiveEntriesInPlace() {
        assertThat(merged("[\"a\",\"b\"]", "[\"c\"]")).isEqualTo("[\"a\",\"b\",\"c\"]");
        assertThat(merged("[\"a\",\"s\"]", "[\"n\",\"s\"]")).isEqualTo("[\"a\",\"n\",\"s\"]");
        assertThat(merged("[\"s\",\"t\"]", "[\"t\",\"s\"]")).isEqualTo("[\"t\",\"s\"]");
        assertThat(merged("[]", "[\"x\",\"y\"]")).isEqualTo("[\"x\",\"y\"]");
    }

    private static String merged(String live, String configuration) {
        JsonNode merged = FieldWalk.merge(Trees.MAPPER.readTree(live), Trees.MAPPER.readTree(configuration),
                new FieldForm.BuiltIn("finalizers", "pods"));
        return merged.toString();
    }

    private ObjectNode apply(ResourceType type, @org.jspecify.annotations.Nullable ObjectNode live, String manager, String configuration) {
        ObjectNode wanted = (ObjectNode) Trees.MAPPER.readTree(configuration);
        wanted.put("apiVersion", "v1").put("kind", type.kind());
        Trees.metadata(wanted).put("name", "x");
        return fields.apply(type, "v1", live, wanted, new Owner(manager, ""), Conflicts.REFUSE);
    }

    private ResourceType type(String name) {
        return types.find(name).orElseThrow().type();
    }

    private static Map<String, String> owners(ObjectNode object) {
        Map<String, String> owners = new TreeMap<>();
        List<JsonNode> entries = new ArrayList<>();
        object.at("/metadata/managedFields").forEach(entries::add);
        entries.forEach(entry -> owners.put(Trees.text(entry, "operation") + " " + Trees.text(entry, "manager"),
                entry.path("fieldsV1").toString()));
        return owners;
    }
}
