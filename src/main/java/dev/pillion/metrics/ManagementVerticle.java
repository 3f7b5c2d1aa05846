package dev.pillion.metrics;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicInteger;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import io.vertx.core.Future;
import io.vertx.core.VerticleBase;
import io.vertx.core.http.HttpServerOptions;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpServerResponse;

import dev.pillion.bus.Addresses;
import dev.pillion.bus.BusMessage.Health;

/** Plain HTTP for the platform: /metrics, /healthz and /readyz. Feeds the health board from the bus. */
public final class ManagementVerticle extends VerticleBase {
    private static final Logger LOG = LoggerFactory.getLogger(ManagementVerticle.class);

    private final String host;
    private final int port;
    private final Meters meters;
    private final HealthBoard board;
    private final AtomicInteger actualPort = new AtomicInteger();

    /** @param port 0 lets the system choose; see {@link #actualPort} */
    public ManagementVerticle(String host, int port, Meters meters, HealthBoard board) {
        this.host = host;
        this.port = port;
        this.meters = meters;
        this.board = board;
    }

    /** The port listened on, once deployed. */
    public int actualPort() {
        return actualPort.get();
    }

    @Override
    public Future<?> start() {
        // Scrapers speak HTTP/1.1; an upgrade to clear-text HTTP/2 left one answer in some hundreds hanging.
        return vertx.createHttpServer(new HttpServerOptions().setHttp2ClearTextEnabled(false)).requestHandler(this::answer)
                .listen(port, host).map(server -> {
                    actualPort.set(server.actualPort());
                    LOG.atInfo().addKeyValue("port", server.actualPort()).log("Management endpoint is up");
                    return vertx.eventBus().<Health>localConsumer(Addresses.HEALTH, m -> board.accept(m.body()));
                });
    }

    private void answer(HttpServerRequest request) {
        HttpServerResponse response = request.response();
        switch (Objects.requireNonNullElse(request.path(), "")) {
            case "/metrics" -> metrics(response);
            case "/healthz" -> probe(response, board.notLive());
            case "/readyz" -> probe(response, board.notReady());
            default -> response.setStatusCode(404).end("not found; there are /metrics, /healthz and /readyz\n");
        }
    }

    private void metrics(HttpServerResponse response) {
        response.putHeader("content-type", "text/plain; version=0.0.4; charset=utf-8").end(meters.scrape());
    }

    private void probe(HttpServerResponse response, List<String> problems) {
        List<String> lines = new ArrayList<>(problems.isEmpty() ? List.of("ok") : problems);
        board.complaints().stream().filter(c -> !problems.contains(c)).forEach(c -> lines.add("note: " + c));
        response.setStatusCode(problems.isEmpty() ? 200 : 503).putHeader("content-type", "text/plain; charset=utf-8")
                .end(String.join("\n", lines) + "\n");
    }
}
