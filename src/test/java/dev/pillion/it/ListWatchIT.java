package dev.pillion.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.informers.ResourceEventHandler;

import tools.jackson.databind.JsonNode;

/** Lists, selectors, pages, watches and informers. */
@OnEveryCluster
final class ListWatchIT {
    private final Cluster cluster;
    private final KubernetesClient client;
    private final RawHttp http;
    private String namespace = "";
    private String pods = "";
    private String start = "";

    ListWatchIT(Cluster cluster) {
        this.cluster = cluster;
        this.client = cluster.client();
        this.http = new RawHttp(client);
    }

    @BeforeEach
    void makePods() {
        namespace = cluster.newNamespace("watch");
        pods = "/api/v1/namespaces/" + namespace + "/pods";
        for (int i = 0; i < 5; i++) {
            JsonNode pod = http.post(pods, Pods.pod("p" + i, "").replace("\"app\":\"web\"", "\"i\":\"" + i + "\",\"all\":\"y\"")).body();
            start = pod.at("/metadata/resourceVersion").stringValue("");
        }
    }

    @AfterEach
    void closeClient() {
        client.close();
    }

    private static List<String> names(JsonNode list) {
        List<String> names = new ArrayList<>();
        list.path("items").forEach(item -> names.add(item.at("/metadata/name").stringValue("")));
        return names;
    }

    private static String encoded(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            labelSelector | i=1              | p1
            labelSelector | i!=1,all==y      | p0 p2 p3 p4
            labelSelector | i in (1,3)       | p1 p3
            labelSelector | i notin (1,2),!z | p0 p3 p4
            labelSelector | i>2              | p3 p4
            labelSelector | z                |
            fieldSelector | metadata.name=p2 | p2
            fieldSelector | metadata.name!=p2,status.phase=Pending,spec.nodeName= | p0 p1 p3 p4
            fieldSelector | spec.nodeName=n1 |
            """)
    void selects(String parameter, String selector, String expected) {
        JsonNode list = http.get(pods + "?" + parameter + "=" + encoded(selector)).body();

        assertThat(String.join(" ", names(list))).isEqualTo(expected == null ? "" : expected);
        assertThat(list.path("kind").stringValue("")).isEqualTo("PodList");
    }

    @ParameterizedTest
    @ValueSource(strings = {"labelSelector=%3D%3D", "labelSelector=a+in", "fieldSelector=spec.foo%3D1", "fieldSelector=x", "continue=abc",
            "resourceVersion=x"})
    void refusesABadQuery(String query) {
        assertThat(http.get(pods + "?" + query).code()).isEqualTo(400);
    }

    @Test
    void pagesShowOneMoment() {
        JsonNode first = http.get(pods + "?limit=2").body();
        client.pods().inNamespace(namespace).withName("p3").withGracePeriod(0).delete();
        http.post(pods, Pods.pod("p9", ""));
        String next = first.at("/metadata/continue").stringValue("");
        JsonNode rest = http.get(pods + "?limit=9&continue=" + encoded(next)).body();

        assertThat(names(first)).containsExactly("p0", "p1");
        assertThat(first.at("/metadata/remainingItemCount").intValue()).isEqualTo(3);
        assertThat(names(rest)).containsExactly("p2", "p3", "p4");
        assertThat(rest.at("/metadata/continue").stringValue("")).isEmpty();
        assertThat(rest.at("/metadata/resourceVersion")).isEqualTo(first.at("/metadata/resourceVersion"));
    }

    @Test
    void resumesBehindARevision() {
        http.merge(pods + "/p1", "{\"metadata\":{\"labels\":{\"x\":\"1\"}}}");
        JsonNode second = http.merge(pods + "/p1", "{\"metadata\":{\"labels\":{\"x\":\"2\"}}}").body();

        List<JsonNode> all = http.watch(pods + "?watch=1&timeoutSeconds=1&resourceVersion=" + start);
        List<JsonNode> none = http
                .watch(pods + "?watch=1&timeoutSeconds=1&resourceVersion=" + second.at("/metadata/resourceVersion").stringValue(""));

        assertThat(all).extracting(e -> e.path("type").stringValue(""), e -> e.at("/object/metadata/labels/x").stringValue(""))
                .containsExactly(tuple("MODIFIED", "1"), tuple("MODIFIED", "2"));
        assertThat(none).isEmpty();
    }

    @Test
    void aSelectorTurnsChangesIntoComingAndGoing() {
        http.merge(pods + "/p1", "{\"metadata\":{\"labels\":{\"all\":\"n\"}}}");
        http.merge(pods + "/p2", "{\"metadata\":{\"labels\":{\"all\":\"y\",\"x\":\"1\"}}}");
        http.merge(pods + "/p1", "{\"metadata\":{\"labels\":{\"all\":\"y\"}}}");

        List<JsonNode> events = http.watch(pods + "?watch=1&timeoutSeconds=1&labelSelector=all%3Dy&resourceVersion=" + start);

        assertThat(events).extracting(e -> e.path("type").stringValue(""), e -> e.at("/object/metadata/name").stringValue(""))
                .containsExactly(tuple("DELETED", "p1"), tuple("MODIFIED", "p2"), tuple("ADDED", "p1"));
        assertThat(events.getFirst().at("/object/metadata/labels/all").stringValue("")).isEqualTo("y");
    }

    @Test
    void aFutureRevisionStaysSilent() {
        assertThat(http.watch(pods + "?watch=1&timeoutSeconds=1&resourceVersion=" + (Long.parseLong(start) + 1_000_000))).isEmpty();
    }

    @Test
    void givesMetadataOnly() {
        JsonNode list = http.send("GET", pods + "?limit=1", "application/json", null).body();
        assertThat(list.at("/items/0/spec").isObject()).isTrue();
        assertThat(list.at("/items/0/kind").isMissingNode()).isTrue();
    }

    @Test
    void informersFollow() {
        ConcurrentHashMap<String, String> images = new ConcurrentHashMap<>();
        List<String> gone = new CopyOnWriteArrayList<>();
        try (var informer = client.pods().inNamespace(namespace).inform(new ResourceEventHandler<Pod>() {
            @Override
            public void onAdd(Pod pod) {
                images.put(pod.getMetadata().getName(), pod.getSpec().getContainers().getFirst().getImage());
            }

            @Override
            public void onUpdate(Pod old, Pod pod) {
                onAdd(pod);
            }

            @Override
            public void onDelete(Pod pod, boolean unknown) {
                gone.add(pod.getMetadata().getName());
            }
        })) {
            assertThat(informer.hasSynced()).isTrue();
            client.pods().inNamespace(namespace).withName("p2").edit(pod -> {
                pod.getSpec().getContainers().getFirst().setImage("nginx:9");
                return pod;
            });
            client.pods().inNamespace(namespace).withName("p3").withGracePeriod(0).delete();
            Eventually.until("the informer has seen update and delete", () -> "nginx:9".equals(images.get("p2")) && gone.contains("p3"));
            assertThat(images).hasSize(5);
        }
    }
}
