package dev.pillion.admission;

import java.util.List;
import java.util.Set;

import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.Http2Settings;
import io.vertx.core.http.HttpServerOptions;
import io.vertx.core.http.HttpVersion;
import io.vertx.core.net.PemKeyCertOptions;
import io.vertx.core.net.ServerSSLOptions;

import dev.pillion.bus.BusMessage.CertChanged;

/** TLS and HTTP of the webhook server: HTTP/2 and 1.1 over TLS 1.3 and 1.2. */
public final class ServerSettings {
    private static final Set<String> PROTOCOLS = Set.of("TLSv1.3", "TLSv1.2");
    /** An API server keeps one connection until it is full; a low number makes it open more, which land on other loops (stack.md). */
    private static final long STREAMS_PER_CONNECTION = 4;

    private ServerSettings() {
    }

    /** The options of a server that shows this certificate. */
    public static HttpServerOptions of(String host, int port, TlsEngine engine, CertChanged certificate) {
        return new HttpServerOptions().setHost(host).setPort(port).setSsl(true).setUseAlpn(true)
                .setAlpnVersions(List.of(HttpVersion.HTTP_2, HttpVersion.HTTP_1_1)).setEnabledSecureTransportProtocols(PROTOCOLS)
                .setSslEngineOptions(engine.options()).setKeyCertOptions(keys(certificate))
                .setInitialSettings(new Http2Settings().setMaxConcurrentStreams(STREAMS_PER_CONNECTION));
    }

    /** What a running server needs for a new certificate. */
    static ServerSSLOptions ssl(CertChanged certificate) {
        return new ServerSSLOptions().setKeyCertOptions(keys(certificate)).setUseAlpn(true)
                .setApplicationLayerProtocols(List.of("h2", "http/1.1")).setEnabledSecureTransportProtocols(PROTOCOLS);
    }

    static PemKeyCertOptions keys(CertChanged certificate) {
        return new PemKeyCertOptions().addCertValue(Buffer.buffer(certificate.certificatePem()))
                .addKeyValue(Buffer.buffer(certificate.keyPem()));
    }
}
