package dev.pillion.watch;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;

import org.junit.jupiter.api.Test;

import dev.pillion.api.Json;
import dev.pillion.api.PodView;
import dev.pillion.api.SetKey;
import dev.pillion.api.SidecarSet;
import dev.pillion.match.NamespaceView;
import dev.pillion.match.SetIndex;
import dev.pillion.podmeta.PodViews;

import tools.jackson.databind.node.ObjectNode;

/** What the reference overlooks or breaks on (events.md 7), where the recorded cases have no example. */
class PodEventsTest {
    private static final SetKey SA = new SetKey("sa");
    private final Map<SetKey, SidecarSet> sets = Map.of(SA, set("""
            {"metadata":{"name":"sa","generation":1},"spec":{"selector":{"matchLabels":{"app":"web"}},
             "containers":[{"name":"log","image":"r.io/log:v2"}]}}"""));
    private final PodEvents events = new PodEvents(WatchOptions.PILLION);

    /** The list of sizes that the reference's step 1 to 5 gives (events.md 6): here without the two waits. */
    @Test
    void aColdUpgradeWakesTheSetAtEachStepAtOnce() {
        PodView before = pod(1, "r.io/log:v1", "r.io/log:v1", "id1", true, "");
        PodView written = pod(2, "r.io/log:v2", "r.io/log:v1", "id1", true,
                "{\"sa\":{\"lastContainerStatuses\":{\"log\":{\"imageID\":\"id1\"}}}}");
        PodView restarting = pod(3, "r.io/log:v2", "r.io/log:v1", "id1", false,
                "{\"sa\":{\"lastContainerStatuses\":{\"log\":{\"imageID\":\"id1\"}}}}");
        PodView running = pod(4, "r.io/log:v2", "r.io/log:v2", "id2", false,
                "{\"sa\":{\"lastContainerStatuses\":{\"log\":{\"imageID\":\"id1\"}}}}");
        PodView ready = pod(5, "r.io/log:v2", "r.io/log:v2", "id2", true,
                "{\"sa\":{\"lastContainerStatuses\":{\"log\":{\"imageID\":\"id1\"}}}}");

        assertThat(causes(before, written)).containsExactly(Wakeup.now(SA, Wakeup.POD_CONSISTENCY));
        assertThat(causes(written, restarting)).containsExactly(Wakeup.now(SA, Wakeup.POD_STATUS));
        assertThat(causes(restarting, running)).containsExactly(Wakeup.now(SA, Wakeup.POD_CONSISTENCY));
        assertThat(causes(running, ready)).containsExactly(Wakeup.now(SA, Wakeup.POD_STATUS));
    }

    @Test
    void theReferencesDelayIsASetting() {
        PodEvents reference = new PodEvents(WatchOptions.REFERENCE);
        PodView before = pod(1, "r.io/log:v1", "r.io/log:v1", "id1", true, "");
        PodView written = pod(2, "r.io/log:v2", "r.io/log:v1", "id1", true,
                "{\"sa\":{\"lastContainerStatuses\":{\"log\":{\"imageID\":\"id1\"}}}}");

        assertThat(reference.judge(Optional.of(before), Optional.of(written), this::find).wakeups())
                .containsExactly(new Wakeup(SA, Duration.ofSeconds(5), Wakeup.POD_CONSISTENCY));
    }

    /** Trap 7.19: this annotation ends the reference's process. */
    @Test
    void aNullEntryIsAMissingOne() {
        PodView old = pod(1, "r.io/log:v1", "r.io/log:v1", "id1", true, "{\"sa\":null}");
        PodView now = pod(2, "r.io/log:v2", "r.io/log:v1", "id1", true, "{\"sa\":null}");

        assertThat(causes(old, now)).isEmpty();
    }

    @Test
    void aPodThatStopsNamingTheSetWakesIt() {
        PodView old = pod(1, "r.io/log:v1", "r.io/log:v1", "id1", true, "");
        PodView now = PodViews.of(Json.read("{\"metadata\":{\"name\":\"p\",\"namespace\":\"n\",\"uid\":\"u\",\"resourceVersion\":\"2\"}}"));

        PodEvents.Verdict verdict = events.judge(Optional.of(old), Optional.of(now), this::find);
        assertThat(verdict.wakeups()).containsExactly(Wakeup.now(SA, Wakeup.POD_MATCH));
        assertThat(verdict.told()).containsExactly(SA);
    }

    @Test
    void aLabelThatEndsTheMatchWakesTheSet() {
        ObjectNode moved = (ObjectNode) Json.read(text(2, "r.io/log:v1", "r.io/log:v1", "id1", true, ""));
        ((ObjectNode) moved.path("metadata").path("labels")).put("app", "other");

        assertThat(causes(pod(1, "r.io/log:v1", "r.io/log:v1", "id1", true, ""), PodViews.of(moved)))
                .containsExactly(Wakeup.now(SA, Wakeup.POD_MATCH));
    }

    @Test
    void aChangeThatSaysNothingIsStillTold() {
        PodEvents.Verdict verdict = events.judge(Optional.of(pod(1, "r.io/log:v1", "r.io/log:v1", "id1", true, "")),
                Optional.of(pod(2, "r.io/log:v1", "r.io/log:v1", "id1", true, "")), this::find);

        assertThat(verdict.wakeups()).isEmpty();
        assertThat(verdict.told()).as("the ledger needs the newer resourceVersion").containsExactly(SA);
    }

    @Test
    void aNamespaceLabelWakesTheSetsThatJudgeByIt() {
        SidecarSet bound = set("""
                {"metadata":{"name":"bound"},"spec":{"namespaceSelector":{"matchLabels":{"team":"a"}}}}""");
        SidecarSet other = set("""
                {"metadata":{"name":"other"},"spec":{"namespaceSelector":{"matchExpressions":[{"key":"x","operator":"DoesNotExist"}]}}}""");
        SetIndex index = SetIndex.of(List.of(bound, other, sets.values().iterator().next()), List.of());
        Optional<NamespaceView> old = Optional.of(new NamespaceView("n", Map.of("team", "b")));
        Optional<NamespaceView> now = Optional.of(new NamespaceView("n", Map.of("team", "a")));

        assertThat(new SetEvents(WatchOptions.PILLION).namespace(old, now, index)).extracting(w -> w.set().name()).containsExactly("bound");
        assertThat(new SetEvents(WatchOptions.REFERENCE).namespace(old, now, index)).isEmpty();
    }

    @Test
    void aCustomVersionWakesTheSetThoughItsGenerationStands() {
        Optional<SidecarSet> old = Optional.of(set("{\"metadata\":{\"name\":\"sa\",\"generation\":3},\"spec\":{\"customVersion\":\"1\"}}"));
        Optional<SidecarSet> now = Optional.of(set("{\"metadata\":{\"name\":\"sa\",\"generation\":3},\"spec\":{\"customVersion\":\"2\"}}"));

        assertThat(new SetEvents(WatchOptions.PILLION).set(old, now)).contains(Wakeup.now(SA, Wakeup.SET_CHANGED));
        assertThat(new SetEvents(WatchOptions.REFERENCE).set(old, now)).isEmpty();
    }

    private List<Wakeup> causes(PodView old, PodView now) {
        return events.judge(Optional.of(old), Optional.of(now), this::find).wakeups();
    }

    private Optional<SidecarSet> find(SetKey key) {
        return Optional.ofNullable(sets.get(key));
    }

    private static SidecarSet set(String json) {
        return SidecarSet.of((ObjectNode) Json.read(json));
    }

    private static PodView pod(int version, String image, String statusImage, String imageId, boolean ready, String inPlace) {
        return PodViews.of(Json.read(text(version, image, statusImage, imageId, ready, inPlace)));
    }

    private static String text(int version, String image, String statusImage, String imageId, boolean ready, String inPlace) {
        ObjectNode pod = (ObjectNode) Json
                .read("""
                        {"metadata":{"name":"p","namespace":"n","uid":"u","labels":{"app":"web"},"annotations":{"kruise.io/sidecarset-injected-list":"sa"}},
                         "spec":{"containers":[{"name":"log","image":"%s"}]},
                         "status":{"phase":"Running","conditions":[{"type":"Ready","status":"%s"}],
                          "containerStatuses":[{"name":"log","image":"%s","imageID":"%s","ready":true}]}}"""
                        .formatted(image,
                                ready ? "True" : "False", statusImage, imageId));
        ((ObjectNode) pod.path("metadata")).put("resourceVersion", Integer.toString(version));
        if (!inPlace.isEmpty()) {
            ((ObjectNode) pod.path("metadata").path("annotations")).put("kruise.io/sidecarset-inplace-update-state", inPlace);
        }
        return Json.write(pod);
    }
}
