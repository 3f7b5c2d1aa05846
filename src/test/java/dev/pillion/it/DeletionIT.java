package dev.pillion.it;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import io.fabric8.kubernetes.client.KubernetesClient;

import tools.jackson.databind.JsonNode;

/** How objects go: grace periods, finalizers, preconditions, collections. */
@OnEveryCluster
final class DeletionIT {
    private final Cluster cluster;
    private final KubernetesClient client;
    private final RawHttp http;
    private String namespace = "";
    private String pods = "";

    DeletionIT(Cluster cluster) {
        this.cluster = cluster;
        this.client = cluster.client();
        this.http = new RawHttp(client);
    }

    @BeforeEach
    void makeNamespace() {
        namespace = cluster.newNamespace("deletion");
        pods = "/api/v1/namespaces/" + namespace + "/pods";
    }

    @AfterEach
    void closeClient() {
        client.close();
    }

    private String create(String name, String extra) {
        RawHttp.Answer answer = http.post(pods, Pods.pod(name, extra));
        assertThat(answer.code()).as(answer.message()).isEqualTo(201);
        return answer.body().at("/metadata/resourceVersion").stringValue("");
    }

    private void bind(String name) {
        RawHttp.Answer answer = http.post(pods + "/" + name + "/binding",
                "{\"apiVersion\":\"v1\",\"kind\":\"Binding\",\"metadata\":{\"name\":\"%s\"},\"target\":{\"kind\":\"Node\",\"name\":\"n1\"}}"
                        .formatted(name));
        assertThat(answer.code()).as(answer.message()).isEqualTo(201);
    }

    private List<String> events(String revision) {
        return http.watch(pods + "?watch=1&timeoutSeconds=1&resourceVersion=" + revision).stream()
                .map(event -> event.path("type").stringValue("")).toList();
    }

    @Test
    void aPodOnANodeIsMarkedAndWaitsForItsKubelet() {
        create("a", "");
        bind("a");
        JsonNode marked = http.delete(pods + "/a").body();
        JsonNode again = http.delete(pods + "/a?gracePeriodSeconds=60").body();

        assertThat(marked.at("/metadata/deletionGracePeriodSeconds").intValue()).isEqualTo(30);
        assertThat(marked.at("/metadata/generation").intValue()).isEqualTo(2);
        assertThat(again.at("/metadata/deletionTimestamp")).isEqualTo(marked.at("/metadata/deletionTimestamp"));
        assertThat(http.merge(pods + "/a", "{\"metadata\":{\"finalizers\":[\"a.b/c\"]}}").code()).isEqualTo(422);
        assertThat(http.delete(pods + "/a?gracePeriodSeconds=0").code()).isEqualTo(200);
        assertThat(http.get(pods + "/a").code()).isEqualTo(404);
        assertThat(http.delete(pods + "/a").code()).isEqualTo(404);
    }

    @Test
    void aPodOnNoNodeGoesAtOnceAndItsWatchersSeeTheMarkFirst() {
        String revision = create("a", "");

        assertThat(http.delete(pods + "/a").body().path("kind").stringValue("")).isEqualTo("Pod");
        assertThat(events(revision)).containsExactly("MODIFIED", "DELETED");
    }

    @Test
    void finalizersKeepTheObject() {
        String revision = create("a", "\"finalizers\":[\"a.b/c\"],");
        JsonNode marked = http.delete(pods + "/a").body();

        assertThat(marked.at("/metadata/deletionTimestamp").isString()).isTrue();
        assertThat(http.get(pods + "/a").code()).isEqualTo(200);
        assertThat(http.merge(pods + "/a", "{\"metadata\":{\"finalizers\":null}}").code()).isEqualTo(200);
        assertThat(http.get(pods + "/a").code()).isEqualTo(404);
        assertThat(events(revision)).startsWith("MODIFIED").endsWith("DELETED");
    }

    @Test
    void preconditionsGuard() {
        create("a", "");
        RawHttp.Answer uid = http.send("DELETE", pods + "/a", "application/json", "{\"preconditions\":{\"uid\":\"other\"}}");
        RawHttp.Answer revision = http.send("DELETE", pods + "/a", "application/json", "{\"preconditions\":{\"resourceVersion\":\"1\"}}");

        assertThat(List.of(uid.code(), revision.code())).containsExactly(409, 409);
        assertThat(uid.message()).contains("the UID in the precondition (other) does not match the UID in record");
        assertThat(http.get(pods + "/a").code()).isEqualTo(200);
    }

    @Test
    void plainObjectsAnswerAStatus() {
        String maps = "/api/v1/namespaces/" + namespace + "/configmaps";
        http.post(maps, Pods.configMap("a", ""));
        assertThat(http.delete(maps + "/a?dryRun=All").body().path("status").stringValue("")).isEqualTo("Success");
        JsonNode gone = http.delete(maps + "/a").body();
        assertThat(gone.path("status").stringValue("")).isEqualTo("Success");
        assertThat(gone.at("/details/kind").stringValue("")).isEqualTo("configmaps");
        http.post(maps, Pods.configMap("b", ""));
        JsonNode waiting = http.delete(maps + "/b?propagationPolicy=Foreground").body();
        assertThat(waiting.at("/metadata/finalizers/0").stringValue("")).isEqualTo("foregroundDeletion");
        assertThat(http.delete(maps + "/b?propagationPolicy=Sideways").code()).isEqualTo(422);
    }

    @Test
    void aCollectionGoesBySelector() {
        for (String name : List.of("a", "b", "c")) {
            create(name, "");
        }
        http.merge(pods + "/b", "{\"metadata\":{\"labels\":{\"app\":\"db\"}}}");

        JsonNode gone = http.delete(pods + "?labelSelector=app%3Dweb").body();

        assertThat(gone.path("kind").stringValue("")).isEqualTo("PodList");
        assertThat(gone.path("items").size()).isEqualTo(2);
        assertThat(http.get(pods).body().at("/items").size()).isEqualTo(1);
    }

    @Test
    void evictionIsADelete() {
        create("a", "");
        RawHttp.Answer answer = http.post(pods + "/a/eviction",
                "{\"apiVersion\":\"policy/v1\",\"kind\":\"Eviction\",\"metadata\":{\"name\":\"a\"}}");

        assertThat(answer.code()).isEqualTo(201);
        assertThat(http.get(pods + "/a").code()).isEqualTo(404);
    }
}
