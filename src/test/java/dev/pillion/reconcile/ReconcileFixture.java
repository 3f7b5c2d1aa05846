package dev.pillion.reconcile;

import java.time.Duration;
import java.time.Instant;
import java.util.List;

import dev.pillion.api.Json;
import dev.pillion.api.PodChange;
import dev.pillion.api.PodKey;
import dev.pillion.api.SetKey;
import dev.pillion.api.SidecarSet;
import dev.pillion.api.Wire;
import dev.pillion.bus.BusMessage.Outcome;
import dev.pillion.bus.Inboxes;
import dev.pillion.bus.LatestSets;
import dev.pillion.bus.Ownership;
import dev.pillion.bus.Owning;
import dev.pillion.match.SetIndex;
import dev.pillion.metrics.Meters;
import dev.pillion.metrics.ReconcileMeters;
import dev.pillion.rollout.RolloutOptions;

import tools.jackson.databind.node.ObjectNode;

/** A reconciler over a {@link FaultyKube}, with one set "a" whose pods run version v1 and shall run v2; time is moved by hand. */
final class ReconcileFixture implements AutoCloseable {
    static final SetKey A = new SetKey("a");

    final FaultyKube kube = new FaultyKube();
    final Meters meters = new Meters();
    final Ownership ownership = Owning.everything();
    final Inboxes inboxes = new Inboxes(_ -> true);
    final LatestSets latest = new LatestSets();
    final Ledgers ledgers = new Ledgers(RolloutOptions.PILLION);
    private volatile Instant now = Instant.parse("2026-01-02T03:04:05Z");
    private Reconciler reconciler = reconciler(ledgers);

    private Reconciler reconciler(Ledgers of) {
        return new Reconciler(kube.ports(), new Reconciler.Shared(latest, inboxes, of, new ReconcileMeters(meters, 1), ownership),
                ReconcileOptions.PILLION, () -> now);
    }

    /** A controller that knows nothing but what the cluster holds; the old one's metrics stay. */
    void restart() {
        publish(kube.stored("a"));
        reconciler = reconciler(new Ledgers(RolloutOptions.PILLION));
    }

    @Override
    public void close() {
        meters.close();
    }

    synchronized void later(Duration by) {
        now = now.plus(by);
    }

    void given(int maxUnavailable, String... pods) {
        given(set("v2", "h2", maxUnavailable, 2), pods);
    }

    void given(ObjectNode set, String... pods) {
        publish(kube.put(set));
        for (String name : pods) {
            kube.put(key(name), pod(name));
        }
        kube.watch();
    }

    void publish(SidecarSet set) {
        latest.put(SetIndex.of(List.of(set), List.of()));
    }

    Outcome reconcile() {
        return reconciler.reconcile(A);
    }

    /** Among equal ready Pods the youngest goes first. */
    static String firstChoice() {
        return "p2";
    }

    static String other(String name) {
        return name.equals("p1") ? "p2" : "p1";
    }

    /** The watch tells of a Pod as it is. */
    void seen(String name) {
        kube.watch().stream().filter(p -> p.key().name().equals(name)).forEach(p -> inboxes.append(A, new PodChange.Seen(p)));
    }

    /** The kubelet has run the new image; the watch tells. */
    void ready(String name) {
        kube.change(key(name), pod -> {
            ObjectNode status = (ObjectNode) pod.path("status").path("containerStatuses").path(0);
            status.put("image", "r.io/log:v2").put("imageID", "id-2").put("ready", true);
        });
        seen(name);
    }

    String image(String name) {
        return kube.pod(key(name)).path("spec").path("containers").path(0).path("image").asString();
    }

    static PodKey key(String name) {
        return new PodKey("n", name);
    }

    static ObjectNode set(String version, String hash, int maxUnavailable, int generation) {
        return set(version, hash, maxUnavailable, generation, "w");
    }

    static ObjectNode set(String version, String hash, int maxUnavailable, int generation, String withoutImage) {
        ObjectNode set = (ObjectNode) Json.read("""
                {"apiVersion":"apps.kruise.io/v1beta1","kind":"SidecarSet",
                 "metadata":{"name":"a","uid":"uid-a","generation":%d,"annotations":{}},
                 "spec":{"selector":{"matchLabels":{"app":"web"}},"containers":[{"name":"log","image":"r.io/log:%s"}],
                  "updateStrategy":{"type":"RollingUpdate","maxUnavailable":%d}}}""".formatted(generation, version, maxUnavailable));
        ((ObjectNode) set.path("metadata").path("annotations")).put(Wire.HASH, hash).put(Wire.HASH_WITHOUT_IMAGE, withoutImage);
        return set;
    }

    static ObjectNode pod(String name) {
        ObjectNode pod = (ObjectNode) Json.read("""
                {"metadata":{"name":"%s","namespace":"n","uid":"uid-%s","labels":{"app":"web"},
                  "creationTimestamp":"2026-01-01T00:%02d:00Z"},
                 "spec":{"nodeName":"node","containers":[{"name":"log","image":"r.io/log:v1"}]},
                 "status":{"phase":"Running","conditions":[{"type":"Ready","status":"True","lastTransitionTime":"2026-01-01T01:00:00Z"}],
                  "containerStatuses":[{"name":"log","image":"r.io/log:v1","imageID":"id-1","ready":true,"restartCount":0}]}}""".formatted(
                name, name, Integer.parseInt(name.substring(1))));
        ((ObjectNode) pod.path("metadata")).withObject("annotations").put(Wire.INJECTED_LIST, "a")
                .put(Wire.HASH, "{\"a\":{\"hash\":\"h1\"}}").put(Wire.HASH_WITHOUT_IMAGE, "{\"a\":{\"hash\":\"w\"}}");
        return pod;
    }

    /** The set with one hot container mesh, at v2 and h2. */
    static ObjectNode hotSet(int maxUnavailable) {
        ObjectNode set = set("v2", "h2", maxUnavailable, 2);
        ((ObjectNode) set.path("spec")).set("containers", Json.read("""
                [{"name":"mesh","image":"r.io/mesh:v2",
                  "upgradeStrategy":{"upgradeType":"HotUpgrade","hotUpgradeEmptyImage":"r.io/empty:1"}}]"""));
        return set;
    }

    /** A ready Pod with both twins running what the spec says. */
    static ObjectNode hotPod(String name, String hash, String first, String second, String working) {
        ObjectNode pod = pod(name);
        ((ObjectNode) pod.path("spec")).set("containers",
                Json.read("[{\"name\":\"mesh-1\",\"image\":\"%s\"},{\"name\":\"mesh-2\",\"image\":\"%s\"}]".formatted(first, second)));
        ((ObjectNode) pod.path("status")).set("containerStatuses", Json.read("""
                [{"name":"mesh-1","image":"%1$s","imageID":"id-%1$s","ready":true,"restartCount":0},
                 {"name":"mesh-2","image":"%2$s","imageID":"id-%2$s","ready":true,"restartCount":0}]""".formatted(first, second)));
        ((ObjectNode) pod.path("metadata")).withObject("annotations").put(Wire.HASH, "{\"a\":{\"hash\":\"" + hash + "\"}}")
                .put(Wire.WORKING_HOT_UPGRADE, "{\"mesh\":\"" + working + "\"}");
        return pod;
    }
}
