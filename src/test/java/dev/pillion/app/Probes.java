package dev.pillion.app;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;

/** Asks the probes of a replica as a kubelet does, but ten times a second, and writes down what they say. */
final class Probes implements AutoCloseable {
    private static final Duration PAUSE = Duration.ofMillis(100);

    private final HttpClient http = HttpClient.newHttpClient();
    private final URI live;
    private final URI ready;
    private final AtomicInteger asked = new AtomicInteger();
    private final List<String> notLive = new CopyOnWriteArrayList<>();
    private final List<Said> changes = new CopyOnWriteArrayList<>();
    private final Thread thread;
    private volatile boolean ended;

    /** Readiness from a moment (System.nanoTime) on. */
    record Said(long at, boolean ready, String text) {
    }

    Probes(Replica replica) {
        live = replica.endpoint("/healthz");
        ready = replica.endpoint("/readyz");
        thread = Thread.ofVirtual().start(this::run);
    }

    private void run() {
        while (!ended) {
            try {
                HttpResponse<String> health = ask(live);
                if (health.statusCode() != 200) {
                    notLive.add(health.statusCode() + " " + health.body());
                }
                HttpResponse<String> readiness = ask(ready);
                Said said = new Said(System.nanoTime(), readiness.statusCode() == 200, readiness.body());
                if (changes.isEmpty() || changes.getLast().ready != said.ready) {
                    changes.add(said);
                }
                asked.incrementAndGet();
            } catch (IOException e) {
                notLive.add(e.toString());
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                return;
            }
            LockSupport.parkNanos(PAUSE.toNanos());
        }
    }

    private HttpResponse<String> ask(URI probe) throws IOException, InterruptedException {
        return http.send(HttpRequest.newBuilder(probe).timeout(Duration.ofSeconds(5)).build(), HttpResponse.BodyHandlers.ofString());
    }

    /** Each change of the readiness so far, beginning with the first answer. */
    List<Said> readiness() {
        return List.copyOf(changes);
    }

    boolean isReady() {
        return !changes.isEmpty() && changes.getLast().ready;
    }

    /** It was live all the time. It was ready in the beginning and is in the end, and unready meanwhile for a reason with these words. */
    void assertUnreadyFor(String reason) {
        assertLive();
        assertThat(List.of(changes.getFirst(), changes.getLast())).allMatch(Said::ready);
        assertThat(changes.stream().filter(s -> !s.ready)).isNotEmpty().allMatch(s -> s.text.contains(reason));
    }

    void assertLiveAndReady() {
        assertLive();
        assertThat(changes).allMatch(Said::ready);
    }

    private void assertLive() {
        assertThat(notLive).as("/healthz").isEmpty();
        assertThat(asked).hasPositiveValue();
    }

    @Override
    public void close() {
        ended = true;
        try {
            thread.join();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        http.close();
    }
}
