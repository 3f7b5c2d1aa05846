package dev.pillion.api;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import dev.pillion.conformance.Vectors;

import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** Reading by type: either the same as the common reader and the check of types, or nothing. First seed: -Dpillion.seed. */
final class TypedObjectTest {
    private static final long SEED = Long.getLong("pillion.seed", 0);
    private static final int MUTATIONS = 60_000;

    private static final String POD = """
            {"kind":"Pod","apiVersion":"v1","metadata":{"name":"web","labels":{"app":"web","empty":"","none":null},
             "annotations":{"note":"a \\"quoted\\" \\\\ text\\n"},"creationTimestamp":null,"generation":12345678901,
             "managedFields":[{"manager":"m","time":"2026-03-01T12:00:00Z","fieldsV1":{"f:x":{"k:{\\"name\\":\\"a\\"}":{}},"n":[1,-0.5,true,null]}}]},
             "spec":{"invented":{"deep":[{"a":1.50},"ü"]},"other":7,"priority":-1,"containers":[{"name":"app","image":"app:1",
              "env":[{"name":"A","value":"ü€"},{"name":"B","valueFrom":{"fieldRef":{"fieldPath":"x"}}}],
              "resources":{"limits":{"cpu":"100m","memory":"0.5Gi"},"requests":{"cpu":1}},"ports":[{"containerPort":80}],
              "livenessProbe":{"httpGet":{"port":"http"}},"readinessProbe":{"httpGet":{"port":8080}},"tty":true,"stdin":false}],
              "tolerations":[],"nodeSelector":{}},"status":{}}
            """
            .strip();

    private static Optional<ObjectNode> typed(String text) {
        return new TypedReader("Pod", MemberTable.POD).read(text.getBytes(StandardCharsets.UTF_8));
    }

    private static boolean fits(JsonNode pod) {
        return TypedDecode.check(pod, "Pod", MemberTable.POD, "").isEmpty();
    }

    /** Equal in all that can be asked of it. */
    static void sameAsTree(ObjectNode typed, byte[] text) {
        JsonNode tree = Json.read(text);
        assertThat(fits(tree)).as("fits: %s", new String(text, StandardCharsets.UTF_8)).isTrue();
        assertThat((JsonNode) typed).isEqualTo(tree);
        assertThat(tree).isEqualTo(typed);
        assertThat(Json.write(typed)).isEqualTo(Json.write(tree));
        assertThat(typed.hashCode()).isEqualTo(tree.hashCode());
        assertThat(Json.read(new JsonBytes(1).value(typed).toBytes())).isEqualTo(tree);
        assertThat((JsonNode) typed.deepCopy()).isEqualTo(tree);
    }

    @Test
    void isTheSameAsTheTree() {
        ObjectNode pod = typed(POD).orElseThrow();

        sameAsTree(pod, POD.getBytes(StandardCharsets.UTF_8));
        assertThat(TypedDecode.check(pod.path("spec"), "PodSpec", MemberTable.POD, "spec")).isEmpty();
        assertThat(pod.path("spec").path("invented").path("deep").path(1).stringValue()).isEqualTo("ü");
        assertThat(pod.path("spec").path("nothing").isMissingNode()).isTrue();
        TypedObject metadata = (TypedObject) pod.path("metadata");
        assertThat(metadata.texts("labels")).containsExactly(Map.entry("app", "web"), Map.entry("empty", ""), Map.entry("none", ""));
        assertThat(metadata.texts("annotations")).containsExactly(Map.entry("note", "a \"quoted\" \\ text\n"));
        assertThat(metadata.texts("nothing")).isEmpty();
        assertThat(metadata.texts("creationTimestamp")).isEmpty();
    }

    /** Partial looks, in any order, do not disturb each other. */
    @Test
    void membersCanBeAskedForInAnyOrder() {
        Random random = new Random(SEED);
        JsonNode tree = Json.read(POD);
        for (int round = 0; round < 200; round++) {
            JsonNode pod = typed(POD).orElseThrow();
            JsonNode wanted = tree;
            while (wanted.isContainer() && !wanted.isEmpty()) {
                if (wanted.isObject()) {
                    List<String> names = new ArrayList<>(wanted.propertyNames());
                    String name = names.get(random.nextInt(names.size()));
                    // Another instance of the text, as a caller may have.
                    pod = pod.path(new String(name.toCharArray()));
                    wanted = wanted.path(name);
                } else {
                    int index = random.nextInt(wanted.size());
                    pod = pod.path(index);
                    wanted = wanted.path(index);
                }
            }
            assertThat(pod).isEqualTo(wanted);
        }
    }

    @Test
    void readsEveryRecordedPodThatFits() {
        int read = 0;
        for (JsonNode input : inputs()) {
            JsonNode pod = input.path("request").path("pod");
            byte[] text = Json.bytes(pod);
            Optional<ObjectNode> typed = new TypedReader("Pod", MemberTable.POD).read(text);
            if (fits(pod)) {
                sameAsTree(typed.orElseThrow(() -> new AssertionError("not read: " + pod)), text);
                read++;
            } else {
                assertThat(typed).isEmpty();
            }
        }
        assertThat(read).isGreaterThan(500);
    }

    private static List<JsonNode> inputs() {
        return Vectors.of("inject").stream().map(Vectors.Case::input).toList();
    }

    /** Whatever is done to the bytes: nothing is read that the common reader refuses or understands in another way. */
    @Test
    void takesNothingThatTheTreeDoesNot() {
        Random random = new Random(SEED);
        byte[] good = POD.getBytes(StandardCharsets.UTF_8);
        String bits = "{}[]\":,\\u0eE.-+ntf \n\t\u0001";
        int read = 0;
        for (int i = 0; i < MUTATIONS; i++) {
            byte[] bad = good.clone();
            for (int changes = 1 + random.nextInt(2); changes > 0; changes--) {
                int at = random.nextInt(bad.length);
                switch (random.nextInt(4)) {
                    case 0 -> bad[at] = (byte) bits.charAt(random.nextInt(bits.length()));
                    case 1 -> bad[at] = (byte) random.nextInt(256);
                    case 2 -> {
                        int from = random.nextInt(bad.length);
                        int length = Math.min(random.nextInt(12), bad.length - Math.max(from, at));
                        System.arraycopy(good, from, bad, at, length);
                    }
                    default -> bad = java.util.Arrays.copyOf(bad, at + 1);
                }
            }
            Optional<ObjectNode> typed = new TypedReader("Pod", MemberTable.POD).read(bad);
            if (typed.isPresent()) {
                read++;
                try {
                    sameAsTree(typed.get(), bad);
                } catch (JacksonException e) {
                    throw new AssertionError("seed " + SEED + ", refused by the reader: " + new String(bad, StandardCharsets.UTF_8), e);
                }
            }
        }
        assertThat(read).isGreaterThan(MUTATIONS / 20);
    }

    @ParameterizedTest
    @ValueSource(strings = {"{}", "{\"metadata\":null}", "{ \"spec\" : { \"containers\" : [ ] } }\n", "{\"spec\":{\"containers\":[null]}}",
            "{\"metadata\":{\"labels\":{\"a\":\"1\",\"a\":\"2\"}}}", "{\"x\":1,\"y\":{\"z\":1,\"z\":2}}",
            "{\"metadata\":{\"labels\":{\"\\u0061\":\"\\ud83d\\ude00\"}}}"})
    void readsWhatIsUsual(String text) {
        sameAsTree(typed(text).orElseThrow(), text.getBytes(StandardCharsets.UTF_8));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "[]", "null", "{", "{}{}", "{},", "{\"spec\":{},\"spec\":{}}", "{\"x\":1,\"x\":2}", "{\"spec\":[]}",
            "{\"spec\":{\"priority\":1e3}}", "{\"spec\":{\"priority\":12345678901}}", "{\"spec\":{\"priority\":01}}", "{\"x\":1e5}",
            "{\"metadata\":{\"name\":7}}", "{\"metadata\":{\"creationTimestamp\":\"soon\"}}", "{\"\\u0073pec\":{}}", "{'spec':{}}",
            "{\"metadata\":{\"name\":\"\\x\"}}", "{\"metadata\":{\"name\":\"\\u12g4\"}}", "{\"spec\":{\"containers\":{}}}",
            "{\"spec\":{\"hostNetwork\":\"true\"}}", "{\"spec\":{\"hostNetwork\":tru}}", "{/**/}", "{\"a\":1,}", "{\"a\" 1}"})
    void leavesTheRestToTheCommonReader(String text) {
        assertThat(typed(text)).isEmpty();
    }

    @Test
    void endsBeforeTheReaderWould() {
        assertThat(typed("{\"x\":" + "[".repeat(200) + "]".repeat(200) + "}")).isEmpty();
        assertThat(typed("{\"x\":" + "[".repeat(50) + "]".repeat(50) + "}")).isPresent();
        assertThat(typed("{\"x\":" + "1".repeat(40) + "}")).isEmpty();
        assertThat(typed("{\"" + "n".repeat(20_000) + "\":1}")).isEmpty();
        assertThat(typed("{\"x\":\"\u00e9\"}")).isPresent();
        assertThat(new TypedReader("Pod", MemberTable.POD).read(new byte[]{'{', '"', 'x', '"', ':', '"', (byte) 0xC3, '"', '}'})).isEmpty();
    }

    @Test
    void cannotBeChanged() {
        ObjectNode pod = typed(POD).orElseThrow();

        org.assertj.core.api.Assertions.assertThatThrownBy(() -> pod.put("kind", "x")).isInstanceOf(UnsupportedOperationException.class);
    }

    /** A quick no is certain, whatever escapes the name was written with. */
    @ParameterizedTest
    @ValueSource(strings = {"IS_INJECTED", "IS\\u005fINJECTED", "\\u0049S_INJECTED", "IS_INJECTEE", "IS_INJECTED2", "IS", ""})
    void lastIsNoneOnlyWhenThereIsNone(String written) {
        ObjectNode pod = typed("{\"spec\":{\"containers\":[{\"name\":\"a\",\"env\":[{\"value\":\"1\"},{\"name\":\"" + written
                + "\"},{\"name\":\"X\"}]}]}}").orElseThrow();
        TypedObject container = (TypedObject) pod.path("spec").path("containers").path(0);
        boolean there = Json.text(container.path("env").path(1), "name").equals("IS_INJECTED");

        assertThat(container.last("env", "name", "IS_INJECTED")).isEqualTo(there ? 1 : -1);
        assertThat(container.last("env", "name", "X")).isEqualTo(2);
        assertThat(container.last("volumeMounts", "name", "x")).isEqualTo(-1);
    }
}
