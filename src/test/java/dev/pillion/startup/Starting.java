package dev.pillion.startup;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;

import io.fabric8.kubernetes.client.KubernetesClient;
import io.vertx.core.DeploymentOptions;
import io.vertx.core.ThreadingModel;
import io.vertx.core.Vertx;

import dev.pillion.api.PodView;
import dev.pillion.api.SidecarSet;
import dev.pillion.it.Cluster;
import dev.pillion.it.Eventually;
import dev.pillion.kube.Changes;
import dev.pillion.kube.EventRecorder;
import dev.pillion.kube.KubeClient;
import dev.pillion.kube.KubeOptions;
import dev.pillion.kube.Watches;
import dev.pillion.match.NamespaceView;
import dev.pillion.metrics.Meters;
import dev.pillion.metrics.StartupMeters;

/** One instance of the controllers on a cluster, which may act or not. Pods are seen as a user sees them. */
final class Starting implements AutoCloseable {
    final AtomicBoolean leads = new AtomicBoolean(true);
    final Meters meters = new Meters();
    private final KubeClient client;
    private final Vertx vertx = Vertx.vertx();
    private final EventRecorder events;
    private final String verticle;
    private final Watches watches;

    enum Role {
        LEADER, FOLLOWER
    }

    Starting(Cluster cluster, Role role) throws Exception {
        leads.set(role == Role.LEADER);
        client = KubeClient.connect(Optional.of(cluster.kubeconfig()), KubeOptions.defaults("default", "test"));
        events = client.events(Clock.systemUTC(), new SplittableRandom(1));
        watches = new Watches(client, System::nanoTime, new SplittableRandom(2));
        StartupVerticle startup = new StartupVerticle(
                new StartupPorts(watches.pods(), client.podWrites(), client.barrierWrites(), events),
                StartupOptions.of(Set.of(Feature.values())), _ -> leads.get(), new StartupMeters(meters), System::nanoTime,
                Clock.systemUTC());
        verticle = vertx.deployVerticle(startup, new DeploymentOptions().setThreadingModel(ThreadingModel.EVENT_LOOP)).toCompletionStage()
                .toCompletableFuture().get(30, TimeUnit.SECONDS);
        startup.tap(watches).start(new Nobody());
    }

    /** The watches of a controller expect the kind to be there. */
    static void installCrd(KubernetesClient users) throws IOException {
        if (users.apiextensions().v1().customResourceDefinitions().withName("sidecarsets.apps.kruise.io").get() == null) {
            try (InputStream crd = Files.newInputStream(Path.of("k8s", "crd", "apps.kruise.io_sidecarsets.yaml"))) {
                users.load(crd).create();
            }
            Eventually.until("SidecarSets are served",
                    () -> users.genericKubernetesResources("apps.kruise.io/v1beta1", "SidecarSet").list().getItems().isEmpty());
        }
    }

    /** The rest of the controller, which is not here. */
    private static final class Nobody implements Changes {
        @Override
        public void pod(Optional<PodView> old, Optional<PodView> now) {
        }

        @Override
        public void set(Optional<SidecarSet> old, Optional<SidecarSet> now) {
        }

        @Override
        public void namespace(Optional<NamespaceView> old, Optional<NamespaceView> now) {
        }

        @Override
        public void synced() {
        }

        @Override
        public void watch(String kind, boolean ok, String reason) {
        }
    }

    @Override
    public void close() {
        watches.stop();
        vertx.undeploy(verticle).toCompletionStage().toCompletableFuture().orTimeout(30, TimeUnit.SECONDS).join();
        vertx.close().toCompletionStage().toCompletableFuture().orTimeout(30, TimeUnit.SECONDS).join();
        events.close();
        client.close();
        meters.close();
    }
}
