package dev.pillion.startup;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.time.InstantSource;
import java.util.EnumSet;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Predicate;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import io.vertx.core.DeploymentOptions;
import io.vertx.core.Future;
import io.vertx.core.ThreadingModel;
import io.vertx.core.Vertx;

import dev.pillion.api.PodKey;
import dev.pillion.api.PodView;
import dev.pillion.it.Eventually;
import dev.pillion.kube.ChangeSource;
import dev.pillion.kube.Changes;
import dev.pillion.metrics.Meters;
import dev.pillion.metrics.StartupMeters;
import dev.pillion.queue.RateLimiter;

/** The queue of Pods that start: nothing lost, nothing held up, nothing done by an instance that may not. */
final class StartupVerticleTest {
    private final FaultyCluster cluster = new FaultyCluster();
    private final AtomicBoolean leads = new AtomicBoolean(true);
    private final Meters meters = new Meters();
    private final Vertx vertx = Vertx.vertx();
    private final AtomicReference<@Nullable Changes> told = new AtomicReference<>();
    private String id = "";

    @AfterEach
    void close() {
        await(vertx.close());
        meters.close();
    }

    private static <T> T await(Future<T> future) {
        try {
            return future.toCompletionStage().toCompletableFuture().get(20, TimeUnit.SECONDS);
        } catch (Exception e) {
            throw new AssertionError(e);
        }
    }

    private void start(int parallel, Predicate<PodKey> mayWrite) {
        StartupOptions options = new StartupOptions(EnumSet.allOf(Feature.class), parallel,
                new RateLimiter.Limits(Duration.ofMillis(2), Duration.ofMillis(20), 1000, 1000), Duration.ofMillis(50),
                Duration.ofMillis(50), Duration.ofMillis(50), Duration.ofMinutes(5));
        StartupVerticle verticle = new StartupVerticle(cluster.ports(), options, mayWrite, new StartupMeters(meters), System::nanoTime,
                InstantSource.system());
        id = await(vertx.deployVerticle(verticle, new DeploymentOptions().setThreadingModel(ThreadingModel.EVENT_LOOP)));
        verticle.tap(new ChangeSource() {
            @Override
            public void start(Changes changes) {
                told.set(changes);
            }

            @Override
            public void refresh(long since) {
                throw new AssertionError("nobody asks for it");
            }

            @Override
            public void stop() {
                told.set(null);
            }
        }).start(new BrokenListener());
    }

    private void see(PodView pod) {
        tell(Optional.empty(), Optional.of(pod));
    }

    /** What the other listener throws must reach whoever called, and nobody else. */
    private void tell(Optional<PodView> old, Optional<PodView> now) {
        Changes changes = Objects.requireNonNull(told.get());
        assertThatThrownBy(() -> changes.pod(old, now)).hasMessage("broken");
    }

    private PodView gated(String name) {
        return cluster.put("{'metadata':{'name':'%s','uid':'%s'},'spec':{'readinessGates':[{'conditionType':'KruisePodReady'}]}}"
                .formatted(name, name));
    }

    private boolean isOpen(String name) {
        return cluster.pod(new PodKey("n", name)).toString().contains("\"status\":\"True\"");
    }

    @Test
    void aFailingPodIsTriedUntilItSucceedsAndHoldsUpNoOther() {
        AtomicInteger tries = new AtomicInteger();
        AtomicBoolean broken = new AtomicBoolean(true);
        cluster.before = line -> {
            if (line.equals("status bad") && broken.get()) {
                tries.incrementAndGet();
                throw FaultyCluster.unavailable();
            }
        };
        start(1, _ -> leads.get());
        see(gated("bad"));
        see(gated("good"));

        Eventually.until("the other is served, and the failing one tried again", () -> isOpen("good") && tries.get() > 10);
        assertThat(isOpen("bad")).isFalse();
        broken.set(false);
        Eventually.until("the failing one is served at last", () -> isOpen("bad"));
        assertThat(meters.scrape()).contains("pillion_startup_errors_total{reason=\"unavailable\"} " + tries.get() + ".0");
        Eventually.until("nothing is left", () -> meters.scrape().contains("pillion_startup_pods 0.0")
                && meters.scrape().contains("pillion_startup_held_pods 0.0"));
    }

    /** Not only exceptions: a class that cannot be loaded, a stack that overflows. */
    @Test
    void evenAFaultOfOursLosesNoPod() {
        AtomicInteger tries = new AtomicInteger();
        cluster.before = line -> {
            if (line.startsWith("status") && tries.incrementAndGet() < 4) {
                throw new NoClassDefFoundError("of ours");
            }
        };
        start(4, _ -> leads.get());
        see(gated("a"));
        Eventually.until("it is served", () -> isOpen("a"));
        assertThat(meters.scrape()).contains("pillion_startup_errors_total{reason=\"fault\"} 3.0");
    }

    @Test
    void aDeletedPodEndsItsEntry() {
        cluster.before = line -> {
            if (line.startsWith("status")) {
                throw FaultyCluster.unavailable();
            }
        };
        start(4, _ -> leads.get());
        PodView pod = gated("a");
        see(pod);
        Eventually.until("it fails", () -> !cluster.log.isEmpty());
        cluster.remove(pod.key());
        cluster.forget(pod.key());
        tell(Optional.of(pod), Optional.empty());
        Eventually.until("nothing is left", () -> meters.scrape().contains("pillion_startup_pods 0.0")
                && meters.scrape().contains("pillion_startup_held_pods 0.0"));
    }

    @Test
    void aFollowerKeepsInMindWhatItMayDoLater() {
        leads.set(false);
        start(4, _ -> leads.get());
        see(gated("a"));
        see(gated("b"));
        Eventually.until("it knows them", () -> meters.scrape().contains("pillion_startup_pods 2.0"));
        assertThat(cluster.log).isEmpty();

        leads.set(true);
        Eventually.until("both are served", () -> isOpen("a") && isOpen("b"));
    }

    @Test
    void worksOnABoundedNumberAtATimeAndStopsWhenTheyAreDone() {
        Semaphore gate = new Semaphore(0);
        AtomicInteger inWork = new AtomicInteger();
        AtomicInteger most = new AtomicInteger();
        start(3, _ -> {
            // Asked on the event loop first, and then by each Pod in work before its write.
            if (Thread.currentThread().isVirtual()) {
                most.accumulateAndGet(inWork.incrementAndGet(), Math::max);
                gate.acquireUninterruptibly();
                inWork.decrementAndGet();
            }
            return true;
        });
        for (String name : List.of("a", "b", "c", "d", "e")) {
            see(gated(name));
        }
        Eventually.until("three are in work", () -> inWork.get() == 3);

        Future<Void> stopped = vertx.undeploy(id);
        Eventually.until("the rest is dropped", () -> meters.scrape().contains("pillion_startup_queue_depth 0.0"));
        assertThat(stopped.isComplete()).isFalse();
        gate.release(100);
        await(stopped);
        assertThat(most).hasValue(3);
        assertThat(cluster.lines("status")).hasSize(3);
    }
}
