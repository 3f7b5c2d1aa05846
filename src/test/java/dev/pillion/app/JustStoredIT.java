package dev.pillion.app;

import static dev.pillion.app.SetApi.ALPHA;
import static dev.pillion.app.SetApi.BETA;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.AfterParameterizedClassInvocation;
import org.junit.jupiter.params.BeforeParameterizedClassInvocation;
import org.junit.jupiter.params.Parameter;

import dev.pillion.it.Cluster;
import dev.pillion.it.OnEveryCluster;
import dev.pillion.it.RawHttp;

/** A Pod that is created the moment its set is stored gets what the set says now; nobody waits for the controller here. */
@OnEveryCluster
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class JustStoredIT {
    private static final int ROUNDS = 50;
    private static final String SET = """
            {"apiVersion":"apps.kruise.io/%s","kind":"SidecarSet","metadata":{"name":"just-%d"},
             "spec":{"selector":{"matchLabels":{"app":"just-%d"}},"updateStrategy":{"type":"NotUpdate"},
              "containers":[{"name":"log","image":"log:1"}]}}""";
    private static final String POD = """
            {"apiVersion":"v1","kind":"Pod","metadata":{"name":"%s","labels":{"app":"just-%d"}},
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

    @Test
    void whatIsStoredCountsForTheNextPod() {
        String namespace = cluster.newNamespace("just");
        List<String> wrong = new ArrayList<>();
        for (int i = 0; i < ROUNDS; i++) {
            String version = i % 2 == 0 ? BETA : ALPHA;
            api.create(version, SET.formatted(version, i, i));
            expect(namespace, "created", i, wrong, "log:1", "app:1");
            merge(version, i, "{\"spec\":{\"containers\":[{\"name\":\"log\",\"image\":\"log:2\"}]}}");
            expect(namespace, "changed", i, wrong, "log:2", "app:1");
            merge(version, i, "{\"spec\":{\"injectionStrategy\":{\"paused\":true}}}");
            expect(namespace, "paused", i, wrong, "app:1");
            merge(version, i, "{\"spec\":{\"injectionStrategy\":{\"paused\":false}}}");
            expect(namespace, "going-on", i, wrong, "log:2", "app:1");
        }

        assertThat(wrong).isEmpty();
    }

    private void merge(String version, int i, String patch) {
        RawHttp.Answer answer = api.http().merge(SetApi.path(version, "just-" + i), patch);
        assertThat(answer.code()).as(answer.message()).isEqualTo(200);
    }

    /** Creates a Pod and notes when it was not stored with these images. */
    private void expect(String namespace, String name, int i, List<String> wrong, String... images) {
        RawHttp.Answer answer = api.http().post("/api/v1/namespaces/" + namespace + "/pods", POD.formatted(name + "-" + i, i));
        assertThat(answer.code()).as(answer.message()).isEqualTo(201);
        List<String> stored = new ArrayList<>();
        answer.body().path("spec").path("containers").forEach(c -> stored.add(c.path("image").stringValue("")));
        if (!stored.equals(List.of(images))) {
            wrong.add(name + "-" + i + " has " + stored);
        }
    }
}
