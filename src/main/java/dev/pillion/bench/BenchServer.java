package dev.pillion.bench;

import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.Supplier;

import io.vertx.core.Future;
import io.vertx.core.VerticleBase;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;

import dev.pillion.admission.AdmissionVerticle;
import dev.pillion.admission.Gate;
import dev.pillion.admission.HoldBack;
import dev.pillion.admission.ServerSettings;
import dev.pillion.admission.ServingCertificate;
import dev.pillion.admission.TlsEngine;
import dev.pillion.admission.WebhookOptions;
import dev.pillion.admission.Webhooks;
import dev.pillion.api.Revision;
import dev.pillion.api.SidecarSet;
import dev.pillion.bus.BusCodec;
import dev.pillion.bus.BusMessage.CertChanged;
import dev.pillion.bus.LatestSets;
import dev.pillion.inject.InjectOptions;
import dev.pillion.inject.Moment;
import dev.pillion.kube.KubeException;
import dev.pillion.kube.LiveReads;
import dev.pillion.match.NamespaceView;
import dev.pillion.match.SetIndex;
import dev.pillion.metrics.Meters;
import dev.pillion.metrics.WebhookMeters;
import dev.pillion.sandbox.FreePorts;
import dev.pillion.validate.ValidateOptions;

/** One HTTPS server on a free port of the loopback, with one instance per core as "run" deploys it. */
final class BenchServer implements AutoCloseable {
    private static final String HOST = "127.0.0.1";
    /** Defaults of settings.md. */
    private static final int BODY_LIMIT = 7 * 1024 * 1024;
    private static final int IN_FLIGHT = 256;
    private static final Duration DEADLINE = Duration.ofSeconds(8);

    private final Vertx vertx;
    private final Meters meters;
    private final int port;

    private BenchServer(Vertx vertx, Meters meters, int port) {
        this.vertx = vertx;
        this.meters = meters;
        this.port = port;
    }

    int port() {
        return port;
    }

    /** The webhooks with these sets. */
    static BenchServer admission(SetIndex index, CertChanged certificate) {
        Meters meters = new Meters();
        WebhookMeters webhookMeters = new WebhookMeters(meters);
        LatestSets latest = new LatestSets();
        latest.put(index);
        Gate gate = new Gate(IN_FLIGHT, BODY_LIMIT);
        Webhooks webhooks = new Webhooks(new WebhookOptions("kruise-system", InjectOptions.PILLION, ValidateOptions.PILLION), new NoReads(),
                () -> Moment.of(Clock.systemUTC().instant(), ThreadLocalRandom.current()), webhookMeters, (_, _) -> {
                }, new HoldBack(latest, gate, webhookMeters, DEADLINE, System::nanoTime));
        int port = FreePorts.next();
        AdmissionVerticle.Options options = new AdmissionVerticle.Options(HOST, port, BODY_LIMIT, DEADLINE, TlsEngine.best());
        ServingCertificate shared = new ServingCertificate(certificate);
        return start(meters, port, () -> new AdmissionVerticle(options, webhooks, gate, webhookMeters, shared, latest));
    }

    /** The same server that answers without looking. */
    static BenchServer echo(CertChanged certificate) {
        int port = FreePorts.next();
        return start(new Meters(), port, () -> new EchoVerticle(ServerSettings.of(HOST, port, TlsEngine.best(), certificate)));
    }

    private static BenchServer start(Meters meters, int port, Supplier<VerticleBase> verticles) {
        Vertx vertx = Vertx.vertx(new VertxOptions().setPreferNativeTransport(true));
        BusCodec.register(vertx.eventBus());
        for (int i = 0; i < Runtime.getRuntime().availableProcessors(); i++) {
            await(vertx.deployVerticle(verticles.get()));
        }
        return new BenchServer(vertx, meters, port);
    }

    private static void await(Future<?> future) {
        future.toCompletionStage().toCompletableFuture().join();
    }

    @Override
    public void close() {
        await(vertx.close());
        meters.close();
    }

    /** There is no API server in this measurement, and nothing asks for one. */
    private static final class NoReads implements LiveReads {
        private static <T> CompletionStage<T> none() {
            return CompletableFuture.failedFuture(new KubeException(0, "Unreachable", false, "a measurement without API server"));
        }

        @Override
        public CompletionStage<Optional<NamespaceView>> namespace(String name) {
            return none();
        }

        @Override
        public CompletionStage<Optional<SidecarSet>> sidecarSet(String name) {
            return none();
        }

        @Override
        public CompletionStage<Optional<Revision>> revision(String name) {
            return none();
        }

        @Override
        public CompletionStage<List<Revision>> revisions(String setName, String customVersion) {
            return none();
        }
    }
}
