package dev.pillion.kube;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import io.fabric8.kubernetes.client.ConfigBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;

import dev.pillion.api.PodView;
import dev.pillion.it.Eventually;
import dev.pillion.kube.KubeFixture.Told;

/** What a list and watch does when the server answers badly (stack.md, Pod list and watch; FR-60, FR-70). */
class ListWatchTest {
    private final ScriptedServer server = new ScriptedServer();
    private final KubernetesClient client = new KubernetesClientBuilder()
            .withConfig(new ConfigBuilder().withAutoConfigure(false).withMasterUrl(server.url()).withRequestRetryBackoffLimit(0).build())
            .build();
    private final ScheduledExecutorService guard = Executors.newSingleThreadScheduledExecutor();
    private final Told told = new Told();
    private final List<String> versions = new CopyOnWriteArrayList<>();
    private final PodStore store = new PodStore((old, now) -> {
        told.pod(old, now);
        now.map(PodView::resourceVersion).ifPresent(versions::add);
    });
    private final AtomicLong skipped = new AtomicLong();
    private ListWatch<PodView> watch = watch(ListWatch.AfterSilence.RESUME);

    private long nanos() {
        return System.nanoTime() + skipped.get();
    }

    private ListWatch<PodView> watch(ListWatch.AfterSilence afterSilence) {
        var times = new ListWatch.WatchTimes(Duration.ofSeconds(5), Duration.ofSeconds(60), Duration.ofSeconds(5));
        var shared = new ListWatch.Shared(new RawApi(client, Duration.ofSeconds(5)), times, guard, new SplittableRandom(1),
                this::nanos);
        return new ListWatch<>(new ListWatch.KubeKind("pods", "/api/v1/pods").with(afterSilence), shared,
                new PodViewReader(Interner.NONE), store, new WatchHealth("pods", told, this::nanos));
    }

    @AfterEach
    void stop() throws InterruptedException {
        watch.stop();
        assertThat(watch.awaitEnd(Duration.ofSeconds(5))).as("the thread ends").isTrue();
        guard.shutdownNow();
        client.close();
        server.close();
    }

    private void startsWithOnePodAndWatches() {
        server.answer(200, list("10", "", pod("a", 5)));
        watch.start();
        Eventually.until("it watches", () -> server.queries().size() == 2);
    }

    /** The first watch tells of Pod b and then nothing, for longer than the 65 s after which it is closed. */
    private void listsAndWatchesIntoSilence() {
        server.answer(200, list("10", "", pod("a", 1))).cut(event("ADDED", pod("b", 12)), () -> {
            boolean isSeen = told.podsIn("n").contains("+b");
            if (isSeen) {
                skipped.addAndGet(Duration.ofSeconds(66).toNanos());
            }
            return isSeen;
        });
    }

    /** FR-61: lists are answered, watches are not. */
    @Test
    void whatAdmissionJudgesByIsListedWhenTheWatchDoesNotComeInTime() {
        watch = watch(ListWatch.AfterSilence.LIST);
        listsAndWatchesIntoSilence();
        server.answer(503, "{}").answer(200, list("20", "", pod("b", 12), pod("c", 15))).answer(429, "{}").answer(429, "{}");
        watch.start();

        awaitRequests("list", "10", "list", "list", "20", "20", "20");
        assertThat(told.podsIn("n")).contains("+c", "-a");
    }

    @Test
    void aWatchOfOtherThingsGoesOnWhereItWas() {
        listsAndWatchesIntoSilence();
        server.answer(503, "{}");
        watch.start();

        awaitRequests("list", "10", "12", "12");
    }

    private long lists() {
        return server.queries().stream().filter(q -> parameter(q, "watch").isEmpty()).count();
    }

    @Test
    void aWishForAFreshListEndsTheOpenWatch() throws InterruptedException {
        startsWithOnePodAndWatches();
        server.answer(200, list("20", "", pod("a", 5), pod("b", 15)));
        long since = System.nanoTime();

        watch.wantList(since);
        watch.awaitList(since);

        assertThat(told.podsIn("n")).containsExactly("+a", "~a", "+b");
        assertThat(told.health).doesNotContain("pods failed");
        Eventually.until("it watches from there", () -> parameter(server.queries().getLast(), "resourceVersion").equals(Optional.of("20")));
    }

    @Test
    void aListThatBeganLateEnoughIsNotRepeated() throws InterruptedException {
        long since = System.nanoTime();
        startsWithOnePodAndWatches();

        watch.wantList(since);
        watch.awaitList(since);

        assertThat(lists()).isEqualTo(1);
    }

    @Test
    void aFreshListThatFailsIsTriedAgain() throws InterruptedException {
        startsWithOnePodAndWatches();
        server.answer(500, "{}").answer(200, list("20", "", pod("b", 15)));
        long since = System.nanoTime();

        watch.wantList(since);
        watch.awaitList(since);

        assertThat(told.podsIn("n")).containsExactly("+a", "+b", "-a");
        assertThat(lists()).isEqualTo(3);
    }

    @Test
    void whoWaitsForAListLearnsOfTheEnd() throws Exception {
        startsWithOnePodAndWatches();
        long since = System.nanoTime();
        CompletableFuture<String> waiting = new CompletableFuture<>();
        Thread.ofVirtual().start(() -> {
            try {
                watch.wantList(since);
                watch.awaitList(since);
                waiting.complete("fresh");
            } catch (InterruptedException e) {
                waiting.complete("stopped");
            }
        });
        Eventually.until("a new list is under way", () -> lists() == 2);
        watch.stop();

        assertThat(waiting.get(20, TimeUnit.SECONDS)).isEqualTo("stopped");
    }

    private static String pod(String name, int version) {
        return "{\"metadata\":{\"namespace\":\"n\",\"name\":\"%s\",\"uid\":\"u-%s\",\"resourceVersion\":\"%d\"},\"spec\":{\"containers\":[]}}"
                .formatted(name, name, version);
    }

    private static String list(String version, String next, String... pods) {
        return "{\"kind\":\"PodList\",\"metadata\":{\"resourceVersion\":\"%s\",\"continue\":\"%s\"},\"items\":[%s]}".formatted(version,
                next,
                String.join(",", pods));
    }

    private static String event(String type, String object) {
        return "{\"type\":\"%s\",\"object\":%s}\n".formatted(type, object);
    }

    private static String bookmark(int version) {
        return event("BOOKMARK",
                "{\"metadata\":{\"resourceVersion\":\"%d\",\"creationTimestamp\":null},\"spec\":{\"containers\":null},\"status\":{}}"
                        .formatted(version));
    }

    private static String error(int code) {
        return event("ERROR",
                "{\"kind\":\"Status\",\"status\":\"Failure\",\"message\":\"too old\",\"reason\":\"Expired\",\"code\":%d}".formatted(code));
    }

    private static Optional<String> parameter(String query, String name) {
        for (String part : query.split("&", -1)) {
            if (part.startsWith(name + "=")) {
                return Optional.of(part.substring(name.length() + 1));
            }
        }
        return Optional.empty();
    }

    /** The version asked for by each watch, "list" or "page" for others. */
    private List<String> requests() {
        return server.queries().stream().map(q -> parameter(q, "watch").isPresent()
                ? parameter(q, "resourceVersion").orElse("none")
                : parameter(q, "continue").map(c -> "page " + c).orElse(parameter(q, "limit").orElse("").equals("1") ? "check" : "list"))
                .toList();
    }

    private void awaitRequests(String... wanted) {
        Eventually.passes("the requests are made", () -> assertThat(requests()).containsExactly(wanted));
    }

    @Test
    void listsInPagesAndWatchesFromTheListsVersion() {
        server.answer(200, list("10", "c1", pod("a", 1))).answer(200, list("10", "", pod("b", 2)))
                .answer(200, event("MODIFIED", pod("a", 11)) + bookmark(15));
        watch.start();

        awaitRequests("list", "page c1", "10", "15");
        assertThat(told.podsIn("n")).containsExactly("+a", "+b", "~a");
    }

    @Test
    void anExpiredPageStartsTheListAnew() {
        server.answer(200, list("10", "c1", pod("a", 1)))
                .answer(410, "{\"kind\":\"Status\",\"code\":410,\"reason\":\"Expired\",\"metadata\":{\"continue\":\"inconsistent\"}}")
                .answer(200, list("20", "", pod("b", 2)));
        watch.start();

        awaitRequests("list", "page c1", "list", "20");
        assertThat(told.podsIn("n")).containsExactly("+a", "+b", "-a");
    }

    @Test
    void anExpiredWatchIsToldByAnEventAndListsAnew() {
        server.answer(200, list("10", "", pod("a", 1), pod("b", 2))).answer(200, error(410))
                .answer(200, list("30", "", pod("b", 2), pod("c", 29)));
        watch.start();

        awaitRequests("list", "10", "list", "30");
        assertThat(told.podsIn("n")).containsExactly("+a", "+b", "~b", "+c", "-a");
    }

    @Test
    void refusalsAreMadeKnownAndOutlived() {
        server.answer(500, "{}").answer(429, "{}").answer(403, "no JSON at all").answer(200, list("10", "", pod("a", 1)))
                .answer(503, "{}").answer(200, event("ADDED", pod("b", 12)));
        watch.start();

        awaitRequests("list", "list", "list", "list", "10", "10", "12");
        assertThat(told.podsIn("n")).containsExactly("+a", "+b");
        assertThat(told.health).startsWith("pods failed", "pods failed", "pods failed", "pods ok", "pods failed", "pods ok");
    }

    @Test
    void aStreamThatBreaksIsResumedAfterItsLastWholeEvent() {
        server.answer(200, list("10", "", pod("a", 1)))
                .cut(event("ADDED", pod("b", 12)) + "{\"type\":\"ADDED\",\"object\":{\"metadata\"", () -> told.podsIn("n").contains("+b"))
                .answer(200, event("ADDED", pod("c", 13)));
        watch.start();

        awaitRequests("list", "10", "12", "13");
        assertThat(told.podsIn("n")).containsExactly("+a", "+b", "+c");
    }

    @Test
    void aListThatBreaksRemovesNothing() {
        server.answer(200, list("10", "", pod("a", 1), pod("b", 2))).answer(200, error(410))
                .cut("{\"metadata\":{},\"items\":[" + pod("a", 1), () -> true)
                .answer(200, list("20", "", pod("a", 1), pod("b", 2)));
        watch.start();

        awaitRequests("list", "10", "list", "list", "20");
        assertThat(told.podsIn("n")).doesNotContain("-b");
    }

    @Test
    void oddEventsArePassedOver() {
        server.answer(200, list("10", "", pod("a", 1))).answer(200, "7 [1] \"x\" null {\"type\":\"SURPRISE\",\"object\":{}} {\"object\":"
                + pod("b", 12) + ",\"type\":\"ADDED\"} {\"type\":\"ADDED\",\"object\":null}" + event("ADDED", pod("c", 13)));
        watch.start();

        awaitRequests("list", "10", "13");
        assertThat(told.podsIn("n")).containsExactly("+a", "+b", "+c");
    }

    @Test
    void aServerThatWasSetBackIsListedAnewAndBelieved() {
        server.answer(200, list("1000", "", pod("a", 900), pod("b", 901))).answer(200, "").answer(200, list("50", "", pod("a", 40)))
                .answer(200, list("50", "", pod("a", 40)));
        watch.start();

        awaitRequests("list", "1000", "check", "list", "50");
        assertThat(told.podsIn("n")).containsExactly("+a", "+b", "~a", "-b");
        assertThat(versions).last().isEqualTo("40");
    }

    @Test
    void aQuietWatchOfAHealthyServerGoesOnFromItsVersion() {
        server.answer(200, list("10", "", pod("a", 1))).answer(200, "").answer(200, list("12", "", pod("a", 1)));
        watch.start();

        awaitRequests("list", "10", "check", "10");
        assertThat(told.podsIn("n")).containsExactly("+a");
    }
}
