package dev.pillion.admission;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.security.SecureRandom;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.TimeUnit;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpClientOptions;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpVersion;
import io.vertx.core.net.PemTrustOptions;

import dev.pillion.bus.BusMessage.CertChanged;
import dev.pillion.certs.CertMaker;
import dev.pillion.certs.Credentials;

/** What is spoken on the port, with either engine. */
@Timeout(60)
final class ServerSettingsTest {
    private static final String HOST = "127.0.0.1";

    private final Vertx vertx = Vertx.vertx();
    private final Credentials credentials = new CertMaker(new SecureRandom(), List.of(HOST)).fresh(Instant.now());

    @AfterEach
    void stop() throws Exception {
        await(vertx.close());
    }

    @ParameterizedTest
    @CsvSource({"OPENSSL, HTTP_2, TLSv1.3", "OPENSSL, HTTP_2, TLSv1.2", "OPENSSL, HTTP_1_1, TLSv1.3", "OPENSSL, HTTP_1_1, TLSv1.2",
            "JDK, HTTP_2, TLSv1.3", "JDK, HTTP_2, TLSv1.2", "JDK, HTTP_1_1, TLSv1.3", "JDK, HTTP_1_1, TLSv1.2"})
    void servesWithTheEngineAskedFor(TlsEngine engine, HttpVersion version, String protocol) throws Exception {
        String served = ask(listen(engine), version, protocol);

        assertThat(served).contains(protocol).contains(version.name());
        assertThat(served.contains("openssl")).as(served).isEqualTo(engine == TlsEngine.OPENSSL);
    }

    @ParameterizedTest
    @EnumSource
    void refusesOlderTls(TlsEngine engine) throws Exception {
        int port = listen(engine);

        assertThatThrownBy(() -> ask(port, HttpVersion.HTTP_1_1, "TLSv1.1")).hasStackTraceContaining("SSL");
    }

    @Test
    @EnabledOnOs(value = OS.LINUX, architectures = {"amd64", "aarch64"})
    void takesOpenSslWhereItsLibraryIs() {
        assertThat(TlsEngine.best()).isEqualTo(TlsEngine.OPENSSL);
    }

    /** A server that tells what it was spoken to with. */
    private int listen(TlsEngine engine) throws Exception {
        assumeTrue(engine == TlsEngine.JDK || TlsEngine.best() == TlsEngine.OPENSSL, "this platform has no OpenSSL");
        CertChanged certificate = new CertChanged(credentials.serving().certificatePem(), credentials.serving().keyPem());
        return await(vertx.createHttpServer(ServerSettings.of(HOST, 0, engine, certificate)).requestHandler(r -> r.response()
                .end(r.connection().sslSession().getClass().getName().toLowerCase(Locale.ROOT) + " "
                        + r.connection().sslSession().getProtocol() + " " + r.version()))
                .listen()).actualPort();
    }

    private String ask(int port, HttpVersion version, String protocol) throws Exception {
        var client = vertx.createHttpClient(new HttpClientOptions().setSsl(true).setUseAlpn(true).setProtocolVersion(version)
                .setEnabledSecureTransportProtocols(Set.of(protocol)).setVerifyHost(true)
                .setTrustOptions(new PemTrustOptions().addCertValue(Buffer.buffer(credentials.authority().certificatePem()))));
        String answer = await(ClientLoop.run(vertx,
                () -> client.request(HttpMethod.GET, port, HOST, "/").compose(r -> r.send()).compose(r -> r.body()))).toString();
        await(client.close());
        return answer;
    }

    private static <T> T await(Future<T> future) throws Exception {
        return future.toCompletionStage().toCompletableFuture().get(20, TimeUnit.SECONDS);
    }
}
