package dev.pillion.admission;

import java.time.Duration;
import java.util.Locale;
import java.util.concurrent.TimeUnit;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.VerticleBase;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerRequest;

import dev.pillion.bus.Addresses;
import dev.pillion.bus.BusMessage.CertChanged;
import dev.pillion.bus.BusMessage.SetsChanged;
import dev.pillion.bus.LatestSets;
import dev.pillion.metrics.WebhookMeters;

/** The HTTPS server of the webhooks; one instance per core, all on one port. Moves bytes; {@link Webhooks} decides. */
public final class AdmissionVerticle extends VerticleBase {
    private static final Logger LOG = LoggerFactory.getLogger(AdmissionVerticle.class);
    private static final Duration DRAIN = Duration.ofSeconds(10);
    private static final String JSON = "application/json";
    private static final int MOST_DIGITS = 18;

    /** Where to listen, and the limits of settings.md. */
    public record Options(String host, int port, int bodyBytes, Duration deadline, TlsEngine engine) {
    }

    private final Options options;
    private final Webhooks webhooks;
    private final Gate gate;
    private final WebhookMeters meters;
    private final ServingCertificate certificate;
    private final LatestSets latest;
    private final Departure departure = new Departure();
    private @Nullable HttpServer server;

    /** Shares everything with the other instances; new certificates, and that there is a new index, come over the bus. */
    public AdmissionVerticle(Options options, Webhooks webhooks, Gate gate, WebhookMeters meters, ServingCertificate certificate,
            LatestSets latest) {
        this.options = options;
        this.webhooks = webhooks;
        this.gate = gate;
        this.meters = meters;
        this.certificate = certificate;
        this.latest = latest;
    }

    @Override
    public Future<?> start() {
        HttpServer created = vertx.createHttpServer(
                ServerSettings.of(options.host(), options.port(), options.engine(), certificate.first()));
        Deadlines deadlines = new Deadlines(options.deadline(), System::nanoTime,
                (time, task) -> vertx.setTimer(millis(time), _ -> task.run()));
        Context loop = context;
        Exchange.Shared shared = new Exchange.Shared(webhooks, latest::known, gate, meters, options.bodyBytes(), deadlines,
                task -> loop.runOnContext(_ -> task.run()));
        created.requestHandler(request -> route(departure.seen(request), shared));
        created.connectionHandler(departure::opened);
        // Bad TLS, bad HTTP and resets are the clients' affair.
        created.exceptionHandler(e -> LOG.atDebug().addKeyValue("reason", e.getMessage()).log("Connection failed"));
        server = created;
        return usable(certificate.first()).compose(_ -> created.listen()).onSuccess(_ -> {
            vertx.eventBus().<SetsChanged>localConsumer(Addresses.SETS, _ -> webhooks.published());
            vertx.eventBus().<CertChanged>localConsumer(Addresses.CERTS, m -> certificate.change(m.body(), next -> swap(created, next)));
        });
    }

    @Override
    public Future<?> stop() {
        // Open connections are told to go; what is in work or on its way is answered first.
        HttpServer ending = server;
        return ending == null
                ? Future.succeededFuture()
                : after(departure.begin()).compose(_ -> ending.shutdown(DRAIN.toMillis(), TimeUnit.MILLISECONDS));
    }

    private Future<?> after(Duration time) {
        return time.isZero() ? Future.succeededFuture() : vertx.timer(time.toMillis(), TimeUnit.MILLISECONDS);
    }

    private void route(HttpServerRequest request, Exchange.Shared shared) {
        String path = request.path() == null ? "" : request.path();
        if (path.equals("/healthz")) {
            request.response().putHeader("content-type", "text/plain").end("ok\n");
        } else if (!webhooks.serves(path)) {
            request.response().setStatusCode(404).end();
        } else if (!request.method().equals(HttpMethod.POST)) {
            request.response().setStatusCode(405).putHeader("allow", "POST").end();
        } else if (!isJson(request)) {
            request.response().setStatusCode(415).end();
        } else {
            long length = declaredLength(request);
            if (length > options.bodyBytes()) {
                request.response().setStatusCode(Exchange.TOO_LARGE).end();
            } else {
                new Exchange(request, path, shared).begin(length);
            }
        }
    }

    private static boolean isJson(HttpServerRequest request) {
        String type = request.getHeader(HttpHeaders.CONTENT_TYPE);
        return type != null && (type.equals(JSON) || type.split(";", 2)[0].strip().toLowerCase(Locale.ROOT).equals(JSON));
    }

    private static long declaredLength(HttpServerRequest request) {
        String length = request.getHeader(HttpHeaders.CONTENT_LENGTH);
        return length != null && isNumber(length) ? Long.parseLong(length) : 0;
    }

    /** Not negative, and within 64 bits. */
    private static boolean isNumber(String text) {
        for (int i = 0; i < text.length(); i++) {
            if (text.charAt(i) < '0' || text.charAt(i) > '9') {
                return false;
            }
        }
        return !text.isEmpty() && text.length() <= MOST_DIGITS;
    }

    /** Never too early: a timer of Vert.x has whole milliseconds, at least one. */
    private static long millis(Duration time) {
        return time.plusNanos(999_999).toMillis();
    }

    /** Open connections live on. */
    private Future<?> swap(HttpServer server, CertChanged next) {
        return usable(next).compose(_ -> server.updateSSLOptions(ServerSettings.ssl(next)));
    }

    private Future<?> usable(CertChanged certificate) {
        try {
            KeyPairs.check(ServerSettings.keys(certificate).getKeyManagerFactory(vertx).getKeyManagers());
            return Future.succeededFuture();
        } catch (Exception e) { // what Vert.x declares
            return Future.failedFuture(e);
        }
    }
}
