package dev.pillion.app;

import static dev.pillion.app.SetApi.ALPHA;
import static dev.pillion.app.SetApi.BETA;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.AfterParameterizedClassInvocation;
import org.junit.jupiter.params.BeforeParameterizedClassInvocation;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import dev.pillion.api.Json;
import dev.pillion.it.Cluster;
import dev.pillion.it.Eventually;
import dev.pillion.it.OnEveryCluster;
import dev.pillion.it.RawHttp;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** What is stored of a set, byte for byte where clusters depend on it: defaults, hashes, and members that no class of ours knows. */
@OnEveryCluster
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class SetStorageIT {
    /** api.md 8, example 1, but for names and the selector. */
    private static final String SUBMITTED = """
            {"apiVersion":"apps.kruise.io/%1$s","kind":"SidecarSet","metadata":{"name":"%2$s","annotations":%3$s},
             "spec":{"selector":{"matchLabels":{"app":"%2$s"}},"containers":[
              {"name":"log-agent","image":"busybox:1.36","command":["sh","-c","sleep 1d && echo <done>"]}]}}""";
    private static final String HASH = "4ff96v4xzfw224587w88xdcb69zdz2w6d884w64v44z5z45vwd5d7vwf529dfv55";
    private static final String HASH_WITHOUT_IMAGE = "c6758c2f4wwd44www58vz6c929bzx99w62fxx597c259c65vv496zc7974c9cw8x";
    private static final String STORED_SPEC = """
            {"selector":{"matchLabels":{"app":"%s"}},"containers":[
              {"name":"log-agent","image":"busybox:1.36","command":["sh","-c","sleep 1d && echo <done>"],
               "terminationMessagePath":"/dev/termination-log","terminationMessagePolicy":"File","imagePullPolicy":"IfNotPresent",
               "podInjectPolicy":"BeforeAppContainer","upgradeStrategy":{"upgradeType":"ColdUpgrade"},"shareVolumePolicy":{"type":"disabled"}}],
             "updateStrategy":{"type":"RollingUpdate","partition":0,"maxUnavailable":1},"revisionHistoryLimit":10}""";
    /** restartPolicyRules is younger than the types that hashes rest on; the other members are nobody's. */
    private static final String UNKNOWN = """
            {"apiVersion":"apps.kruise.io/%1$s","kind":"SidecarSet","metadata":{"name":"%2$s"},
             "spec":{"selector":{"matchLabels":{"app":"%2$s"}},"updateStrategy":{"type":"NotUpdate"},"initContainers":[%3$s],
              "volumes":[{"name":"spool","emptyDir":{"inventedSize":1},"inventedForVolumes":[1.50]}]}}""";
    private static final String NATIVE = """
            {"name":"proxy","image":"registry.example/proxy:1","restartPolicy":"Always","inventedMember":{"a":[1,{"b":null}]},
             "restartPolicyRules":[{"action":"Restart","exitCodes":{"operator":"In","values":[42]}}],
             "volumeMounts":[{"name":"spool","mountPath":"/spool"}]}""";
    private static final String POD = """
            {"apiVersion":"v1","kind":"Pod","metadata":{"name":"%s","labels":{"app":"%s"}},
             "spec":{"automountServiceAccountToken":false,"containers":[{"name":"app","image":"app:1"}],"initContainers":[%s],
              "volumes":[{"name":"spool","emptyDir":{"inventedSize":1},"inventedForVolumes":[1.50]}]}}""";

    @Parameter
    @SuppressWarnings("NullAway.Init") // set by JUnit
    private Cluster cluster;
    @SuppressWarnings("NullAway.Init") // set by start()
    private SetApi api;

    @BeforeParameterizedClassInvocation
    void start() throws InterruptedException {
        api = SetApi.start(cluster);
    }

    @AfterParameterizedClassInvocation
    void stop() throws Exception {
        api.close();
    }

    @ParameterizedTest
    @ValueSource(strings = {BETA, ALPHA})
    void storesTheDefaultsAndHashesThatClustersDependOn(String version) {
        String name = "one-" + version;

        api.create(version, SUBMITTED.formatted(version, name, "{}"));

        for (String reader : List.of(BETA, ALPHA)) {
            ObjectNode stored = api.read(reader, name);
            assertHashes(stored, HASH, HASH_WITHOUT_IMAGE);
            assertThat(withoutEmpty(stored.path("spec"))).isEqualTo(Json.read(STORED_SPEC.formatted(name)));
        }
    }

    @Test
    void hashesThatAUserWritesAreOverwritten() {
        api.create(BETA, SUBMITTED.formatted(BETA, "forged",
                "{\"kruise.io/sidecarset-hash\":\"x\",\"kruise.io/sidecarset-hash-without-image\":\"y\"}"));
        assertHashes(api.read(BETA, "forged"), HASH, HASH_WITHOUT_IMAGE);

        RawHttp.Answer answer = api.http().merge(SetApi.path(ALPHA, "forged"),
                "{\"metadata\":{\"annotations\":{\"kruise.io/sidecarset-hash\":null}}}");

        assertThat(answer.code()).isEqualTo(200);
        assertHashes(api.read(BETA, "forged"), HASH, HASH_WITHOUT_IMAGE);
    }

    @Test
    void anotherImageIsAnotherHashButNotWithoutImages() {
        api.create(BETA, SUBMITTED.formatted(BETA, "image", "{}"));

        api.create(BETA, SUBMITTED.formatted(BETA, "other-image", "{}").replace("busybox:1.36", "busybox:1.37"));

        JsonNode annotations = api.read(BETA, "other-image").at("/metadata/annotations");
        assertThat(Json.text(annotations, "kruise.io/sidecarset-hash")).isNotEqualTo(HASH);
        assertThat(Json.text(annotations, "kruise.io/sidecarset-hash-without-image")).isEqualTo(HASH_WITHOUT_IMAGE);
    }

    @ParameterizedTest
    @ValueSource(strings = {BETA, ALPHA})
    void membersNobodyKnowsSurviveBothVersionsAndAWriteInEach(String version) {
        String name = "unknown-" + version;
        api.create(version, UNKNOWN.formatted(version, name, NATIVE));
        for (String writer : List.of(ALPHA, BETA)) {
            api.settled(name);
            ObjectNode present = api.read(writer, name);
            ((ObjectNode) present.path("spec")).put("revisionHistoryLimit", writer.equals(ALPHA) ? 3 : 4);
            RawHttp.Answer put = api.http().put(SetApi.path(writer, name), Json.write(present));
            assertThat(put.code()).as(put.message()).isEqualTo(200);
        }

        for (String reader : List.of(ALPHA, BETA)) {
            JsonNode spec = api.spec(reader, name);
            JsonNode written = Json.read(NATIVE);
            for (String member : List.of("inventedMember", "restartPolicyRules", "volumeMounts")) {
                assertThat(spec.path("initContainers").path(0).path(member)).as(member).isEqualTo(written.path(member));
            }
            assertThat(spec.at("/volumes/0/inventedForVolumes/0").doubleValue()).isEqualTo(1.5);
            assertThat(spec.at("/volumes/0/emptyDir/inventedSize").intValue()).isEqualTo(1);
            assertThat(spec.path("revisionHistoryLimit").intValue()).isEqualTo(4);
        }
    }

    /** A server keeps of a Pod what it knows: of an injected container neither more nor less than of one that a user wrote. */
    @Test
    void membersNobodyKnowsReachThePod() {
        api.create(BETA, UNKNOWN.formatted(BETA, "reaches", NATIVE));
        api.settled("reaches");
        String pods = "/api/v1/namespaces/" + cluster.newNamespace("reaches") + "/pods";

        JsonNode injected = Eventually
                .until("the set is known to the webhook", () -> api.http().post(pods, POD.formatted("injected", "reaches", "")),
                        a -> a.code() == 201 || api.http().delete(pods + "/injected").code() == 0)
                .body();

        JsonNode control = api.http().post(pods, POD.formatted("control", "nobody", NATIVE)).body();
        assertThat(names(injected)).containsExactly("proxy");
        JsonNode container = injected.at("/spec/initContainers/0");
        for (String member : List.of("restartPolicyRules", "inventedMember", "restartPolicy")) {
            assertThat(container.path(member)).as(member).isEqualTo(control.at("/spec/initContainers/0").path(member));
        }
        assertThat(container.at("/restartPolicyRules/0/exitCodes/values/0").intValue()).isEqualTo(42);
        assertThat(injected.at("/spec/volumes")).isEqualTo(control.at("/spec/volumes"));
    }

    private static List<String> names(JsonNode pod) {
        return pod.at("/spec/initContainers").valueStream().map(c -> Json.text(c, "name")).toList();
    }

    /** FR-23: no webhook sees the status, so a wrong word in it, or an unreadable set around it, refuses nothing and adds nothing. */
    @ParameterizedTest
    @ValueSource(strings = {BETA, ALPHA})
    void aStatusIsStoredAsWritten(String version) {
        String name = "status-" + version;
        api.create(BETA, SUBMITTED.formatted(BETA, name, "{}"));
        ObjectNode before = api.settled(name);
        ObjectNode changed = api.read(version, name);
        ((ObjectNode) changed.path("spec")).putArray("containers");
        changed.withObjectProperty("metadata").withObjectProperty("annotations").put("kruise.io/sidecarset-hash", "forged");
        changed.set("status", Json.read("{\"matchedPods\":7,\"updatedPods\":6,\"readyPods\":5}"));

        RawHttp.Answer answer = api.http().put(SetApi.path(version, name) + "/status", Json.write(changed));

        assertThat(answer.code()).as(answer.message()).isEqualTo(200);
        ObjectNode after = api.read(BETA, name);
        assertThat(after.path("status")).isEqualTo(Json.read("{\"matchedPods\":7,\"updatedPods\":6,\"readyPods\":5}"));
        assertThat(after.path("spec")).isEqualTo(before.path("spec"));
        assertThat(after.at("/metadata/generation")).isEqualTo(before.at("/metadata/generation"));
        assertHashes(after, HASH, HASH_WITHOUT_IMAGE);
    }

    private static void assertHashes(JsonNode set, String hash, String withoutImage) {
        JsonNode annotations = set.at("/metadata/annotations");
        assertThat(Json.text(annotations, "kruise.io/sidecarset-hash")).isEqualTo(hash);
        assertThat(Json.text(annotations, "kruise.io/sidecarset-hash-without-image")).isEqualTo(withoutImage);
    }

    /** The encoding of the types has an empty object where a struct has no member; whether it is stored is of no consequence. */
    private static JsonNode withoutEmpty(JsonNode spec) {
        ObjectNode copy = spec.deepCopy().asObject();
        for (ObjectNode holder : List.of(copy, copy.path("containers").path(0).asObject())) {
            for (String member : List.of("injectionStrategy", "resources")) {
                if (holder.path(member).isObject() && holder.path(member).isEmpty()) {
                    holder.remove(member);
                }
            }
        }
        return copy;
    }
}
