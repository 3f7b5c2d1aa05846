package dev.pillion.app;

import static dev.pillion.app.SetApi.ALPHA;
import static dev.pillion.app.SetApi.BETA;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.List;
import java.util.Optional;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.AfterParameterizedClassInvocation;
import org.junit.jupiter.params.BeforeParameterizedClassInvocation;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.client.utils.Serialization;

import dev.pillion.api.Json;
import dev.pillion.it.Cluster;
import dev.pillion.it.Eventually;
import dev.pillion.it.Kubectl;
import dev.pillion.it.OnEveryCluster;
import dev.pillion.kube.KubeClient;
import dev.pillion.kube.KubeException;
import dev.pillion.kube.KubeOptions;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** SidecarSets as a user of kubectl meets them: every way to write in each version, read in the other. */
@OnEveryCluster
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class SetApiIT {
    private static final String MANIFEST = """
            apiVersion: apps.kruise.io/%1$s
            kind: SidecarSet
            metadata:
              name: %2$s
            spec:
              selector:
                matchLabels: {app: %2$s}
              containers:
              - name: log
                image: registry.example/log:1
                resources: {limits: {cpu: 50m}}
            """;
    private static final String POD = """
            {"apiVersion":"v1","kind":"Pod","metadata":{"name":"p%d","labels":{"app":"%s"}},
             "spec":{"containers":[{"name":"app","image":"app:1"}],"automountServiceAccountToken":false}}""";
    private static final String READY = """
            {"status":{"phase":"Running","conditions":[{"type":"Ready","status":"True","lastTransitionTime":"2026-01-01T00:00:00Z"}],
             "containerStatuses":[{"name":"log","image":"registry.example/log:1","imageID":"registry.example/log@sha256:1","ready":true,"restartCount":0},
             {"name":"app","image":"app:1","imageID":"app@sha256:1","ready":true,"restartCount":0}]}}""";

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
    void createsAndDeletes(String version) {
        String name = "create-" + version;

        assertThat(api.kubectl().with(manifest(version, name), "create", "-f", "-").ok())
                .contains("sidecarset.apps.kruise.io/" + name + " created");

        assertStored(version, name, "registry.example/log:1");
        assertThat(api.kubectl().run("delete", resource(other(version)), name).ok()).contains("deleted");
        assertThat(api.http().get(SetApi.path(version, name)).code()).isEqualTo(404);
    }

    @ParameterizedTest
    @ValueSource(strings = {BETA, ALPHA})
    void appliesOnTheClientSide(String version) {
        String name = "apply-" + version;
        assertThat(api.apply(manifest(version, name)).ok()).contains("created");

        assertThat(api.apply(manifest(version, name).replace("log:1", "log:2")).ok()).contains("configured");

        assertStored(version, name, "registry.example/log:2");
        JsonNode before = api.settled(name);
        // kubectl merges lists of custom types as a whole, so what the webhooks add to a container always looks like a change to it.
        assertThat(api.apply(manifest(version, name).replace("log:1", "log:2")).ok()).contains("configured");
        JsonNode after = api.settled(name);
        assertThat(after.path("spec")).as("but nothing changes").isEqualTo(before.path("spec"));
        assertThat(after.path("status")).isEqualTo(before.path("status"));
        for (String member : List.of("annotations", "generation")) {
            assertThat(after.path("metadata").path(member)).isEqualTo(before.path("metadata").path(member));
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {BETA, ALPHA})
    void appliesOnTheServerSide(String version) {
        String name = "server-side-" + version;
        assertThat(api.apply(manifest(version, name), "--server-side").ok()).contains("serverside-applied");

        api.apply(manifest(version, name).replace("log:1", "log:2"), "--server-side").ok();

        assertStored(version, name, "registry.example/log:2");
        JsonNode before = api.settled(name);
        api.apply(manifest(version, name).replace("log:1", "log:2"), "--server-side").ok();
        assertThat(api.settled(name)).as("nothing is written when nothing differs").isEqualTo(before);
    }

    @ParameterizedTest
    @ValueSource(strings = {BETA, ALPHA})
    void edits(String version) {
        String name = "edit-" + version;
        api.apply(manifest(version, name)).ok();

        Kubectl.Answer edited = api.kubectl().edit("sed -i s/log:1/log:3/", resource(version), name);

        assertThat(edited.ok()).contains("edited");
        assertStored(version, name, "registry.example/log:3");
    }

    @ParameterizedTest
    @ValueSource(strings = {BETA, ALPHA})
    void replaces(String version) {
        String name = "replace-" + version;
        api.apply(manifest(version, name)).ok();
        api.settled(name);
        String present = api.kubectl().run("get", resource(version), name, "-o", "yaml").ok();

        assertThat(api.kubectl().with(present.replace("log:1", "log:4"), "replace", "-f", "-").ok()).contains("replaced");

        assertStored(version, name, "registry.example/log:4");
        Kubectl.Answer stale = api.kubectl().with(present.replace("log:1", "log:5"), "replace", "-f", "-");
        assertThat(stale.code()).isEqualTo(1);
        assertThat(stale.err()).contains("Conflict", "the object has been modified");
    }

    /** As operators and our own commands write: by fabric8's generic resources and by plain objects. */
    @ParameterizedTest
    @ValueSource(strings = {BETA, ALPHA})
    void isWrittenByProgramsToo(String version) {
        String name = "program-" + version;
        var sets = api.client().genericKubernetesResources("apps.kruise.io/" + version, "SidecarSet");
        sets.resource(Serialization.unmarshal(manifest(version, name), GenericKubernetesResource.class)).create();
        api.settled(name);

        sets.withName(name)
                .edit(set -> Serialization.unmarshal(Serialization.asYaml(set).replace("log:1", "log:2"), GenericKubernetesResource.class));
        assertStored(version, name, "registry.example/log:2");

        try (KubeClient commands = KubeClient.connect(Optional.of(cluster.kubeconfig()), KubeOptions.defaults("kruise-system", "test"))) {
            api.settled(name);
            ObjectNode other = commands.objects().get("apps.kruise.io/" + other(version), "SidecarSet", "", name).orElseThrow();
            ((ObjectNode) other.at("/spec/containers/0")).put("image", "registry.example/log:3");
            commands.objects().apply(other);
            assertThat(assertThrows(KubeException.class, () -> commands.objects().apply(other)).code()).as("written over an old version")
                    .isEqualTo(409);
        }
        assertStored(version, name, "registry.example/log:3");
        sets.withName(name).delete();
        assertThat(api.http().get(SetApi.path(BETA, name)).code()).isEqualTo(404);
    }

    @Test
    void editsASetOfOneVersionInTheOther() {
        api.apply(manifest(ALPHA, "mixed")).ok();
        assertThat(api.kubectl().edit("sed -i s/log:1/log:6/", resource(BETA), "mixed").ok()).contains("edited");
        assertStored(ALPHA, "mixed", "registry.example/log:6");

        assertThat(
                api.kubectl().run("patch", resource(ALPHA), "mixed", "--type=merge", "-p", "{\"spec\":{\"revisionHistoryLimit\":3}}").ok())
                .contains("patched");

        assertThat(api.spec(BETA, "mixed").path("revisionHistoryLimit").intValue()).isEqualTo(3);
        assertStored(BETA, "mixed", "registry.example/log:6");
    }

    @ParameterizedTest
    @ValueSource(strings = {BETA, ALPHA})
    void showsTheCountsInItsColumns(String version) {
        String name = "columns-" + version;
        api.apply(manifest(BETA, name)).ok();
        api.settled(name);
        String pods = "/api/v1/namespaces/" + cluster.newNamespace("columns") + "/pods";
        for (int i = 0; i < 3; i++) {
            assertThat(api.http().post(pods, POD.formatted(i, name)).body().at("/spec/containers")).hasSize(2);
        }
        api.http().send("PATCH", pods + "/p1/status", "application/strategic-merge-patch+json", READY);
        api.http().merge(SetApi.path(version, name),
                "{\"spec\":{\"updateStrategy\":{\"paused\":true}}}");

        List<String> lines = Eventually.until("the pods are counted",
                () -> api.kubectl().run("get", resource(version), name).ok().lines().toList(),
                l -> l.getLast().matches(name + " +3 +3 +1 .*"));

        assertThat(lines).hasSize(2);
        assertThat(lines.getFirst().split(" +")).containsExactly("NAME", "MATCHED", "UPDATED", "READY", "AGE");
        assertThat(lines.getLast()).matches(name + " +3 +3 +1 +[0-9]+s");
        api.http().merge(SetApi.path(version, name),
                "{\"spec\":{\"containers\":[{\"name\":\"log\",\"image\":\"registry.example/log:2\"}]}}");
        Eventually.until("none is up to date", () -> api.kubectl().run("get", resource(version), name, "--no-headers").ok(),
                l -> l.matches(name + " +3 +0 +1 +[0-9]+s\\s*"));
    }

    @ParameterizedTest
    @ValueSource(strings = {BETA, ALPHA})
    void saysAllThatIsWrongAtOnce(String version) {
        Kubectl.Answer refused = api.apply("""
                apiVersion: apps.kruise.io/%s
                kind: SidecarSet
                metadata:
                  name: wrong-%s
                spec:
                  containers:
                  - name: Log_Agent
                    image: registry.example/log:1
                    podInjectPolicy: Anywhere
                  updateStrategy: {maxUnavailable: "10", partition: -1}
                """.formatted(version, version));

        assertThat(refused.code()).isEqualTo(1);
        assertThat(refused.err()).contains("The SidecarSet \"wrong-" + version + "\" is invalid", "spec.selector",
                "spec.updateStrategy.partition",
                "spec.updateStrategy.maxUnavailable", "podInjectPolicy", "Log_Agent");
        assertThat(api.http().get(SetApi.path(version, "wrong-" + version)).code()).isEqualTo(404);
    }

    @Test
    void warnsOfWhatIsAcceptedButRisky() {
        Kubectl.Answer applied = api.apply(manifest(ALPHA, "risky").replace("    resources: {limits: {cpu: 50m}}\n", "")
                + "  updateStrategy: {maxUnavailable: 0}\n  namespace: shop\n  namespaceSelector:\n    matchLabels: {team: x}\n");

        assertThat(applied.ok()).contains("created");
        assertThat(applied.err().lines().filter(l -> l.startsWith("Warning: "))).hasSize(3)
                .anySatisfy(l -> assertThat(l).contains("spec.namespaceSelector has no effect beside spec.namespace", "\"shop\""))
                .anySatisfy(l -> assertThat(l).contains("sets no resources"))
                .anySatisfy(l -> assertThat(l).contains("spec.updateStrategy.maxUnavailable: 0"));
    }

    @Test
    void warnsAlsoOfWhatItRefuses() {
        Kubectl.Answer refused = api
                .apply(manifest(ALPHA, "risky-and-wrong").replace("  selector:\n    matchLabels: {app: risky-and-wrong}\n", "")
                        + "  namespace: shop\n  namespaceSelector:\n    matchLabels: {team: x}\n");

        assertThat(refused.code()).isEqualTo(1);
        assertThat(refused.err()).contains("Warning: spec.namespaceSelector has no effect beside spec.namespace", "spec.selector");
    }

    /** Both versions show the same set, with what the webhooks add. */
    private void assertStored(String version, String name, String image) {
        JsonNode written = api.read(version, name);
        JsonNode other = api.read(other(version), name);
        assertThat(written.at("/spec/containers/0/image").asString()).isEqualTo(image);
        assertThat(other.path("spec")).isEqualTo(written.path("spec"));
        assertThat(written.at("/spec/containers/0/podInjectPolicy").asString()).isEqualTo("BeforeAppContainer");
        for (JsonNode read : List.of(written, other)) {
            JsonNode annotations = read.at("/metadata/annotations");
            assertThat(Json.text(annotations, "kruise.io/sidecarset-hash")).hasSize(64);
            assertThat(Json.text(annotations, "kruise.io/sidecarset-hash-without-image")).hasSize(64);
        }
    }

    private static String manifest(String version, String name) {
        return MANIFEST.formatted(version, name);
    }

    private static String resource(String version) {
        return "sidecarsets." + version + ".apps.kruise.io";
    }

    private static String other(String version) {
        return version.equals(BETA) ? ALPHA : BETA;
    }
}
