package dev.pillion.admission;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpClient;
import io.vertx.core.http.HttpClientOptions;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpVersion;
import io.vertx.core.http.PoolOptions;
import io.vertx.core.http.RequestOptions;
import io.vertx.core.net.PemTrustOptions;

import dev.pillion.api.Json;
import dev.pillion.bus.Addresses;
import dev.pillion.bus.BusCodec;
import dev.pillion.bus.BusMessage.CertChanged;
import dev.pillion.bus.LatestSets;
import dev.pillion.certs.CertMaker;
import dev.pillion.certs.Credentials;
import dev.pillion.match.NamespaceView;
import dev.pillion.match.SetIndex;
import dev.pillion.metrics.Meters;
import dev.pillion.metrics.WebhookMeters;
import dev.pillion.sandbox.FreePorts;

/** The server over real TLS: what the HTTP layer refuses, overload, deadline, and the swaps that must not disturb. */
@Timeout(60)
final class AdmissionVerticleTest {
    private static final int BODY_LIMIT = 4096;
    private static final String HOST = "127.0.0.1";
    private static final String POD = "{\"kind\":\"Pod\",\"metadata\":{\"name\":\"p\"},\"spec\":{}}";

    private final Vertx vertx = Vertx.vertx();
    private final Meters meters = new Meters();
    private final CertMaker maker = new CertMaker(new SecureRandom(), List.of(HOST));
    private final Credentials credentials = maker.fresh(Instant.now());
    private final Gate gate = new Gate(2, BODY_LIMIT);
    private final LatestSets latest = new LatestSets();
    private final List<CompletableFuture<Answer>> held = new ArrayList<>();
    private int port;

    private record Answered(int status, HttpVersion version, Buffer body) {
        String code() {
            return Json.read(body.getBytes()).path("response").path("status").path("code").asString();
        }
    }

    @BeforeEach
    void start() throws Exception {
        BusCodec.register(vertx.eventBus());
        port = FreePorts.next();
        // The Pod path tells how many namespaces its snapshot holds; the rules path answers when the test says so.
        Webhooks webhooks = new Webhooks(Map.of(Webhooks.PODS, (_, index) -> CompletableFuture.completedStage(
                new Answer.Allow(List.of(), List.of("namespaces: " + index.namespaces().size()))), Webhooks.SET_RULES, (_, _) -> hold()));
        WebhookMeters webhookMeters = new WebhookMeters(meters);
        AdmissionVerticle.Options options = new AdmissionVerticle.Options(HOST, port, BODY_LIMIT, Duration.ofSeconds(2), TlsEngine.best());
        ServingCertificate certificate = new ServingCertificate(changed(credentials));
        for (int i = 0; i < 2; i++) {
            await(vertx.deployVerticle(new AdmissionVerticle(options, webhooks, gate, webhookMeters, certificate, latest)));
        }
        latest.put(SetIndex.EMPTY);
    }

    private synchronized CompletableFuture<Answer> hold() {
        CompletableFuture<Answer> answer = new CompletableFuture<>();
        held.add(answer);
        notifyAll();
        return answer;
    }

    private synchronized CompletableFuture<Answer> heldReview(int number) throws InterruptedException {
        while (held.size() <= number) {
            wait();
        }
        return held.get(number);
    }

    @AfterEach
    void stop() throws Exception {
        await(vertx.close());
        meters.close();
    }

    @ParameterizedTest
    @EnumSource(names = {"HTTP_1_1", "HTTP_2"})
    void answersOverBothVersionsOfHttp(HttpVersion version) throws Exception {
        Answered answered = post(client(version, credentials), Webhooks.PODS, ReviewTexts.bytes(ReviewTexts.pod("CREATE", POD)));

        assertThat(answered.status()).isEqualTo(200);
        assertThat(answered.version()).isEqualTo(version);
        assertThat(answered.code()).isEqualTo("200");
        assertThat(answered.body().toString()).contains("namespaces: 0");
    }

    @ParameterizedTest
    @EnumSource(names = {"HTTP_1_1", "HTTP_2"})
    void refusesByTheRulesOfHttp(HttpVersion version) throws Exception {
        HttpClient client = client(version, credentials);
        byte[] big = new byte[BODY_LIMIT + 1];

        assertThat(post(client, Webhooks.PODS, big).status()).isEqualTo(413);
        assertThat(postInChunks(client, Webhooks.PODS, big).status()).isEqualTo(413);
        assertThat(send(client, HttpMethod.POST, Webhooks.PODS, "text/plain", new byte[0]).status()).isEqualTo(415);
        assertThat(send(client, HttpMethod.GET, Webhooks.PODS, "application/json", new byte[0]).status()).isEqualTo(405);
        assertThat(post(client, "/other", new byte[0]).status()).isEqualTo(404);
        assertThat(send(client, HttpMethod.GET, "/healthz", "text/plain", new byte[0]).body()).hasToString("ok\n");
        assertThat(gate.inside()).isZero();
    }

    @Test
    void garbageIsAnOrderlyDenial() throws Exception {
        for (String body : List.of("", "{", "\u0000", "[[[[")) {
            Answered answered = post(client(HttpVersion.HTTP_2, credentials), Webhooks.PODS, body.getBytes(StandardCharsets.UTF_8));
            assertThat(answered.status()).isEqualTo(200);
            assertThat(answered.code()).isEqualTo("400");
        }
    }

    @Test
    void overloadIsAnsweredAtOnceAndEnds() throws Exception {
        HttpClient client = client(HttpVersion.HTTP_2, credentials);
        byte[] review = ReviewTexts.bytes(ReviewTexts.set("CREATE", "v1beta1", "{}"));
        Future<Answered> first = request(client, HttpMethod.POST, Webhooks.SET_RULES, "application/json", review);
        Future<Answered> second = request(client, HttpMethod.POST, Webhooks.SET_RULES, "application/json", review);
        CompletableFuture<Answer> _ = heldReview(1);

        int overload = post(client, Webhooks.PODS, review).status();
        heldReview(0).complete(Answer.allow());
        heldReview(1).complete(Answer.allow());
        await(Future.all(first, second));

        assertThat(overload).isEqualTo(503);
        assertThat(first.result().code()).isEqualTo("200");
        assertThat(post(client, Webhooks.PODS, review).status()).isEqualTo(200);
        assertThat(meters.scrape()).contains("controller_runtime_webhook_requests_total{code=\"503\",webhook=\"/mutate-pod\"} 1.0");
    }

    @Test
    void anAnswerIsSentByTheDeadline() throws Exception {
        Answered late = post(client(HttpVersion.HTTP_2, credentials), Webhooks.SET_RULES,
                ReviewTexts.bytes(ReviewTexts.set("CREATE", "v1beta1", "{}")));
        heldReview(0).complete(Answer.allow());

        assertThat(late.status()).isEqualTo(200);
        assertThat(late.code()).isEqualTo("503");
        assertThat(late.body().toString()).contains("\"uid\":\"uid-1\"", "retryAfterSeconds");
        assertThat(gate.inside()).isZero();
    }

    @ParameterizedTest
    @EnumSource(names = {"HTTP_1_1", "HTTP_2"})
    void aBodyThatNeverComesEndsAndDisturbsNobody(HttpVersion version) throws Exception {
        HttpClient client = client(version, credentials);
        byte[] review = ReviewTexts.bytes(ReviewTexts.set("CREATE", "v1beta1", "{}"));
        Future<Answered> slow = unfinished(client);
        Future<Answered> beside = request(client, HttpMethod.POST, Webhooks.SET_RULES, "application/json", review);
        CompletableFuture<Answer> held = heldReview(0);

        int status = await(slow).status();
        held.complete(Answer.allow());

        assertThat(status).isEqualTo(408);
        // On HTTP/2 it is on the same connection.
        assertThat(await(beside).status()).isEqualTo(200);
        assertThat(gate.inside()).isZero();
        assertThat(gate.taken()).isZero();
    }

    @Test
    void slowClientsTakeNobodysPlace() throws Exception {
        HttpClient client = client(HttpVersion.HTTP_1_1, credentials);
        List<Future<Answered>> slow = Stream.generate(() -> unfinished(client)).limit(4).toList();

        Answered quick = post(client, Webhooks.PODS, ReviewTexts.bytes(ReviewTexts.pod("CREATE", POD)));

        assertThat(slow).hasSize(4);
        assertThat(quick.status()).isEqualTo(200);
    }

    @Test
    void moreThanMemoryAllowsIsOverload() throws Exception {
        HttpClient client = client(HttpVersion.HTTP_1_1, credentials);
        // Room for 2 usual bodies of 256 KiB and the largest; each request takes 32 KiB at least.
        List<Future<Answered>> slow = Stream.generate(() -> unfinished(client)).limit(40).toList();

        List<Integer> statuses = new ArrayList<>();
        for (Future<Answered> request : slow) {
            statuses.add(await(request).status());
        }

        assertThat(statuses).containsOnly(408, 503).filteredOn(s -> s == 408).hasSizeBetween(17, 39);
        assertThat(post(client, Webhooks.PODS, ReviewTexts.bytes(ReviewTexts.pod("CREATE", POD))).status()).isEqualTo(200);
        assertThat(gate.taken()).isZero();
    }

    /** A review whose body stays out. */
    private Future<Answered> unfinished(HttpClient client) {
        RequestOptions head = new RequestOptions().setMethod(HttpMethod.POST).setURI(Webhooks.PODS)
                .putHeader("content-type", "application/json").putHeader("content-length", "100");
        return ClientLoop.run(vertx, () -> client.request(head).compose(request -> {
            Future<Answered> answer = request.response().compose(AdmissionVerticleTest::read);
            request.sendHead();
            return answer;
        }));
    }

    @Test
    void judgesByTheLatestIndex() throws Exception {
        SetIndex index = SetIndex.of(List.of(), List.of(new NamespaceView("a", Map.of()), new NamespaceView("b", Map.of())));
        HttpClient client = client(HttpVersion.HTTP_2, credentials);

        latest.put(index);

        assertThat(eventually(() -> post(client, Webhooks.PODS, ReviewTexts.bytes(ReviewTexts.pod("CREATE", POD))).body().toString(),
                "namespaces: 2")).contains("namespaces: 2");
    }

    @Test
    void swapsTheCertificateAndKeepsOpenConnections() throws Exception {
        HttpClient before = client(HttpVersion.HTTP_2, credentials);
        byte[] review = ReviewTexts.bytes(ReviewTexts.pod("CREATE", POD));
        post(before, Webhooks.PODS, review);
        Credentials next = maker.fresh(Instant.now());

        vertx.eventBus().publish(Addresses.CERTS, changed(next));

        HttpClient after = client(HttpVersion.HTTP_2, next);
        assertThat(eventually(() -> Integer.toString(post(after, Webhooks.PODS, review).status()), "200")).isEqualTo("200");
        assertThat(post(before, Webhooks.PODS, review).status()).isEqualTo(200);
        assertThatThrownBy(() -> post(client(HttpVersion.HTTP_2, credentials), Webhooks.PODS, review)).hasMessageContaining("SSL");
    }

    @Test
    void aBrokenCertificateLeavesTheOldOneInUse() throws Exception {
        vertx.eventBus().publish(Addresses.CERTS, new CertChanged("no PEM", "no key"));

        assertThat(post(client(HttpVersion.HTTP_2, credentials), Webhooks.PODS, ReviewTexts.bytes(ReviewTexts.pod("CREATE", POD))).status())
                .isEqualTo(200);
    }

    @Test
    void warmUpGoesThroughTheWholePath() throws Exception {
        Warmup warmup = new Warmup(HOST, port, credentials.serving().certificatePem());
        CompletableFuture<Void> run = CompletableFuture.runAsync(() -> {
            try {
                warmup.run(1);
            } catch (Exception e) {
                throw new IllegalStateException(e);
            }
        });

        // This test serves no path for defaults, so the warm-up must tell.
        assertThatThrownBy(() -> run.get(20, TimeUnit.SECONDS)).hasRootCauseInstanceOf(IOException.class)
                .hasMessageContaining("/mutate-apps-kruise-io-sidecarset answers 404");
    }

    @Test
    void warmUpDoesNotTrustAnotherServer() throws Exception {
        Warmup warmup = new Warmup(HOST, port, maker.fresh(Instant.now()).serving().certificatePem());

        assertThatThrownBy(() -> warmup.run(1)).isInstanceOf(IOException.class);
    }

    private interface Look {
        String now() throws Exception;
    }

    /** The bus delivers soon, but not before publish returns. */
    private static String eventually(Look look, String wanted) throws Exception {
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(10);
        String seen = "";
        while (System.nanoTime() < end && !seen.contains(wanted)) {
            try {
                seen = look.now();
            } catch (IllegalStateException e) {
                seen = String.valueOf(e.getMessage());
            }
        }
        return seen;
    }

    private static CertChanged changed(Credentials credentials) {
        return new CertChanged(credentials.serving().certificatePem(), credentials.serving().keyPem());
    }

    private HttpClient client(HttpVersion version, Credentials trusted) {
        PoolOptions pool = new PoolOptions().setHttp1MaxSize(50);
        return vertx.createHttpClient(new HttpClientOptions().setSsl(true).setUseAlpn(true).setProtocolVersion(version).setDefaultHost(HOST)
                .setDefaultPort(port).setVerifyHost(true)
                .setTrustOptions(new PemTrustOptions().addCertValue(Buffer.buffer(trusted.authority().certificatePem()))), pool);
    }

    private Answered post(HttpClient client, String path, byte[] body) throws Exception {
        return send(client, HttpMethod.POST, path, "application/json", body);
    }

    private Answered send(HttpClient client, HttpMethod method, String path, String type, byte[] body) throws Exception {
        return await(request(client, method, path, type, body));
    }

    private Future<Answered> request(HttpClient client, HttpMethod method, String path, String type, byte[] body) {
        RequestOptions options = new RequestOptions().setMethod(method).setURI(path).putHeader("content-type", type);
        return ClientLoop.run(vertx,
                () -> client.request(options).compose(r -> r.send(Buffer.buffer(body))).compose(AdmissionVerticleTest::read));
    }

    private Answered postInChunks(HttpClient client, String path, byte[] body) throws Exception {
        return await(ClientLoop.run(vertx, () -> client.request(HttpMethod.POST, path).compose(request -> {
            request.putHeader("content-type", "application/json").setChunked(true);
            Future<Answered> answer = request.response().compose(AdmissionVerticleTest::read);
            request.write(Buffer.buffer(body));
            request.end();
            return answer;
        })));
    }

    private static Future<Answered> read(io.vertx.core.http.HttpClientResponse response) {
        return response.body().map(b -> new Answered(response.statusCode(), response.version(), b));
    }

    private static <T> T await(Future<T> future) throws Exception {
        try {
            return future.toCompletionStage().toCompletableFuture().get(20, TimeUnit.SECONDS);
        } catch (java.util.concurrent.ExecutionException e) {
            throw new IllegalStateException(String.valueOf(e.getCause()), e.getCause());
        }
    }
}
