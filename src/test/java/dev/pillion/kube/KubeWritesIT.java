package dev.pillion.kube;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import io.fabric8.kubernetes.client.KubernetesClient;

import dev.pillion.api.Json;
import dev.pillion.api.PodKey;
import dev.pillion.api.PodView;
import dev.pillion.api.Revision;
import dev.pillion.api.SetStatus;
import dev.pillion.api.SidecarSet;
import dev.pillion.it.Cluster;
import dev.pillion.it.Eventually;
import dev.pillion.it.OnEveryCluster;

/** The writes of stack.md with the server's less known answers. */
@OnEveryCluster
final class KubeWritesIT {
    private final Cluster cluster;
    private String namespace = "";
    private KubernetesClient users;
    private KubeClient client;

    KubeWritesIT(Cluster cluster) {
        this.cluster = cluster;
        this.users = cluster.client();
        this.client = KubeFixture.connect(cluster.controllerKubeconfig("default"), "default", Duration.ofSeconds(30));
    }

    @BeforeEach
    void prepare() {
        KubeFixture.installCrd(cluster);
        namespace = cluster.newNamespace("writes");
    }

    @AfterEach
    void close() {
        client.close();
        users.close();
    }

    private static KubeException failure(Runnable call) {
        return catchThrowableOfType(KubeException.class, call::run);
    }

    private SidecarSet set(String name) {
        KubeFixture.load(users, """
                apiVersion: apps.kruise.io/v1beta1
                kind: SidecarSet
                metadata: {name: %s}
                spec: {containers: [{name: log, image: "log:1"}]}
                """.formatted(name));
        return client.setWrites().read(name);
    }

    @Test
    void podPatchesAreGuardedByUidAndVersion() {
        PodKey key = new PodKey(namespace, "a");
        KubeFixture.createPod(users, key, "one");
        PodView before = client.podWrites().read(key);
        String patch = "{\"metadata\":{\"uid\":\"%s\",\"resourceVersion\":\"%s\"},\"spec\":{\"containers\":[{\"name\":\"log\",\"image\":\"log:%d\"}]}}";

        PodView after = client.podWrites().patch(key, patch.formatted(before.uid(), before.resourceVersion(), 2));
        KubeException stale = failure(() -> client.podWrites().patch(key, patch.formatted(before.uid(), before.resourceVersion(), 3)));
        KubeException replaced = failure(() -> client.podWrites().patch(key, patch.formatted("other", after.resourceVersion(), 3)));
        KubeException absent = failure(() -> client.podWrites().patch(new PodKey(namespace, "none"), "{}"));

        assertThat(after.containers()).extracting(PodView.Container::image).containsExactly("app:1", "log:2");
        assertThat(after.isNewerThan(before)).isTrue();
        assertThat(stale.isConflict()).isTrue();
        assertThat(stale.reason()).isEqualTo("Conflict");
        assertThat(replaced.code()).isEqualTo(422);
        assertThat(replaced.isGone()).isTrue();
        assertThat(absent.code()).isEqualTo(404);
        assertThat(absent.isGone()).isTrue();
        assertThat(client.podWrites().readAnnotations(key)).containsEntry("kruise.io/sidecarset-injected-list", "one");
    }

    /** Or each Pod would get a record of managed fields for every replica that ever wrote it. */
    @Test
    void allReplicasAreOneFieldManager() {
        PodKey key = new PodKey(namespace, "a");
        KubeFixture.createPod(users, key, "one");
        for (String replica : List.of("pillion-7d-x1", "pillion-7d-x2")) {
            KubeOptions options = new KubeOptions("default", replica, Duration.ofSeconds(10), Duration.ofSeconds(30),
                    Duration.ofSeconds(5));
            try (KubeClient own = KubeClient.connect(Optional.of(cluster.controllerKubeconfig("default")), options)) {
                own.podWrites().patch(key, "{\"metadata\":{\"annotations\":{\"example.com/by\":\"" + replica + "\"}}}");
            }
        }

        List<String> managers = users.pods().inNamespace(namespace).withName("a").get().getMetadata().getManagedFields().stream()
                .map(f -> f.getManager()).filter(m -> m.contains("pillion-7d") || m.equals("pillion")).toList();
        assertThat(managers).containsExactly("pillion");
    }

    @Test
    void podConditionsAreWrittenThroughTheStatus() {
        PodKey key = new PodKey(namespace, "a");
        KubeFixture.createPod(users, key, "one");

        PodView after = client.podWrites().patchStatus(key, """
                {"status":{"conditions":[{"type":"SidecarSetUpgradable","status":"False","reason":"r","message":"m"}]}}""");

        assertThat(after.upgradable()).hasValueSatisfying(c -> assertThat(c.status()).isEqualTo("False"));
    }

    @Test
    void statusWritesReplaceOurMembersAndNoOthers() {
        set("status");
        users.genericKubernetesResources("apps.kruise.io/v1beta1", "SidecarSet").withName("status").subresource("status").patch(
                io.fabric8.kubernetes.client.dsl.base.PatchContext
                        .of(io.fabric8.kubernetes.client.dsl.base.PatchType.JSON_MERGE),
                "{\"status\":{\"conditions\":[{\"type\":\"Theirs\",\"status\":\"True\"}]}}");
        SidecarSet set = client.setWrites().read("status");

        SidecarSet first = client.setWrites().writeStatus(set, new SetStatus(1, 2, 1, 1, 1, "r1", OptionalInt.of(0)));
        SidecarSet second = client.setWrites().writeStatus(first, new SetStatus(1, 2, 0, 0, 0, "", OptionalInt.empty()));
        KubeException stale = failure(() -> client.setWrites().writeStatus(first, SetStatus.EMPTY));

        assertThat(first.status()).isEqualTo(new SetStatus(1, 2, 1, 1, 1, "r1", OptionalInt.of(0)));
        assertThat(second.raw().path("status")).isEqualTo(Json.read("""
                {"observedGeneration":1,"matchedPods":2,"updatedPods":0,"readyPods":0,
                 "conditions":[{"type":"Theirs","status":"True"}]}"""));
        assertThat(stale.isConflict()).isTrue();
    }

    @Test
    void revisionsLiveTheirWholeLife() throws InterruptedException {
        SidecarSet set = set("history");
        Watches watches = new Watches(client, System::nanoTime, new SplittableRandom(1));
        KubeFixture.Told told = new KubeFixture.Told();
        watches.start(told);
        try {
            assertThat(told.synced.await(30, TimeUnit.SECONDS)).isTrue();
            RevisionWrites revisions = watches.revisionWrites();
            // With characters that Go escapes: the stored text must be the one that was hashed.
            String data = "{\"spec\":{\"$patch\":\"replace\",\"containers\":[{\"args\":[\"a \\u0026\\u0026 \\u003cb\\u003e\"]}],\"volumes\":null}}";
            Map<String, String> labels = Map.of("kruise.io/sidecarset-name", "history");
            Revision wanted = new Revision("history-1", "", "", 1, "", labels, Map.of("k", "v"), data, Optional.empty());

            Revision created = revisions.create(wanted, set);
            assertThat(revisions.of("history")).containsExactly(created);
            assertThat(created.data()).isEqualTo(data);
            assertThat(created.ownerUid()).contains(set.uid());
            assertThat(failure(() -> revisions.create(wanted, set)).isAlreadyExists()).isTrue();

            Revision renumbered = revisions.renumber(created, 7);
            assertThat(failure(() -> revisions.renumber(created, 8)).isConflict()).isTrue();
            Revision labelled = revisions.label(renumbered, "apps.kruise.io/sidecarset-custom-version", "v7");
            assertThat(revisions.read("history-1")).isEqualTo(labelled);
            assertThat(labelled.number()).isEqualTo(7);
            assertThat(client.liveReads().revisions("history", "v7").toCompletableFuture().join()).containsExactly(labelled);

            revisions.delete(labelled);
            revisions.delete(labelled);
            assertThat(revisions.of("history")).isEmpty();
            assertThat(client.liveReads().revision("history-1").toCompletableFuture().join()).isEmpty();
        } finally {
            watches.stop();
        }
    }

    @Test
    void liveReadsTellAbsentFromUnreadable() {
        assertThat(client.liveReads().namespace(namespace).toCompletableFuture().join()).hasValueSatisfying(
                n -> assertThat(n.labels()).containsEntry("kubernetes.io/metadata.name", namespace));
        assertThat(client.liveReads().namespace("none").toCompletableFuture().join()).isEmpty();
    }

    @Test
    void eventsOfSetsAndPodsAreWrittenAndCounted() {
        PodKey key = new PodKey(namespace, "a");
        KubeFixture.createPod(users, key, "one");
        SidecarSet set = set("events");
        try (EventRecorder recorder = client.events(Clock.systemUTC(), new SplittableRandom(1))) {
            recorder.onSet(set, EventSink.Type.NORMAL, "NotUpgradablePods", "3 pods wait");
            for (int i = 0; i < 4; i++) {
                recorder.onPod(key, client.podWrites().read(key).uid(), EventSink.Type.WARNING, "ResetContainerFailed", "x".repeat(2000));
            }
        }

        List<io.fabric8.kubernetes.api.model.events.v1.Event> pod = Eventually.until("the pod's event is counted",
                () -> users.events().v1().events().inNamespace(namespace).list().getItems(), l -> l.size() == 1);
        assertThat(pod.getFirst().getRegarding().getName()).isEqualTo("a");
        assertThat(pod.getFirst().getSeries().getCount()).isEqualTo(4);
        assertThat(pod.getFirst().getNote()).hasSize(1024);
        assertThat(users.events().v1().events().inNamespace("default").list().getItems())
                .anySatisfy(e -> assertThat(e.getRegarding().getUid()).isEqualTo(set.uid()));
    }

    @Test
    void webhookConfigurationsAreWrittenOnlyWhereTheyDiffer() {
        WebhookWrites webhooks = client.webhookWrites();
        String ca = "Q0E=";
        java.net.URI base = java.net.URI.create("https://127.0.0.1:1/");
        webhooks.putCaBundle(ca);
        assertThat(users.admissionRegistration().v1().mutatingWebhookConfigurations().list().getItems()).isEmpty();

        webhooks.putConfigurations(base, "own", ca);
        String version = version();
        webhooks.putConfigurations(base, "own", ca);
        webhooks.putCaBundle(ca);
        assertThat(version()).isEqualTo(version);

        webhooks.putCaBundle("Q0Ey");
        assertThat(users.admissionRegistration().v1().mutatingWebhookConfigurations().withName(WebhookConfigs.MUTATING).get().getWebhooks())
                .hasSize(2).allSatisfy(w -> assertThat(w.getClientConfig().getCaBundle()).isEqualTo("Q0Ey"));
        webhooks.putConversionCaBundle(ca);
        users.admissionRegistration().v1().mutatingWebhookConfigurations().delete();
        users.admissionRegistration().v1().validatingWebhookConfigurations().delete();
    }

    private String version() {
        return users.admissionRegistration().v1().mutatingWebhookConfigurations().withName(WebhookConfigs.MUTATING).get().getMetadata()
                .getResourceVersion();
    }
}
