package dev.pillion.revision;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;

import org.junit.jupiter.api.Test;

import dev.pillion.api.Json;
import dev.pillion.conformance.Vectors;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** What the hashes depend on, and what not (api.md 5), on all recorded objects. -Dpillion.seed repeats a run. */
final class HashPropertyTest {
    private static final long SEED = Long.getLong("pillion.seed", 20261130L);

    private final Random random = new Random(SEED);

    private static List<Vectors.Case> decodable() {
        return Vectors.of("default").stream().filter(c -> !(defaulted(c.input()) instanceof Defaulting.Refuse)).toList();
    }

    private static Defaulting defaulted(JsonNode input) {
        return SetDefaults.apply(input.path("object"), Json.text(input, "version"), "CREATE", SetDefaults.Unknown.KEEP);
    }

    private static List<String> hashes(JsonNode object, String version) {
        JsonNode result = switch (SetDefaults.apply(object, version, "CREATE", SetDefaults.Unknown.KEEP)) {
            case Defaulting.Patch(_, ObjectNode patched) -> patched;
            case Defaulting.Unchanged _ -> object;
            case Defaulting.Refuse(_, String message) -> throw new AssertionError(message);
        };
        return List.of(SetHash.hash(result), SetHash.hashWithoutImage(result));
    }

    @Test
    void theOrderOfMembersDoesNotCount() {
        for (Vectors.Case c : decodable()) {
            String version = Json.text(c.input(), "version");
            JsonNode object = c.input().path("object");
            assertThat(hashes(shuffled(object), version)).as("seed %d, %s", SEED, c).isEqualTo(hashes(object, version));
        }
    }

    @Test
    void unrelatedMembersDoNotCount() {
        for (Vectors.Case c : decodable()) {
            String version = Json.text(c.input(), "version");
            ObjectNode object = (ObjectNode) c.input().path("object");
            ObjectNode changed = object.deepCopy();
            unrelated(changed);
            assertThat(hashes(changed, version)).as("seed %d, %s", SEED, c).isEqualTo(hashes(object, version));
        }
    }

    @Test
    void theOrderOfContainersAndTheirContentsCount() {
        int compared = 0;
        for (Vectors.Case c : decodable()) {
            String version = Json.text(c.input(), "version");
            ObjectNode changed = (ObjectNode) c.input().path("object").deepCopy();
            if (!(changed.path("spec").path("containers") instanceof ArrayNode containers)
                    || !(containers.path(0) instanceof ObjectNode first)) {
                continue;
            }
            List<String> before = hashes(changed, version);
            first.put("image", "other:" + random.nextInt());
            List<String> otherImage = hashes(changed, version);
            assertThat(otherImage.getFirst()).as(c.id()).isNotEqualTo(before.getFirst());
            boolean pullPolicyIsGiven = !Json.text(first, "imagePullPolicy").isEmpty();
            if (pullPolicyIsGiven) {
                assertThat(otherImage.getLast()).as(c.id()).isEqualTo(before.getLast());
            }
            first.put("workingDir", "/" + random.nextInt());
            assertThat(hashes(changed, version).getLast()).as(c.id()).isNotEqualTo(otherImage.getLast());
            compared++;
        }
        assertThat(compared).isGreaterThan(50);
    }

    private void unrelated(ObjectNode object) {
        ObjectNode metadata = object.path("metadata") instanceof ObjectNode present ? present : object.putObject("metadata");
        metadata.put("name", "n" + random.nextInt()).put("generation", random.nextInt(9)).putObject("labels").put("l",
                "v" + random.nextInt());
        metadata.putObject("annotations").put("kruise.io/sidecarset-hash", "forged").put("a", "b" + random.nextInt());
        ObjectNode spec = object.path("spec") instanceof ObjectNode present ? present : object.putObject("spec");
        spec.putObject("selector").putObject("matchLabels").put("app", "x" + random.nextInt());
        spec.putObject("namespaceSelector").putObject("matchLabels").put("team", "x" + random.nextInt());
        spec.putObject("updateStrategy").put("paused", random.nextBoolean()).put("partition", random.nextInt(9));
        spec.putObject("injectionStrategy").put("paused", random.nextBoolean());
        spec.put("revisionHistoryLimit", random.nextInt(9)).put("unknown", random.nextInt());
        spec.putArray("volumes").addObject().put("name", "v" + random.nextInt(9)).putObject("emptyDir");
        spec.putArray("imagePullSecrets").addObject().put("name", "s" + random.nextInt(9));
        spec.putArray("patchPodMetadata").addObject().putObject("annotations").put("k", "v" + random.nextInt(9));
        object.putObject("status").put("matchedPods", random.nextInt(9)).put("updatedPods", 0).put("readyPods", 0);
        for (String list : List.of("containers", "initContainers")) {
            for (JsonNode container : spec.path(list)) {
                // Members that Kubernetes 1.32 does not know are kept, but have no part in the hash (trap 7).
                if (container instanceof ObjectNode known) {
                    known.put("madeUp", random.nextInt()).putObject("restartPolicyRules").put("x", 1);
                }
            }
        }
    }

    private JsonNode shuffled(JsonNode node) {
        if (node.isObject()) {
            List<Map.Entry<String, JsonNode>> members = new ArrayList<>(node.properties());
            Collections.shuffle(members, random);
            ObjectNode result = Json.object();
            members.forEach(m -> result.set(m.getKey(), shuffled(m.getValue())));
            return result;
        }
        if (node.isArray()) {
            ArrayNode result = Json.NODES.arrayNode();
            node.forEach(item -> result.add(shuffled(item)));
            return result;
        }
        return node;
    }
}
