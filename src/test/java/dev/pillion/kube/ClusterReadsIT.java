package dev.pillion.kube;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.Optional;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import dev.pillion.api.Json;
import dev.pillion.api.LabelSelector;
import dev.pillion.it.Cluster;
import dev.pillion.it.OnEveryCluster;

import tools.jackson.databind.node.ObjectNode;

/** One look at a cluster: selectors as queries, pages, and what is not there. */
@OnEveryCluster
final class ClusterReadsIT {
    private final Cluster cluster;
    private final KubeClient client;

    ClusterReadsIT(Cluster cluster) {
        this.cluster = cluster;
        this.client = KubeClient.connect(Optional.of(cluster.kubeconfig()), KubeOptions.defaults("kruise-system", "test"));
    }

    @AfterEach
    void close() {
        client.close();
    }

    @Test
    void podsAreListedBySelector() {
        String namespace = cluster.newNamespace("reads");
        create(namespace, "a", "{\"app\":\"web\",\"tier\":\"x\"}");
        create(namespace, "b", "{\"app\":\"web\"}");
        create(namespace, "c", "{\"app\":\"api\"}");

        assertThat(names("{\"matchLabels\":{\"app\":\"web\"}}")).containsExactly("a", "b");
        assertThat(names("{\"matchExpressions\":[{\"key\":\"app\",\"operator\":\"In\",\"values\":[\"web\",\"api\"]}]}"))
                .containsExactly("a", "b", "c");
        assertThat(names("{\"matchLabels\":{\"app\":\"web\"},\"matchExpressions\":[{\"key\":\"tier\",\"operator\":\"Exists\"}]}"))
                .containsExactly("a");
        assertThat(names("{\"matchLabels\":{\"app\":\"web\"},\"matchExpressions\":[{\"key\":\"tier\",\"operator\":\"DoesNotExist\"}]}"))
                .containsExactly("b");
        assertThat(names(
                "{\"matchLabels\":{\"app\":\"web\"},\"matchExpressions\":[{\"key\":\"tier\",\"operator\":\"NotIn\",\"values\":[\"x\"]}]}"))
                .containsExactly("b");
        assertThat(names("{\"matchLabels\":{\"no valid key!\":\"web\"}}")).as("a superset").contains("a", "b", "c");
        assertThat(client.reads().pod(namespace, "a")).isPresent();
        assertThat(client.reads().pod(namespace, "none")).isEmpty();
    }

    @Test
    void kindsThatAreNotServedAreTold() {
        assertThatThrownBy(() -> client.reads().sets()).isInstanceOf(KubeException.class).hasMessageContaining("CustomResourceDefinition");
        assertThat(client.reads().set("x")).isEmpty();
        assertThat(client.reads().revisions()).isEmpty();
        assertThat(client.reads().whitelist()).isEmpty();
        assertThat(client.reads().namespaces()).anyMatch(n -> n.name().equals("default"));
    }

    private List<String> names(String selector) {
        return client.reads().pods(LabelSelector.of(Json.read(selector))).stream().map(p -> p.key().name()).sorted().toList();
    }

    private void create(String namespace, String name, String labels) {
        client.objects().apply((ObjectNode) Json.read("""
                {"apiVersion":"v1","kind":"Pod","metadata":{"name":"%s","namespace":"%s","labels":%s},
                 "spec":{"containers":[{"name":"app","image":"app:1"}]}}""".formatted(name, namespace, labels)));
    }
}
