package dev.pillion.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import io.vertx.core.Vertx;

import dev.pillion.bus.Addresses;
import dev.pillion.bus.BusCodec;
import dev.pillion.bus.BusMessage.Health;

class ManagementVerticleTest {
    private final AtomicLong clock = new AtomicLong();
    private final Vertx vertx = Vertx.vertx();
    private final Meters meters = new Meters();
    private final HealthBoard board = new HealthBoard(Set.of("watch", "admission"), Map.of("queue", Duration.ofSeconds(30)), clock::get);
    private final ManagementVerticle verticle = new ManagementVerticle("127.0.0.1", 0, meters, board);

    @BeforeEach
    void deploy() throws Exception {
        BusCodec.register(vertx.eventBus());
        vertx.deployVerticle(verticle).await(20, TimeUnit.SECONDS);
    }

    @AfterEach
    void close() throws Exception {
        vertx.close().await(20, TimeUnit.SECONDS);
        meters.close();
    }

    @Test
    void isReadyWhenAllNamedPartsSaidSo() throws Exception {
        assertThat(get("/readyz").statusCode()).isEqualTo(503);
        assertThat(get("/readyz").body()).contains("admission: not started", "watch: not started");

        vertx.eventBus().publish(Addresses.HEALTH, new Health("watch", true, ""));
        vertx.eventBus().publish(Addresses.HEALTH, new Health("admission", true, ""));
        vertx.eventBus().publish(Addresses.HEALTH, new Health("extra", false, "one worker is stuck"));

        assertThat(until("/readyz", "ok\nnote: extra: one worker is stuck\n").statusCode()).isEqualTo(200);
    }

    @Test
    void aPartThatTurnsBadMakesItUnreadyButNotDead() throws Exception {
        board.accept(new Health("watch", true, ""));
        board.accept(new Health("admission", false, "certificate expired"));

        assertThat(get("/readyz").body()).isEqualTo("admission: certificate expired\n");
        assertThat(get("/healthz").statusCode()).isEqualTo(200);
    }

    @Test
    void aLoopThatStopsBeatingIsDead() throws Exception {
        clock.set(Duration.ofSeconds(100).toNanos());
        assertThat(get("/healthz").statusCode()).as("not started yet").isEqualTo(200);
        board.accept(new Health("queue", false, "unhappy, but alive"));
        assertThat(get("/healthz").statusCode()).isEqualTo(200);

        clock.addAndGet(Duration.ofSeconds(31).toNanos());

        assertThat(get("/healthz").statusCode()).isEqualTo(503);
        assertThat(get("/healthz").body()).startsWith("queue: no sign of life for 30 s");
    }

    @Test
    void servesMetricsAndNothingElse() throws Exception {
        assertThat(get("/metrics").body()).contains("jvm_memory_used_bytes");
        assertThat(get("/").statusCode()).isEqualTo(404);
    }

    private HttpResponse<String> get(String path) throws Exception {
        try (HttpClient client = HttpClient.newHttpClient()) {
            return client.send(HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + verticle.actualPort() + path)).build(),
                    HttpResponse.BodyHandlers.ofString());
        }
    }

    /** Publishing on the bus is asynchronous: asks again until the wanted body is there, at most as often as a slow machine needs. */
    private HttpResponse<String> until(String path, String body) throws Exception {
        HttpResponse<String> response = get(path);
        for (int i = 0; i < 500 && !response.body().equals(body); i++) {
            response = get(path);
        }
        assertThat(response.body()).isEqualTo(body);
        return response;
    }
}
