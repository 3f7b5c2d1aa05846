package dev.pillion.watch;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import dev.pillion.api.Json;
import dev.pillion.api.PodChange;
import dev.pillion.api.PodView;
import dev.pillion.api.Revision;
import dev.pillion.api.SetKey;
import dev.pillion.api.SidecarSet;
import dev.pillion.api.Wire;
import dev.pillion.bus.BusMessage.Enqueue;
import dev.pillion.bus.BusMessage.Priority;
import dev.pillion.bus.BusMessage.SetsChanged;
import dev.pillion.bus.Inboxes;
import dev.pillion.bus.LatestSets;
import dev.pillion.match.NamespaceView;
import dev.pillion.metrics.Meters;
import dev.pillion.metrics.WatchMeters;
import dev.pillion.podmeta.PodViews;

import tools.jackson.databind.node.ObjectNode;

class ChangeFeedTest {
    private static final SetKey A = new SetKey("a");
    private final AtomicLong clock = new AtomicLong();
    private final Meters meters = new Meters();
    private final Inboxes inboxes = new Inboxes(_ -> true);
    private final LatestSets latest = new LatestSets();
    private final Recorder outlet = new Recorder();
    private final Silence silence = new Silence(Duration.ofSeconds(150), clock::get);
    private final ChangeFeed feed = new ChangeFeed(outlet, inboxes, latest, new WatchMeters(meters, clock::get), silence,
            WatchOptions.PILLION);

    /** Writes down what leaves the feed, and what the latest index knew at that moment. */
    private final class Recorder implements ChangeFeed.Outlet {
        private final List<Enqueue> sent = new ArrayList<>();
        private final List<SetsChanged> published = new ArrayList<>();
        private int asked;
        private boolean complete;
        private int failures;
        private int heardAgain;

        @Override
        public void send(Enqueue message) {
            if (failures-- > 0) {
                throw new IllegalStateException("the bus is closed");
            }
            boolean gone = message.cause().equals(Wakeup.SET_DELETED);
            assertThat(latest.get().set(message.set()).isPresent()).as("the index is out before %s", message).isEqualTo(!gone);
            sent.add(message);
        }

        @Override
        public void publish(SetsChanged message) {
            published.add(message);
        }

        @Override
        public void flushSoon() {
            asked++;
        }

        @Override
        public void firstListsComplete() {
            complete = true;
        }

        @Override
        public void heardAgain() {
            heardAgain++;
        }

        List<Enqueue> takeSent() {
            List<Enqueue> taken = List.copyOf(sent);
            sent.clear();
            return taken;
        }
    }

    @AfterEach
    void close() {
        meters.close();
    }

    @Test
    void nothingLeavesBeforeTheFirstListsAreComplete() {
        feed.set(Optional.empty(), Optional.of(set("a", 1)));
        feed.pod(Optional.empty(), Optional.of(pod("p", 1)));
        assertThat(outlet.asked).isZero();
        assertThat(outlet.sent).isEmpty();

        feed.synced();
        feed.flush();

        assertThat(outlet.complete).isTrue();
        assertThat(outlet.published).hasSize(1);
        assertThat(outlet.takeSent()).containsExactly(new Enqueue(A, Duration.ZERO, Priority.LOW, Wakeup.FIRST_LIST));
    }

    @Test
    void podChangesReachTheInboxAndWakeWithHighPriority() {
        start("a");
        PodView pod = pod("p", 1);
        feed.pod(Optional.empty(), Optional.of(pod));

        assertThat(outlet.takeSent()).containsExactly(new Enqueue(A, Duration.ZERO, Priority.HIGH, Wakeup.POD_CREATED));
        assertThat(inboxes.drain(A)).containsExactly(new PodChange.Seen(pod));

        feed.pod(Optional.of(pod), Optional.empty());
        assertThat(outlet.takeSent()).extracting(Enqueue::cause).containsExactly(Wakeup.POD_DELETED);
        assertThat(inboxes.drain(A)).containsExactly(new PodChange.Gone(pod.key(), "uid-p"));
    }

    /** A roll-out waits for none of these; each would be a reconcile that finds nothing to do. */
    @Test
    void changesThatLetNoOtherPodGoMayWait() {
        start("a");
        PodView ready = pod("p", 1, "True", "");
        PodView upgraded = pod("p", 2, "True", "h2");
        PodView stopped = pod("p", 3, "False", "h2");
        PodView readyAgain = pod("p", 4, "True", "h2");
        PodView deleted = pod("p", 5, "False", "h2", ",\"deletionTimestamp\":\"2026-01-02T03:04:05Z\"");
        Duration later = Duration.ofMillis(100);

        assertThat(change(ready, upgraded)).containsExactly(new Enqueue(A, later, Priority.HIGH, Wakeup.POD_HASH));
        assertThat(change(upgraded, stopped)).containsExactly(new Enqueue(A, later, Priority.HIGH, Wakeup.POD_STATUS));
        assertThat(change(stopped, readyAgain)).containsExactly(new Enqueue(A, Duration.ZERO, Priority.HIGH, Wakeup.POD_STATUS));
        assertThat(change(readyAgain, deleted)).extracting(Enqueue::after).containsExactly(Duration.ZERO);
        assertThat(inboxes.drain(A)).as("whoever wakes the set finds them all").containsExactly(new PodChange.Seen(deleted));
    }

    private List<Enqueue> change(PodView old, PodView now) {
        feed.pod(Optional.of(old), Optional.of(now));
        return outlet.takeSent();
    }

    @Test
    void aSetIsEnqueuedOnlyAfterTheIndexThatHoldsIt() {
        start();
        feed.set(Optional.empty(), Optional.of(set("a", 1)));
        assertThat(outlet.takeSent()).isEmpty();

        feed.flush();
        assertThat(outlet.takeSent()).extracting(Enqueue::cause).containsExactly(Wakeup.SET_CREATED);
        feed.set(Optional.of(set("a", 1)), Optional.empty());
        feed.flush();
        assertThat(outlet.takeSent()).extracting(Enqueue::cause).containsExactly(Wakeup.SET_DELETED);
    }

    @Test
    void aChangeOfMetadataIsPublishedButWakesNobody() {
        start("a");
        feed.set(Optional.of(set("a", 1)), Optional.of(set("a", 1)));
        feed.flush();

        assertThat(outlet.published).hasSize(2);
        assertThat(outlet.takeSent()).isEmpty();
    }

    @Test
    void aNamespaceThatBeginsToMatchMakesTheSetLookAnew() {
        SidecarSet bound = SidecarSet.of((ObjectNode) Json.read(
                "{\"metadata\":{\"name\":\"a\"},\"spec\":{\"namespaceSelector\":{\"matchLabels\":{\"team\":\"x\"}}}}"));
        feed.set(Optional.empty(), Optional.of(bound));
        feed.synced();
        feed.flush();
        outlet.takeSent();

        feed.namespace(Optional.empty(), Optional.of(new NamespaceView("n", Map.of("team", "x"))));
        feed.flush();

        assertThat(outlet.takeSent()).extracting(Enqueue::cause).containsExactly(Wakeup.NAMESPACE_CHANGED);
        assertThat(inboxes.drain(A)).containsExactly(new PodChange.Rebuild());
    }

    /** Traps 7.18, 7.19: whatever goes wrong in judging one change, here in the send, the set looks at all its Pods anew. */
    @Test
    void aChangeThatCannotBeJudgedIsToldAndItsSetsLookAnew() {
        start("a");
        outlet.failures = 1;
        feed.pod(Optional.empty(), Optional.of(pod("p", 1)));

        assertThat(inboxes.drain(A)).containsExactly(new PodChange.Rebuild());
        assertThat(outlet.takeSent()).hasSize(1);
        assertThat(meters.scrape()).contains("pillion_watch_broken_events_total{kind=\"pods\"} 1.0");
        feed.pod(Optional.empty(), Optional.of(pod("q", 1)));
        assertThat(outlet.takeSent()).as("the next change is judged").hasSize(1);
    }

    @Test
    void onlyPinnedRevisionsAreInTheIndex() {
        SidecarSet pinning = SidecarSet.of((ObjectNode) Json.read("""
                {"metadata":{"name":"a"},"spec":{"injectionStrategy":{"revision":{"customVersion":"v1"}}}}"""));
        feed.set(Optional.empty(), Optional.of(pinning));
        feed.revision(Optional.empty(), Optional.of(revision("a-1", "v1")));
        feed.revision(Optional.empty(), Optional.of(revision("a-2", "v2")));
        feed.synced();
        feed.flush();
        assertThat(latest.get().revision("a", "v1")).isPresent();
        assertThat(latest.get().revision("a-2")).isEmpty();

        int before = outlet.asked;
        feed.revision(Optional.of(revision("a-1", "v1")), Optional.empty());
        assertThat(outlet.asked).isEqualTo(before + 1);
        feed.flush();
        assertThat(latest.get().revision("a", "v1")).isEmpty();
    }

    private static Revision revision(String name, String version) {
        return new Revision(name, "", "", 1, "", Map.of(Wire.SET_NAME_LABEL, "a", Wire.CUSTOM_VERSION_LABEL, version), Map.of(), "{}",
                Optional.empty());
    }

    @Test
    void aSilentWatchIsComplainedOfUntilItSpeaks() {
        feed.watch("pods", true, "");
        feed.watch("sidecarsets", true, "");
        clock.addAndGet(Duration.ofSeconds(151).toNanos());
        feed.watch("sidecarsets", true, "");
        feed.watch("pods", false, "connection refused");

        assertThat(silence.complaint()).contains("no sign of life for 150 s: pods");
        feed.watch("pods", true, "");
        assertThat(silence.complaint()).isEmpty();
        assertThat(meters.scrape()).contains("pillion_watch_failures_total{kind=\"pods\"} 1.0");
    }

    private void start(String... names) {
        for (String name : names) {
            feed.set(Optional.empty(), Optional.of(set(name, 1)));
        }
        feed.synced();
        feed.flush();
        outlet.takeSent();
    }

    private static SidecarSet set(String name, int generation) {
        return SidecarSet.of((ObjectNode) Json.read("""
                {"metadata":{"name":"%s","generation":%d},"spec":{"selector":{"matchLabels":{"app":"web"}}}}""".formatted(name,
                generation)));
    }

    private static PodView pod(String name, int version) {
        return PodViews.of(Json.read("""
                {"metadata":{"name":"%s","namespace":"n","uid":"uid-%s","resourceVersion":"%d","labels":{"app":"web"},
                 "annotations":{"kruise.io/sidecarset-injected-list":"a"}}}""".formatted(name, name, version)));
    }

    private static PodView pod(String name, int version, String ready, String hash, String... metadata) {
        return PodViews.of(Json.read("""
                {"metadata":{"name":"%s","namespace":"n","uid":"uid-%s","resourceVersion":"%d","labels":{"app":"web"}%s,
                 "annotations":{"kruise.io/sidecarset-injected-list":"a","kruise.io/sidecarset-hash":"{\\"a\\":{\\"hash\\":\\"%s\\"}}"}},
                 "status":{"phase":"Running","conditions":[{"type":"Ready","status":"%s"}]}}"""
                .formatted(name, name, version, String.join("", metadata), hash, ready)));
    }

    @Test
    void aWatchThatWasSilentForTooLongIsToldWhenItSpeaksAgain() {
        Duration limit = Duration.ofSeconds(150);
        feed.watch("pods", true, "");
        clock.addAndGet(limit.toNanos());
        feed.watch("pods", true, "");
        assertThat(outlet.heardAgain).as("not later than allowed").isZero();

        clock.addAndGet(limit.toNanos() + 1);
        assertThat(silence.complaint()).isPresent();
        feed.watch("pods", true, "");

        assertThat(outlet.heardAgain).isEqualTo(1);
        assertThat(silence.complaint()).isEmpty();
    }

    @Test
    void silenceIsLookedForWhenItIsDue() {
        Duration beat = Duration.ofSeconds(5);
        assertThat(silence.untilNext(beat)).isEqualTo(beat);
        feed.watch("pods", true, "");
        assertThat(silence.untilNext(beat)).as("long before").isEqualTo(beat);

        clock.addAndGet(Duration.ofSeconds(148).toNanos());
        Duration rest = silence.untilNext(beat);
        assertThat(rest).isBetween(Duration.ofSeconds(2), Duration.ofMillis(2_100));
        assertThat(silence.complaint()).isEmpty();

        clock.addAndGet(rest.toNanos());
        assertThat(silence.complaint()).as("at once").isPresent();
        assertThat(silence.untilNext(beat)).as("nothing more to wait for").isEqualTo(beat);
    }
}
