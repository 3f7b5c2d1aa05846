package dev.pillion.reconcile;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import dev.pillion.api.Json;
import dev.pillion.api.PodChange;
import dev.pillion.api.PodKey;
import dev.pillion.api.PodView;
import dev.pillion.api.SetKey;
import dev.pillion.api.SidecarSet;
import dev.pillion.api.Wire;
import dev.pillion.bus.BusMessage.Outcome;
import dev.pillion.bus.Inboxes;
import dev.pillion.bus.LatestSets;
import dev.pillion.bus.Owning;
import dev.pillion.kube.PodCache;
import dev.pillion.match.NamespaceView;
import dev.pillion.match.SetIndex;
import dev.pillion.metrics.Meters;
import dev.pillion.metrics.ReconcileMeters;
import dev.pillion.rollout.RolloutOptions;

import tools.jackson.databind.node.ObjectNode;

/** What a reconcile rests on: selectors, the labels of Namespaces, and the order in which it takes them. */
class ReconcilerViewTest {
    private static final SetKey A = new SetKey("a");
    private static final String TEAM_X = "{\"matchLabels\":{\"team\":\"x\"}}";
    private static final String WEB = "{\"matchLabels\":{\"app\":\"web\"}}";

    private final FaultyKube kube = new FaultyKube();
    private final Meters meters = new Meters();
    private final Inboxes inboxes = new Inboxes(_ -> true);
    private final LatestSets latest = new LatestSets();
    private Instant now = Instant.parse("2026-01-02T03:04:05Z");
    private final Reconciler reconciler = reconciler(kube.ports());

    @AfterEach
    void close() {
        meters.close();
    }

    /** rollout.md 1, step 2: stored before the webhooks ran, or past them. */
    @Test
    void aSelectorThatCannotBeReadFailsVisiblyAndTouchesNothing() {
        given(set("{\"matchExpressions\":[{\"key\":\"app\",\"operator\":\"Is\",\"values\":[\"web\"]}]}", TEAM_X, 1), Map.of("team", "x"));

        assertThat(reconciler.reconcile(A)).isEqualTo(new Outcome.Failed("selector"));
        assertThat(reconciler.reconcile(A)).isEqualTo(new Outcome.Failed("selector"));

        assertThat(kube.log).as("writes").isEmpty();
        assertThat(kube.events).hasSize(1);
        assertThat(kube.events.getFirst()).startsWith("WARNING InvalidSelector a: ").contains("spec.selector", "Is");
    }

    @Test
    void aSelectorThatIsCorrectedCounts() {
        given(set(WEB, "{\"matchExpressions\":[{\"key\":\"team\",\"operator\":\"Equals\",\"values\":[\"x\"]}]}", 1), Map.of("team", "x"));
        assertThat(reconciler.reconcile(A)).isEqualTo(new Outcome.Failed("selector"));

        given(set(WEB, TEAM_X, 2), Map.of("team", "x"));

        assertThat(reconciler.reconcile(A)).isNotInstanceOf(Outcome.Failed.class);
        assertThat(kube.lines("patch")).containsExactly("patch p1");
    }

    /** Trap 7.4: the watcher puts the new index out, then the Rebuild. */
    @Test
    void podsOfANamespaceThatBeginsToMatchAreUpgraded() {
        given(set(WEB, TEAM_X, 1), Map.of("team", "y"));
        reconciler.reconcile(A);
        assertThat(kube.lines("patch")).isEmpty();

        namespaceNowHas(Map.of("team", "x"));
        reconciler.reconcile(A);

        assertThat(kube.lines("patch")).containsExactly("patch p1");
    }

    @Test
    void podsOfANamespaceThatMatchesNoMoreAreNotCounted() {
        given(set(WEB, TEAM_X, 1), Map.of("team", "x"));
        reconciler.reconcile(A);
        assertThat(kube.lines("set")).containsExactly("set 0/1");

        namespaceNowHas(Map.of());
        now = now.plusSeconds(2);
        reconciler.reconcile(A);

        assertThat(kube.lines("set")).last().isEqualTo("set 0/0");
    }

    /** As when a Pod holds what nobody thought of: nothing half taken in stays. */
    @Test
    void aReconcileThatBreaksOffLooksAtEverythingAnewNextTime() {
        given(set(WEB, TEAM_X, 1), Map.of("team", "x"));
        KubePorts ports = kube.ports();
        PodCache broken = new BrokenOnce(kube);
        Reconciler fragile = reconciler(new KubePorts(broken, ports.podWrites(), ports.sets(), ports.revisions(), ports.events()));

        assertThrows(IllegalStateException.class, () -> fragile.reconcile(A));

        assertThat(inboxes.drain(A)).containsExactly(new PodChange.Rebuild());
        assertThat(fragile.reconcile(A)).isNotInstanceOf(Outcome.Failed.class);
        assertThat(kube.lines("patch")).containsExactly("patch p1");
    }

    private Reconciler reconciler(KubePorts ports) {
        return new Reconciler(ports,
                new Reconciler.Shared(latest, inboxes, new Ledgers(RolloutOptions.PILLION), new ReconcileMeters(meters, 1),
                        Owning.everything()),
                ReconcileOptions.PILLION, () -> now);
    }

    private void given(ObjectNode set, Map<String, String> namespaceLabels) {
        latest.put(index(kube.put(set), namespaceLabels));
        kube.put(new PodKey("n", "p1"), pod());
        kube.watch();
    }

    private void namespaceNowHas(Map<String, String> labels) {
        latest.put(index(kube.stored("a"), labels));
        inboxes.append(A, new PodChange.Rebuild());
    }

    private static SetIndex index(SidecarSet set, Map<String, String> namespaceLabels) {
        return SetIndex.of(List.of(set), List.of(new NamespaceView("n", namespaceLabels)));
    }

    private static ObjectNode set(String selector, String namespaceSelector, int generation) {
        ObjectNode set = (ObjectNode) Json.read("""
                {"apiVersion":"apps.kruise.io/v1beta1","kind":"SidecarSet",
                 "metadata":{"name":"a","uid":"uid-a","generation":%d,"annotations":{}},
                 "spec":{"selector":%s,"namespaceSelector":%s,"containers":[{"name":"log","image":"r.io/log:v2"}],
                  "updateStrategy":{"type":"RollingUpdate","maxUnavailable":1}}}""".formatted(generation, selector, namespaceSelector));
        ((ObjectNode) set.path("metadata").path("annotations")).put(Wire.HASH, "h2").put(Wire.HASH_WITHOUT_IMAGE, "w");
        return set;
    }

    private static ObjectNode pod() {
        ObjectNode pod = (ObjectNode) Json.read("""
                {"metadata":{"name":"p1","namespace":"n","uid":"uid-p1","labels":{"app":"web"},"creationTimestamp":"2026-01-01T00:00:00Z"},
                 "spec":{"nodeName":"node","containers":[{"name":"log","image":"r.io/log:v1"}]},
                 "status":{"phase":"Running","conditions":[{"type":"Ready","status":"True","lastTransitionTime":"2026-01-01T00:01:00Z"}],
                  "containerStatuses":[{"name":"log","image":"r.io/log:v1","imageID":"id-1","ready":true,"restartCount":0}]}}""");
        ((ObjectNode) pod.path("metadata")).withObject("annotations").put(Wire.INJECTED_LIST, "a")
                .put(Wire.HASH, "{\"a\":{\"hash\":\"h1\"}}").put(Wire.HASH_WITHOUT_IMAGE, "{\"a\":{\"hash\":\"w\"}}");
        return pod;
    }

    /** A cache whose first answer is a fault of the program. */
    private static final class BrokenOnce implements PodCache {
        private final PodCache pods;
        private boolean broken;

        private BrokenOnce(PodCache pods) {
            this.pods = pods;
        }

        @Override
        public Optional<PodView> get(PodKey key) {
            return pods.get(key);
        }

        @Override
        public List<PodView> naming(SetKey set) {
            if (!broken) {
                broken = true;
                throw new IllegalStateException("as planned");
            }
            return pods.naming(set);
        }

        @Override
        public void applyOwnWrite(PodView pod) {
            pods.applyOwnWrite(pod);
        }
    }
}
