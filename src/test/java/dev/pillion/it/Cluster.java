package dev.pillion.it;

import java.nio.file.Path;
import java.util.List;

import io.fabric8.kubernetes.api.model.NamespaceBuilder;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;

import tools.jackson.databind.JsonNode;

/** An empty Kubernetes API that one test class has to itself, reached by kubeconfig only. */
public interface Cluster extends AutoCloseable {

    /** "sandbox" or "real": for names and messages, never for a decision in a test. */
    String name();

    /** A kubeconfig file of a user that may do everything. */
    Path kubeconfig();

    String kubeconfigText();

    /**
     * A kubeconfig file of the service account that k8s/ installs, with the rights of those manifests and no others. Controllers run
     * with it, never as admin; a request that these rights refuse fails the test class. A cluster that knows one user only gives
     * that one's.
     *
     * @param ownNamespace the controller's own namespace, which must exist: the rights that hold in one namespace only hold there
     */
    default Path controllerKubeconfig(String ownNamespace) {
        return serviceAccountKubeconfig();
    }

    /** A kubeconfig file of that service account with the rights it has in this cluster as it is: none, until a test installs some. */
    default Path serviceAccountKubeconfig() {
        return kubeconfig();
    }

    /** A kubeconfig file of the user "reader", who has no rights until a test gives some; a cluster that refuses nobody lets him, too. */
    default Path readerKubeconfig() {
        return kubeconfig();
    }

    /** The audit events (audit.k8s.io/v1, stage ResponseComplete) of the writes since this test class began, oldest first. */
    List<JsonNode> auditLines();

    /**
     * The audit events of all that the shipped service account asked for since this test class began, oldest first: on the real
     * server reads and refused requests, too; the sandbox notes writes only and refuses nobody.
     */
    default List<JsonNode> controllerRequests() {
        return List.of();
    }

    /** Ends the API server in the middle of things: clients are cut off and find nobody any more. What it stored stays. */
    default void stopServing() {
        throw new UnsupportedOperationException(name() + " cannot be stopped");
    }

    /** Starts it again at the same address; returns when it answers and knows everybody's rights again. */
    default void serveAgain() {
        throw new UnsupportedOperationException(name() + " cannot be started again");
    }

    /** Lets the store behind the API server stand still: requests get no answer; watches can be opened, and are silent. */
    default void freezeStore() {
        throw new UnsupportedOperationException(name() + " cannot be frozen");
    }

    default void thawStore() {
        throw new UnsupportedOperationException(name() + " cannot be thawed");
    }

    @Override
    void close();

    /** A client of its own; the caller closes it. Retries are off, so a test sees the first answer. */
    default KubernetesClient client() {
        Config config = Config.fromKubeconfig(kubeconfigText());
        config.setRequestRetryBackoffLimit(0);
        return new KubernetesClientBuilder().withConfig(config).build();
    }

    /** Makes a namespace whose name starts with the prefix and is new in this cluster, and answers its name. */
    default String newNamespace(String prefix) {
        try (KubernetesClient client = client()) {
            return client.namespaces()
                    .resource(
                            new NamespaceBuilder().withNewMetadata().withGenerateName(prefix + "-").endMetadata().build())
                    .create().getMetadata().getName();
        }
    }

    default Kubectl kubectl() {
        return new Kubectl(kubeconfig());
    }
}
