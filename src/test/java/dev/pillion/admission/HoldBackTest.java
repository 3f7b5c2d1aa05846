package dev.pillion.admission;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import dev.pillion.admission.HoldBack.Place;
import dev.pillion.api.Json;
import dev.pillion.api.SidecarSet;
import dev.pillion.bus.LatestSets;
import dev.pillion.match.NamespaceView;
import dev.pillion.match.SetIndex;
import dev.pillion.metrics.Meters;
import dev.pillion.metrics.WebhookMeters;

import tools.jackson.databind.node.ObjectNode;

/** Which Pods wait for which writes, and until when. The longest wait is a quarter of the deadline, so these never end by time. */
@Timeout(20)
final class HoldBackTest {
    private static final Place WEB = new Place("shop", Map.of("app", "web"));
    private static final NamespaceView SHOP = new NamespaceView("shop", Map.of("team", "a"));

    private final Meters meters = new Meters();
    private final LatestSets latest = new LatestSets();
    private final Gate gate = new Gate(10, 100_000);
    private long now;
    private final HoldBack holdBack = new HoldBack(latest, gate, new WebhookMeters(meters), Duration.ofHours(1), () -> now);

    @AfterEach
    void close() {
        meters.close();
    }

    private static SidecarSet set(String version, String uid, String app) {
        return set(version, uid, app, spec -> {
        });
    }

    private static SidecarSet set(String version, String uid, String app, Consumer<ObjectNode> more) {
        ObjectNode raw = Json.object();
        raw.putObject("metadata").put("name", "logs").put("uid", uid).put("resourceVersion", version);
        ObjectNode spec = raw.putObject("spec");
        spec.putObject("selector").putObject("matchLabels").put("app", app);
        more.accept(spec);
        return SidecarSet.of(raw);
    }

    private static SetIndex index(SidecarSet... sets) {
        return SetIndex.of(List.of(sets), List.of(SHOP));
    }

    private CompletableFuture<SetIndex> pod(Place place) {
        return holdBack.sets(latest.get(), () -> place).toCompletableFuture();
    }

    private void publish(SetIndex index) {
        latest.put(index);
        holdBack.published();
    }

    @Test
    void aPodWaitsUntilItsNewSetIsThere() throws Exception {
        latest.put(index());
        holdBack.admitted(set("", "u1", "web"), Optional.empty());
        SetIndex arrived = index(set("7", "u1", "web"));

        CompletableFuture<SetIndex> pod = pod(WEB);
        publish(index());
        boolean early = pod.isDone();
        publish(arrived);

        assertThat(early).isFalse();
        assertThat(pod.get(10, TimeUnit.SECONDS)).isSameAs(arrived);
        assertThat(pod(WEB)).isCompletedWithValue(arrived);
        assertThat(meters.scrape()).contains("pillion_pods_held_total{result=\"caught-up\"} 1.0");
    }

    @Test
    void theOldSetOfThatNameIsNotTheNewOne() {
        latest.put(index(set("7", "u1", "web")));
        holdBack.admitted(set("", "u2", "web"), Optional.empty());

        assertThat(pod(WEB)).isNotDone();
    }

    @Test
    void aPodWaitsUntilTheChangeIsThere() throws Exception {
        latest.put(index(set("9", "u1", "web")));
        holdBack.admitted(set("10", "u1", "web", s -> s.put("customVersion", "2")), Optional.of(set("10", "u1", "web")));

        CompletableFuture<SetIndex> pod = pod(WEB);
        publish(index(set("10", "u1", "web")));
        boolean early = pod.isDone();
        publish(index(set("11", "u1", "web")));

        assertThat(early).isFalse();
        assertThat(pod.get(10, TimeUnit.SECONDS).sets()).extracting(SidecarSet::resourceVersion).containsExactly("11");
    }

    @Test
    void aPodThatTheSetTookUntilNowWaitsToo() {
        latest.put(index(set("9", "u1", "web")));
        holdBack.admitted(set("9", "u1", "other"), Optional.of(set("9", "u1", "web")));

        assertThat(pod(WEB)).isNotDone();
        assertThat(pod(new Place("shop", Map.of("app", "other")))).isNotDone();
        assertThat(pod(new Place("shop", Map.of("app", "third")))).isDone();
    }

    @Test
    void aPausedSetHoldsNobody() {
        latest.put(index());
        holdBack.admitted(set("", "u1", "web", s -> s.putObject("injectionStrategy").put("paused", true)), Optional.empty());

        assertThat(pod(WEB)).isDone();
    }

    @ParameterizedTest
    @ValueSource(strings = {"a", "b"})
    void theNamespaceCounts(String team) {
        latest.put(index());
        holdBack.admitted(set("", "u1", "web", s -> s.putObject("namespaceSelector").putObject("matchLabels").put("team", team)),
                Optional.empty());

        assertThat(pod(WEB).isDone()).isEqualTo(team.equals("b"));
        assertThat(pod(new Place("unknown-yet", Map.of("app", "web")))).isNotDone();
    }

    @Test
    void aWriteThatChangesNothingHoldsNobody() {
        latest.put(index(set("9", "u1", "web")));
        holdBack.admitted(set("9", "u1", "web"), Optional.of(set("9", "u1", "web")));

        assertThat(pod(WEB)).isDone();
    }

    @Test
    void aDeletedSetHoldsNobody() {
        latest.put(index(set("9", "u1", "web")));
        holdBack.admitted(set("9", "u1", "web", s -> s.put("customVersion", "2")), Optional.of(set("9", "u1", "web")));

        publish(index());

        assertThat(pod(WEB)).isDone();
    }

    @Test
    void aWriteIsForgottenAfterAWhile() {
        latest.put(index());
        holdBack.admitted(set("", "u1", "web"), Optional.empty());

        now += Duration.ofSeconds(6).toNanos();

        assertThat(pod(WEB)).isDone();
    }

    @Test
    void aWriteThatIsNeverStoredDelaysOnly() throws Exception {
        latest.put(index());
        HoldBack impatient = new HoldBack(latest, gate, new WebhookMeters(meters), Duration.ofMillis(40), () -> now);
        impatient.admitted(set("", "u1", "web"), Optional.empty());

        SetIndex judgedBy = impatient.sets(latest.get(), () -> WEB).toCompletableFuture().get(10, TimeUnit.SECONDS);

        assertThat(judgedBy).isSameAs(latest.get());
        assertThat(meters.scrape()).contains("pillion_pods_held_total{result=\"given-up\"} 1.0");
    }

    @Test
    void heldPodsAreNotInWork() throws Exception {
        latest.put(index());
        holdBack.admitted(set("", "u1", "web"), Optional.empty());
        boolean entered = gate.visit().enter();

        CompletableFuture<SetIndex> pod = pod(WEB);
        int whileHeld = gate.inside();
        publish(index(set("7", "u1", "web")));
        pod.get(10, TimeUnit.SECONDS);

        assertThat(entered).isTrue();
        assertThat(whileHeld).isZero();
        assertThat(gate.inside()).isEqualTo(1);
    }
}
