package dev.pillion.app;

import static dev.pillion.app.SetApi.ALPHA;
import static dev.pillion.app.SetApi.BETA;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.AfterParameterizedClassInvocation;
import org.junit.jupiter.params.BeforeParameterizedClassInvocation;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import io.fabric8.kubernetes.api.model.ConfigMapBuilder;

import dev.pillion.it.Cluster;
import dev.pillion.it.Eventually;
import dev.pillion.it.OnEveryCluster;
import dev.pillion.it.RawHttp;

import tools.jackson.databind.JsonNode;

/** Changes of other objects than sets and Pods count at once, without a restart: the whitelist (FR-10), the labels of Namespaces (events.md 7.4). */
@OnEveryCluster
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class FollowedObjectsIT {
    private static final String KEY = "SidecarSet_PatchPodMetadata_WhiteList";
    private static final String PATCHING = """
            {"apiVersion":"apps.kruise.io/%1$s","kind":"SidecarSet","metadata":{"name":"patching","labels":{"team":"a"}},
             "spec":{"selector":{"matchLabels":{"app":"patching"}},"containers":[{"name":"log","image":"registry.example/log:1"}],
              "patchPodMetadata":[{"annotations":{"oom-score":"{\\"log\\":1}"},"patchPolicy":"MergePatchJson"}]}}""";
    private static final String BOUND = """
            {"apiVersion":"apps.kruise.io/v1beta1","kind":"SidecarSet","metadata":{"name":"bound"},
             "spec":{"selector":{"matchLabels":{"app":"bound"}},"namespaceSelector":{"matchLabels":{"team":"x"}},
              "containers":[{"name":"log","image":"registry.example/log:1"}]}}""";
    private static final String POD = """
            {"apiVersion":"v1","kind":"Pod","metadata":{"name":"%s","labels":{"app":"bound"}},
             "spec":{"automountServiceAccountToken":false,"containers":[{"name":"app","image":"app:1"}]}}""";

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
    void aWhitelistCountsAsSoonAsItIsThereAndCorrected(String version) {
        String place = "ConfigMap " + api.ownNamespace() + "/kruise-configuration, key " + KEY;
        RawHttp.Answer without = tryOut(version);
        assertThat(without.code()).isEqualTo(422);
        assertThat(without.causes()).hasSize(1).first().asString().contains("spec.patchPodMetadata", "no whitelist", place);

        whitelist("{\"rules\": [}");
        assertThat(refusal(version, "is no JSON")).contains("line 1, column 12", place);

        whitelist("{\"rules\":[{\"selector\":{\"matchLabels\":{\"team\":\"a\"}},\"allowedAnnotationKeyExprs\":[\"^other$\"]}]}");
        assertThat(refusal(version, "is not on the whitelist")).contains("\"oom-score\"", place);

        whitelist("{\"rules\":[{\"selector\":{\"matchLabels\":{\"team\":\"a\"}},\"allowedAnnotationKeyExprs\":[\"^oom-score$\"]}]}");
        Eventually.until("the set is accepted", () -> tryOut(version), a -> a.code() == 201);

        api.client().configMaps().inNamespace(api.ownNamespace()).withName("kruise-configuration").delete();
        assertThat(refusal(version, "no whitelist")).contains(place);
    }

    private String refusal(String version, String part) {
        return Eventually
                .until("the refusal says " + part, () -> tryOut(version), a -> a.code() == 422 && a.causes().toString().contains(part))
                .causes().toString();
    }

    private RawHttp.Answer tryOut(String version) {
        return api.http().post(SetApi.path(version) + "?dryRun=All", PATCHING.formatted(version));
    }

    private void whitelist(String text) {
        api.client().resource(new ConfigMapBuilder().withNewMetadata().withNamespace(api.ownNamespace()).withName("kruise-configuration")
                .endMetadata().withData(Map.of(KEY, text)).build()).createOr(r -> r.update());
    }

    @Test
    void podsCountWhileTheirNamespaceMatches() {
        String namespace = cluster.newNamespace("bound");
        label(namespace, "\"x\"");
        api.create(BETA, BOUND);
        api.settled("bound");
        String pods = "/api/v1/namespaces/" + namespace + "/pods";
        for (String name : new String[]{"a", "b"}) {
            JsonNode pod = api.http().post(pods, POD.formatted(name)).body();
            assertThat(pod.at("/spec/containers")).hasSize(2);
        }
        awaitMatched(2);

        label(namespace, "\"y\"");
        awaitMatched(0);
        assertThat(api.http().post(pods, POD.formatted("c")).body().at("/spec/containers")).as("a new pod stays as it is").hasSize(1);

        label(namespace, "\"x\"");
        awaitMatched(2);
        label(namespace, "null");
        awaitMatched(0);
    }

    private void label(String namespace, String value) {
        RawHttp.Answer answer = api.http().merge("/api/v1/namespaces/" + namespace, "{\"metadata\":{\"labels\":{\"team\":" + value + "}}}");
        assertThat(answer.code()).as(answer.message()).isEqualTo(200);
    }

    private void awaitMatched(int pods) {
        Eventually.until(pods + " pods are matched", () -> api.read(BETA, "bound").at("/status/matchedPods").intValue(-1), n -> n == pods);
    }
}
