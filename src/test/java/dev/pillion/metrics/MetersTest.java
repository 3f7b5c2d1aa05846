package dev.pillion.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class MetersTest {
    private final AtomicLong clock = new AtomicLong(1_000);
    private final Meters meters = new Meters();

    @AfterEach
    void close() {
        meters.close();
    }

    @Test
    void queueMetersHaveTheirKnownNames() {
        QueueMeters queue = new QueueMeters(meters, clock::get);
        queue.now(new QueueMeters.State(3, 2, 7, 1, 0, 0));
        queue.taken(1, Duration.ofMillis(20));
        queue.taken(2, Duration.ofMillis(20));
        clock.addAndGet(Duration.ofSeconds(4).toNanos());
        queue.done(1);

        assertThat(meters.scrape()).contains("workqueue_adds_total{name=\"sidecarset-controller\"} 7.0",
                "workqueue_retries_total{name=\"sidecarset-controller\"} 1.0", "workqueue_depth{name=\"sidecarset-controller\"} 3.0",
                "workqueue_unfinished_work_seconds{name=\"sidecarset-controller\"} 4.0",
                "workqueue_longest_running_processor_seconds{name=\"sidecarset-controller\"} 4.0",
                "workqueue_queue_duration_seconds_bucket{name=\"sidecarset-controller\",le=\"0.01\"} 0",
                "workqueue_queue_duration_seconds_bucket{name=\"sidecarset-controller\",le=\"0.1\"} 2",
                "workqueue_work_duration_seconds_count{name=\"sidecarset-controller\"} 1", "pillion_queue_held_keys 2.0");
    }

    @Test
    void reconcileMetersHaveTheirKnownNames() {
        ReconcileMeters reconcile = new ReconcileMeters(meters, 4);
        reconcile.started();
        reconcile.started();
        reconcile.ended(ReconcileMeters.Result.ERROR, Duration.ofMillis(30));
        reconcile.write("upgrade", "conflict");

        assertThat(meters.scrape()).contains(
                "controller_runtime_reconcile_total{controller=\"sidecarset-controller\",result=\"error\"} 1.0",
                "controller_runtime_reconcile_total{controller=\"sidecarset-controller\",result=\"success\"} 0.0",
                "controller_runtime_reconcile_errors_total{controller=\"sidecarset-controller\"} 1.0",
                "controller_runtime_reconcile_time_seconds_bucket{controller=\"sidecarset-controller\",le=\"0.05\"} 1",
                "controller_runtime_active_workers{controller=\"sidecarset-controller\"} 1.0",
                "controller_runtime_max_concurrent_reconciles{controller=\"sidecarset-controller\"} 4.0",
                "pillion_reconcile_writes_total{result=\"conflict\",what=\"upgrade\"} 1.0");
    }

    @Test
    void webhookMetersHaveTheirKnownNames() {
        WebhookMeters webhooks = new WebhookMeters(meters);
        WebhookMeters.Request first = webhooks.start("/mutate-pod");
        webhooks.start("/mutate-pod");
        first.answered(200);
        webhooks.injection("skipped", "no-match");

        assertThat(meters.scrape()).contains("controller_runtime_webhook_requests_total{code=\"200\",webhook=\"/mutate-pod\"} 1.0",
                "controller_runtime_webhook_requests_in_flight{webhook=\"/mutate-pod\"} 1.0",
                "controller_runtime_webhook_latency_seconds_count{webhook=\"/mutate-pod\"} 1",
                "controller_runtime_webhook_latency_seconds_bucket{webhook=\"/mutate-pod\",le=\"10.0\"} 1",
                "pillion_injections_total{reason=\"no-match\",result=\"skipped\"} 1.0");
    }

    @Test
    void aSilentWatchIsSeen() {
        WatchMeters watches = new WatchMeters(meters, clock::get);
        watches.alive("pods");
        clock.addAndGet(Duration.ofSeconds(90).toNanos());

        assertThat(meters.scrape()).contains("pillion_watch_silence_seconds{kind=\"pods\"} 90.0");
        watches.alive("pods");
        assertThat(meters.scrape()).contains("pillion_watch_silence_seconds{kind=\"pods\"} 0.0");
    }
}
