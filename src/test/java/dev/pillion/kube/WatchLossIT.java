package dev.pillion.kube;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import io.fabric8.kubernetes.client.KubernetesClient;

import dev.pillion.api.PodKey;
import dev.pillion.it.Cluster;
import dev.pillion.it.Eventually;
import dev.pillion.it.OnEveryCluster;
import dev.pillion.it.TcpProxy;
import dev.pillion.it.TcpProxy.Mode;
import dev.pillion.kube.KubeFixture.Told;

/** FR-60: a lost network is noticed, made known, and healed without a restart. */
@OnEveryCluster
final class WatchLossIT {
    private final Cluster cluster;
    private final Told told = new Told();
    private final TcpProxy proxy;
    private final KubernetesClient users;
    private String namespace = "";
    private Optional<KubeClient> client = Optional.empty();
    private Optional<Watches> watches = Optional.empty();

    WatchLossIT(Cluster cluster) {
        this.cluster = cluster;
        this.users = cluster.client();
        this.proxy = new TcpProxy(users.getMasterUrl().getPort());
    }

    @BeforeEach
    void start(@TempDir Path folder) throws IOException, InterruptedException {
        KubeFixture.installCrd(cluster);
        namespace = cluster.newNamespace("loss");
        KubeFixture.createPod(users, new PodKey(namespace, "first"), "one");
        URI server = URI.create(users.getMasterUrl().toString());
        String text = Files.readString(cluster.controllerKubeconfig("default")).replace(server.getAuthority(),
                server.getHost() + ":" + proxy.port());
        Path kubeconfig = Files.writeString(folder.resolve("kubeconfig"), text);
        KubeClient through = KubeClient.connect(Optional.of(kubeconfig),
                new KubeOptions("default", "test", Duration.ofSeconds(2), Duration.ofSeconds(2), Duration.ofSeconds(1)));
        Watches started = new Watches(through, System::nanoTime, new SplittableRandom(1));
        client = Optional.of(through);
        watches = Optional.of(started);
        started.start(told);
        assertThat(told.synced.await(30, TimeUnit.SECONDS)).isTrue();
    }

    @AfterEach
    void stop() throws IOException {
        watches.ifPresent(Watches::stop);
        client.ifPresent(KubeClient::close);
        users.close();
        proxy.close();
    }

    private boolean hasFailed() {
        return told.health.contains("pods failed");
    }

    @Test
    void aSilentNetworkIsNoticedAndHealed() {
        proxy.set(Mode.SILENT);
        KubeFixture.createPod(users, new PodKey(namespace, "later"), "one");
        Eventually.until("the loss is told", this::hasFailed);
        assertThat(told.podsIn(namespace)).containsExactly("+first");

        proxy.set(Mode.PASS);
        Eventually.passes("the pod is told", () -> assertThat(told.podsIn(namespace)).containsExactly("+first", "+later"));
    }

    /** The standby's case: its watch died without a word, and it is to take over. */
    @Test
    void aRefreshShowsWhatADeadWatchDidNotTell() throws InterruptedException {
        proxy.set(Mode.SILENT);
        KubeFixture.createPod(users, new PodKey(namespace, "later"), "one");
        proxy.set(Mode.PASS);

        watches.orElseThrow().refresh(System.nanoTime());

        assertThat(told.podsIn(namespace)).containsExactly("+first", "~first", "+later");
    }

    @Test
    void cutConnectionsAreResumedWithoutTellingAnythingTwice() {
        proxy.set(Mode.CUT);
        Eventually.until("the loss is told", this::hasFailed);
        KubeFixture.createPod(users, new PodKey(namespace, "later"), "one");
        users.pods().inNamespace(namespace).withName("first").withGracePeriod(0).delete();

        proxy.set(Mode.PASS);
        Eventually.passes("both steps are told once",
                () -> assertThat(told.podsIn(namespace)).containsOnlyOnce("+first", "+later", "-first").last().isEqualTo("-first"));
    }
}
