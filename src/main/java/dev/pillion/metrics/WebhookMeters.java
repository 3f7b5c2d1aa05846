package dev.pillion.metrics;

import java.time.Duration;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.atomic.AtomicInteger;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Timer;

/**
 * Webhook requests by path: controller-runtime's latency, count by code and number in flight; and what became of injections by
 * reason. Safe for all threads.
 */
public final class WebhookMeters {
    private static final double[] LATENCY = {.001, .0025, .005, .01, .025, .05, .1, .25, .5, 1, 2.5, 5, 10};

    private final Meters meters;
    private final ConcurrentMap<String, Webhook> webhooks = new ConcurrentHashMap<>();
    /** Asking the registry for a counter costs more than counting. */
    private final ConcurrentMap<Outcome, Counter> injections = new ConcurrentHashMap<>();

    private record Outcome(String result, String reason) {
    }

    public WebhookMeters(Meters meters) {
        this.meters = meters;
    }

    /** One request from here until {@link Request#answered}. webhook is the path of a route, never text from outside. */
    public Request start(String webhook) {
        Webhook w = webhooks.computeIfAbsent(webhook, Webhook::new);
        w.inFlight.incrementAndGet();
        return new Request(w, Timer.start(meters.registry()));
    }

    /** Counts an injection's outcome; both are stable words (result such as patched, skipped, refused). */
    public void injection(String result, String reason) {
        injections.computeIfAbsent(new Outcome(result, reason),
                o -> meters.counter("pillion_injections", "Pod admissions by outcome and reason", "result", o.result(), "reason",
                        o.reason()))
                .increment();
    }

    /** Counts a Pod that waited for a set just written; result: caught-up, or given-up when the write did not appear. */
    public void held(String result) {
        meters.counter("pillion_pods_held", "Pods held back until a set just written was known", "result", result).increment();
    }

    /** A request in flight. */
    public static final class Request {
        private final Webhook webhook;
        private final Timer.Sample sample;

        private Request(Webhook webhook, Timer.Sample sample) {
            this.webhook = webhook;
            this.sample = sample;
        }

        /** Ends the request, exactly once. code: the HTTP status sent, or the code of a denied review. Returns the time taken. */
        public Duration answered(int code) {
            webhook.inFlight.decrementAndGet();
            webhook.count(code);
            return Duration.ofNanos(sample.stop(webhook.latency));
        }
    }

    private final class Webhook {
        private final String path;
        private final Timer latency;
        private final AtomicInteger inFlight = new AtomicInteger();
        private final ConcurrentMap<Integer, Counter> byCode = new ConcurrentHashMap<>();

        private Webhook(String path) {
            this.path = path;
            this.latency = meters.timer("controller_runtime_webhook_latency", "Time to answer an admission request",
                    Meters.seconds(LATENCY), "webhook", path);
            meters.gauge("controller_runtime_webhook_requests_in_flight", "Admission requests being served", inFlight::get, "webhook",
                    path);
        }

        private void count(int code) {
            byCode.computeIfAbsent(code, c -> meters.counter("controller_runtime_webhook_requests", "Admission requests by code", "webhook",
                    path, "code", Integer.toString(c))).increment();
        }
    }
}
