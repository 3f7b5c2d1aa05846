package dev.pillion.kube;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.api.model.NamespaceBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;

import dev.pillion.api.PodKey;
import dev.pillion.api.PodView;
import dev.pillion.api.SetKey;
import dev.pillion.api.Wire;
import dev.pillion.it.Cluster;
import dev.pillion.it.Eventually;
import dev.pillion.it.OnEveryCluster;
import dev.pillion.kube.KubeFixture.Told;

@OnEveryCluster
final class WatchesIT {
    private final Cluster cluster;
    private final Told told = new Told();
    private String namespace = "";
    private KubernetesClient users;
    private KubeClient client;
    private Watches watches;

    WatchesIT(Cluster cluster) {
        this.cluster = cluster;
        this.users = cluster.client();
        this.client = KubeFixture.connect(cluster.controllerKubeconfig("default"), "default", Duration.ofSeconds(2));
        this.watches = new Watches(client, System::nanoTime, new SplittableRandom(1));
    }

    @BeforeEach
    void start() throws InterruptedException {
        KubeFixture.installCrd(cluster);
        namespace = cluster.newNamespace("watch");
        KubeFixture.createPod(users, new PodKey(namespace, "first"), "one");
        watches.start(told);
        assertThat(told.synced.await(30, TimeUnit.SECONDS)).isTrue();
    }

    @AfterEach
    void stop() {
        watches.stop();
        client.close();
        users.close();
    }

    @Test
    void tellsOfWhatIsThereAndOfWhatChanges() {
        assertThat(told.podsIn(namespace)).containsExactly("+first");
        PodKey second = new PodKey(namespace, "second");
        KubeFixture.createPod(users, second, "one,two");
        Eventually.passes("the new pod is told", () -> assertThat(told.podsIn(namespace)).containsExactly("+first", "+second"));
        assertThat(watches.pods().naming(new SetKey("two"))).extracting(PodView::key).containsExactly(second);

        users.pods().inNamespace(namespace).withName("second").withGracePeriod(0).delete();
        Eventually.passes("its end is told", () -> assertThat(told.podsIn(namespace)).last().isEqualTo("-second"));
        assertThat(watches.pods().get(second)).isEmpty();
    }

    @Test
    void goesOnAfterTheServerEndedTheWatch() {
        long starts = told.health.stream().filter("pods ok"::equals).count();
        Eventually.until("three more watches ran their time", () -> told.health.stream().filter("pods ok"::equals).count() >= starts + 3);
        KubeFixture.createPod(users, new PodKey(namespace, "later"), "one");

        Eventually.passes("the pod is told once", () -> assertThat(told.podsIn(namespace)).containsExactly("+first", "+later"));
        assertThat(told.health).noneMatch(h -> h.endsWith("failed"));
        assertThat(watches.silences()).hasSize(5).allSatisfy((_, silence) -> assertThat(silence).isLessThan(Duration.ofSeconds(10)));
    }

    @Test
    void tellsOfSetsAndNamespaces() {
        KubeFixture.load(users, """
                apiVersion: apps.kruise.io/v1beta1
                kind: SidecarSet
                metadata: {name: agent}
                spec: {containers: [{name: log, image: "log:1", future: 1.50}]}
                """);
        users.namespaces().resource(new NamespaceBuilder().withNewMetadata().withName(namespace + "-b").endMetadata().build()).create();

        Eventually.passes("both are told", () -> {
            assertThat(told.sets).containsExactly("+agent");
            assertThat(told.namespaces).contains("+" + namespace, "+" + namespace + "-b");
        });
        assertThat(client.setWrites().read("agent").raw().at("/spec/containers/0/future").asString()).isEqualTo("1.5");
    }

    @Test
    void tellsOfTheWhitelistOfTheOwnConfigurationOnly() {
        configMap("default", "others", "{\"rules\":[1]}");
        configMap(namespace, Wire.CONFIG_MAP, "{\"rules\":[2]}");
        configMap("default", Wire.CONFIG_MAP, "{}");
        Eventually.passes("the text is told", () -> assertThat(told.whitelists).containsExactly("{}"));

        users.configMaps().inNamespace("default").withName(Wire.CONFIG_MAP)
                .edit(m -> new ConfigMapBuilder(m).addToData(Wire.WHITELIST_KEY, "").build());
        Eventually.passes("the change is told", () -> assertThat(told.whitelists).containsExactly("{}", ""));
        users.configMaps().inNamespace("default").withName(Wire.CONFIG_MAP)
                .edit(m -> new ConfigMapBuilder(m).removeFromData(Wire.WHITELIST_KEY).build());
        Eventually.passes("the missing key is told", () -> assertThat(told.whitelists).containsExactly("{}", "", "none"));
        users.configMaps().inNamespace("default").withName(Wire.CONFIG_MAP).delete();
        Eventually.passes("its end is told", () -> assertThat(told.whitelists).containsExactly("{}", "", "none", "none"));
    }

    private void configMap(String in, String name, String whitelist) {
        users.resource(new ConfigMapBuilder().withNewMetadata().withNamespace(in).withName(name).endMetadata()
                .addToData(Wire.WHITELIST_KEY, whitelist).build()).create();
    }

    @Test
    void anOwnWriteShowsAtOnceAndIsToldAsOneStep() {
        PodKey first = new PodKey(namespace, "first");
        PodView before = watches.pods().get(first).orElseThrow();
        PodView answer = client.podWrites().patch(first, """
                {"metadata":{"uid":"%s","resourceVersion":"%s"},"spec":{"containers":[{"name":"log","image":"log:2"}]}}"""
                .formatted(before.uid(), before.resourceVersion()));
        watches.pods().applyOwnWrite(answer);

        assertThat(watches.pods().get(first).orElseThrow().containers().get(1).image()).isEqualTo("log:2");
        Eventually.passes("the change is told", () -> assertThat(told.podsIn(namespace)).containsExactly("+first", "~first"));
    }

    @Test
    void survivesAListenerThatThrows() {
        watches.stop();
        Told broken = new Told();
        Watches others = new Watches(client, System::nanoTime, new SplittableRandom(1));
        others.start(new ThrowingChanges(broken));
        try {
            assertThat(broken.synced.await(30, TimeUnit.SECONDS)).isTrue();
            KubeFixture.createPod(users, new PodKey(namespace, "later"), "one");
            Eventually.passes("later pods are told", () -> assertThat(broken.podsIn(namespace)).contains("+first", "+later"));
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        } finally {
            others.stop();
        }
    }
}
