package dev.pillion.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import org.junit.jupiter.api.Test;

import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;

/** The harness itself: each cluster answers, is empty, and logs writes. */
@OnEveryCluster
final class HarnessIT {
    private final Cluster cluster;

    HarnessIT(Cluster cluster) {
        this.cluster = cluster;
    }

    @Test
    void logsAWriteWithBothObjects() {
        String namespace = cluster.newNamespace("harness");
        try (KubernetesClient client = cluster.client()) {
            client.configMaps().inNamespace(namespace).resource(
                    new ConfigMapBuilder().withNewMetadata().withName("a").endMetadata().addToData("key", "value").build()).create();
        }
        var event = Eventually.until("the write is in the audit log",
                () -> cluster.auditLines().stream().filter(e -> e.at("/objectRef/resource").stringValue("").equals("configmaps")
                        && e.at("/objectRef/namespace").stringValue("").equals(namespace)).findFirst(),
                java.util.Optional::isPresent).orElseThrow();
        assertThat(event.path("verb").stringValue()).isEqualTo("create");
        assertThat(event.path("stage").stringValue()).isEqualTo("ResponseComplete");
        assertThat(event.at("/responseStatus/code").intValue()).isEqualTo(201);
        assertThat(event.at("/requestObject/data/key").stringValue()).isEqualTo("value");
        assertThat(event.at("/responseObject/metadata/uid").stringValue("")).isNotEmpty();
    }

    @Test
    void kubectlReachesIt() {
        assumeTrue(Kubectl.present());
        String namespace = cluster.newNamespace("harness");

        String names = cluster.kubectl().run("get", "namespaces", "-o", "name").ok();

        assertThat(names).contains("namespace/" + namespace, "namespace/default", "namespace/kube-system");
    }
}
