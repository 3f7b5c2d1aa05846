package dev.pillion.admission;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.ByteArrayInputStream;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.security.SecureRandom;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;

import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.TrustManager;
import javax.net.ssl.X509TrustManager;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.slf4j.LoggerFactory;

import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpClient;
import io.vertx.core.http.HttpClientOptions;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpVersion;
import io.vertx.core.http.RequestOptions;
import io.vertx.core.net.PemTrustOptions;

import dev.pillion.bus.Addresses;
import dev.pillion.bus.BusCodec;
import dev.pillion.bus.BusMessage.CertChanged;
import dev.pillion.bus.LatestSets;
import dev.pillion.certs.CertMaker;
import dev.pillion.certs.Credentials;
import dev.pillion.match.SetIndex;
import dev.pillion.metrics.Meters;
import dev.pillion.metrics.WebhookMeters;
import dev.pillion.sandbox.FreePorts;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;

/** New certificates on all listeners of the port while clients go on (FR-68). */
@Timeout(120)
final class CertSwapTest {
    private static final String HOST = "127.0.0.1";
    private static final int INSTANCES = 3;
    private static final int SWAPS = 10;
    /** Connections are handed to the instances in turn. */
    private static final int LOOKS = 2 * INSTANCES;
    private static final byte[] REVIEW = ReviewTexts
            .bytes(ReviewTexts.pod("CREATE", "{\"kind\":\"Pod\",\"metadata\":{\"name\":\"p\"},\"spec\":{}}"));

    private final Vertx vertx = Vertx.vertx();
    private final Meters meters = new Meters();
    private final CertMaker maker = new CertMaker(new SecureRandom(), List.of(HOST));
    private final List<Credentials> all = Stream.generate(() -> maker.fresh(Instant.now())).limit(SWAPS + 1).toList();
    private final ListAppender<ILoggingEvent> log = new ListAppender<>();
    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
    private int port;

    @BeforeEach
    void listenToTheLog() {
        BusCodec.register(vertx.eventBus());
        log.start();
        logger().addAppender(log);
    }

    @AfterEach
    void stop() throws Exception {
        await(vertx.close());
        meters.close();
        threads.close();
        logger().detachAppender(log);
    }

    private static Logger logger() {
        return (Logger) LoggerFactory.getLogger("dev.pillion.admission");
    }

    private void deploy(TlsEngine engine) throws Exception {
        assumeTrue(engine == TlsEngine.JDK || TlsEngine.best() == TlsEngine.OPENSSL, "this platform has no OpenSSL");
        port = FreePorts.next();
        Webhooks webhooks = new Webhooks(Map.of(Webhooks.PODS, (_, _) -> CompletableFuture.completedStage(Answer.allow())));
        AdmissionVerticle.Options options = new AdmissionVerticle.Options(HOST, port, 100_000, Duration.ofSeconds(8), engine);
        ServingCertificate first = new ServingCertificate(changed(all.getFirst()));
        LatestSets latest = new LatestSets();
        latest.put(SetIndex.EMPTY);
        WebhookMeters webhookMeters = new WebhookMeters(meters);
        for (int i = 0; i < INSTANCES; i++) {
            await(vertx.deployVerticle(new AdmissionVerticle(options, webhooks, new Gate(100, 100_000), webhookMeters, first, latest)));
        }
    }

    @ParameterizedTest
    @EnumSource
    void tenSwapsUnderLoadFailNoRequest(TlsEngine engine) throws Exception {
        deploy(engine);
        AtomicBoolean over = new AtomicBoolean();
        AtomicInteger answered = new AtomicInteger();
        Queue<String> failures = new ConcurrentLinkedQueue<>();
        List<CompletableFuture<Void>> users = new ArrayList<>();
        for (HttpVersion version : List.of(HttpVersion.HTTP_1_1, HttpVersion.HTTP_2)) {
            // One keeps its connections, the other opens a new one for each request.
            users.add(CompletableFuture.runAsync(() -> use(version, Connections.KEPT, over, answered, failures), threads));
            users.add(CompletableFuture.runAsync(() -> use(version, Connections.NEW, over, answered, failures), threads));
        }

        for (Credentials next : all.subList(1, all.size())) {
            int before = answered.get();
            vertx.eventBus().publish(Addresses.CERTS, changed(next));
            awaitOnEveryInstance(next);
            while (answered.get() < before + 20 && failures.isEmpty()) {
                Thread.onSpinWait();
            }
        }
        over.set(true);
        for (CompletableFuture<Void> user : users) {
            user.get(20, TimeUnit.SECONDS);
        }

        assertThat(failures).isEmpty();
        assertThat(log.list).noneMatch(e -> e.getLevel().isGreaterOrEqual(Level.WARN));
    }

    @Test
    void theLastOfManyAtOnceStays() throws Exception {
        deploy(TlsEngine.best());

        all.forEach(c -> vertx.eventBus().publish(Addresses.CERTS, changed(c)));

        awaitOnEveryInstance(all.getLast());
        assertThat(log.list).noneMatch(e -> e.getLevel().isGreaterOrEqual(Level.WARN));
    }

    @Test
    void aBrokenPairIsRefusedAndTheNextGoodOneTaken() throws Exception {
        deploy(TlsEngine.best());
        String certificate = all.get(1).serving().certificatePem();
        String key = all.get(1).serving().keyPem();

        for (CertChanged broken : List.of(new CertChanged("no PEM", "no key"), new CertChanged(certificate, "no key"),
                new CertChanged(certificate.substring(0, certificate.length() / 2), key),
                new CertChanged(certificate, all.get(2).serving().keyPem()))) {
            log.list.clear();
            vertx.eventBus().publish(Addresses.CERTS, broken);
            awaitRefusal();
            assertThat(shown()).containsOnly(serial(all.getFirst()));
        }
        vertx.eventBus().publish(Addresses.CERTS, changed(all.get(1)));

        awaitOnEveryInstance(all.get(1));
    }

    private enum Connections {
        KEPT, NEW
    }

    private void use(HttpVersion version, Connections connections, AtomicBoolean over, AtomicInteger answered, Queue<String> failures) {
        HttpClient client = client(version);
        while (!over.get()) {
            try {
                if (connections == Connections.NEW) {
                    await(client.close());
                    client = client(version);
                }
                RequestOptions head = new RequestOptions().setMethod(HttpMethod.POST).setURI(Webhooks.PODS).putHeader("content-type",
                        "application/json");
                HttpClient used = client;
                int status = await(ClientLoop.run(vertx, () -> used.request(head).compose(r -> r.send(Buffer.buffer(REVIEW)))
                        .compose(r -> r.body().map(_ -> r.statusCode()))));
                if (status != 200) {
                    failures.add("HTTP " + status);
                }
                answered.incrementAndGet();
            } catch (Exception e) {
                failures.add(e.toString());
            }
        }
        client.close();
    }

    private void awaitRefusal() {
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(20);
        while (System.nanoTime() < end && List.copyOf(log.list).stream().noneMatch(e -> e.getMessage().contains("refused"))) {
            Thread.onSpinWait();
        }
    }

    private void awaitOnEveryInstance(Credentials wanted) throws Exception {
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(20);
        List<BigInteger> seen = shown();
        BigInteger serial = serial(wanted);
        while (System.nanoTime() < end && !seen.stream().allMatch(serial::equals)) {
            seen = shown();
        }
        assertThat(seen).containsOnly(serial);
    }

    /** Serial numbers that so many new connections are shown. */
    private List<BigInteger> shown() throws Exception {
        SSLContext trusting = SSLContext.getInstance("TLS");
        trusting.init(null, new TrustManager[]{new TrustsAll()}, null);
        List<BigInteger> serials = new ArrayList<>();
        for (int i = 0; i < LOOKS; i++) {
            try (SSLSocket socket = (SSLSocket) trusting.getSocketFactory().createSocket(HOST, port)) {
                serials.add(((X509Certificate) socket.getSession().getPeerCertificates()[0]).getSerialNumber());
            }
        }
        return serials;
    }

    private static BigInteger serial(Credentials credentials) throws CertificateException {
        return ((X509Certificate) CertificateFactory.getInstance("X.509")
                .generateCertificate(new ByteArrayInputStream(credentials.serving().certificatePem().getBytes(StandardCharsets.US_ASCII))))
                .getSerialNumber();
    }

    /** Looks only. */
    private static final class TrustsAll implements X509TrustManager {
        @Override
        public void checkClientTrusted(X509Certificate[] chain, String type) {
        }

        @Override
        public void checkServerTrusted(X509Certificate[] chain, String type) {
        }

        @Override
        public X509Certificate[] getAcceptedIssuers() {
            return new X509Certificate[0];
        }
    }

    private static CertChanged changed(Credentials credentials) {
        return new CertChanged(credentials.serving().certificatePem(), credentials.serving().keyPem());
    }

    private HttpClient client(HttpVersion version) {
        PemTrustOptions trust = new PemTrustOptions();
        all.forEach(c -> trust.addCertValue(Buffer.buffer(c.authority().certificatePem())));
        return vertx.createHttpClient(new HttpClientOptions().setSsl(true).setUseAlpn(true).setProtocolVersion(version).setDefaultHost(HOST)
                .setDefaultPort(port).setVerifyHost(true).setTrustOptions(trust));
    }

    private static <T> T await(Future<T> future) throws Exception {
        return future.toCompletionStage().toCompletableFuture().get(20, TimeUnit.SECONDS);
    }
}
