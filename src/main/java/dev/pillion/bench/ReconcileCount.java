package dev.pillion.bench;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.concurrent.locks.LockSupport;

/** Follows how many sets a controller has looked at, by its own metrics. */
final class ReconcileCount {
    private static final Duration PAUSE = Duration.ofMillis(100);
    private static final Duration PATIENCE = Duration.ofMinutes(3);
    private static final String METRIC = "controller_runtime_reconcile_total{";

    private final URI metrics;
    private final int wanted;
    private volatile long done;
    private volatile long first;
    private volatile long last;

    private ReconcileCount(int port, int wanted) {
        this.metrics = URI.create("http://127.0.0.1:" + port + "/metrics");
        this.wanted = wanted;
    }

    /** Begins to look at the metrics on this port of the loopback, be they there yet or not; ends when the wanted number is reached. */
    static ReconcileCount follow(int port, int wanted) {
        ReconcileCount count = new ReconcileCount(port, wanted);
        Thread.ofPlatform().daemon().name("reconcile-count").start(count::run);
        return count;
    }

    private void run() {
        try (HttpClient client = HttpClient.newHttpClient()) {
            HttpRequest request = HttpRequest.newBuilder(metrics).timeout(Duration.ofSeconds(5)).build();
            long end = System.nanoTime() + PATIENCE.toNanos() * 2;
            while (done < wanted && System.nanoTime() < end) {
                look(client, request);
                LockSupport.parkNanos(PAUSE.toNanos());
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void look(HttpClient client, HttpRequest request) throws InterruptedException {
        try {
            String text = client.send(request, HttpResponse.BodyHandlers.ofString()).body();
            long now = System.nanoTime();
            long sum = (long) text.lines().filter(line -> line.startsWith(METRIC))
                    .mapToDouble(line -> Double.parseDouble(line.substring(line.lastIndexOf(' ') + 1))).sum();
            if (sum > 0 && first == 0) {
                first = now;
            }
            last = now;
            done = sum;
        } catch (IOException _) {
            // Not up yet.
            return;
        }
    }

    void await() {
        Waiting.whileItMoves("all sets have been looked at", PATIENCE, wanted, () -> (int) done);
    }

    /** System.nanoTime of the first look that saw one. */
    long first() {
        return first;
    }

    /** System.nanoTime of the look that saw all. */
    long last() {
        return last;
    }
}
