package dev.pillion.kube;

import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;

import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;

import dev.pillion.api.PodKey;
import dev.pillion.api.PodView;
import dev.pillion.api.SidecarSet;
import dev.pillion.it.Cluster;
import dev.pillion.it.Eventually;
import dev.pillion.match.NamespaceView;

/** Objects and listeners the tests of this package share. */
final class KubeFixture {
    private static final String CRD = """
            apiVersion: apiextensions.k8s.io/v1
            kind: CustomResourceDefinition
            metadata: {name: sidecarsets.apps.kruise.io}
            spec:
              group: apps.kruise.io
              names: {kind: SidecarSet, plural: sidecarsets, singular: sidecarset, listKind: SidecarSetList}
              scope: Cluster
              versions:
              - name: v1beta1
                served: true
                storage: true
                subresources: {status: {}}
                schema: {openAPIV3Schema: {type: object, x-kubernetes-preserve-unknown-fields: true}}
            """;

    private KubeFixture() {
    }

    static KubeClient connect(Path kubeconfig, String namespace, Duration watchTimeout) {
        return KubeClient.connect(Optional.of(kubeconfig),
                new KubeOptions(namespace, "test", Duration.ofSeconds(10), watchTimeout, Duration.ofSeconds(5)));
    }

    /** Makes the kind and waits until the server serves it. */
    static void installCrd(Cluster cluster) {
        try (KubernetesClient client = cluster.client()) {
            load(client, CRD);
            Eventually.until("SidecarSets are served", () -> client.raw(KubeObjects.SETS) != null);
        }
    }

    static void load(KubernetesClient client, String yaml) {
        client.load(new ByteArrayInputStream(yaml.getBytes(StandardCharsets.UTF_8))).items().forEach(item -> {
            if (client.resource(item).get() == null) {
                client.resource(item).create();
            }
        });
    }

    static void createPod(KubernetesClient client, PodKey key, String set) {
        client.resource(new PodBuilder().withNewMetadata().withNamespace(key.namespace()).withName(key.name()).addToLabels("app", "web")
                .addToAnnotations("kruise.io/sidecarset-injected-list", set).endMetadata().withNewSpec()
                .withAutomountServiceAccountToken(false).addNewContainer().withName("app").withImage("app:1").endContainer()
                .addNewContainer().withName("log").withImage("log:1").endContainer().endSpec().build()).create();
    }

    /** Remembers what it is told. */
    static final class Told implements Changes {
        final List<String> pods = new CopyOnWriteArrayList<>();
        final List<String> sets = new CopyOnWriteArrayList<>();
        final List<String> namespaces = new CopyOnWriteArrayList<>();
        final List<String> whitelists = new CopyOnWriteArrayList<>();
        final List<String> health = new CopyOnWriteArrayList<>();
        final CountDownLatch synced = new CountDownLatch(1);

        @Override
        public void pod(Optional<PodView> old, Optional<PodView> now) {
            String name = old.or(() -> now).map(p -> p.key().toString()).orElse("");
            pods.add(step(old.isPresent(), now.isPresent()) + name);
        }

        /** What was told of the namespace's Pods: + for new, ~ for changed, - for gone, and the name. */
        List<String> podsIn(String namespace) {
            return pods.stream().filter(p -> p.startsWith(namespace + "/", 1)).map(p -> p.replace(namespace + "/", "")).toList();
        }

        @Override
        public void set(Optional<SidecarSet> old, Optional<SidecarSet> now) {
            sets.add(step(old.isPresent(), now.isPresent()) + old.or(() -> now).map(SidecarSet::name).orElse(""));
        }

        @Override
        public void namespace(Optional<NamespaceView> old, Optional<NamespaceView> now) {
            namespaces.add(step(old.isPresent(), now.isPresent()) + old.or(() -> now).map(NamespaceView::name).orElse(""));
        }

        @Override
        public void whitelist(Optional<String> text) {
            whitelists.add(text.orElse("none"));
        }

        @Override
        public void synced() {
            synced.countDown();
        }

        @Override
        public void watch(String kind, boolean ok, String reason) {
            health.add(kind + (ok ? " ok" : " failed"));
        }

        private static String step(boolean before, boolean after) {
            return before ? after ? "~" : "-" : "+";
        }
    }
}
