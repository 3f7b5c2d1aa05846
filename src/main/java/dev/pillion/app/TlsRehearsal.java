package dev.pillion.app;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.SecureRandom;
import java.security.cert.Certificate;
import java.time.Instant;
import java.util.List;

import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLEngineResult;
import javax.net.ssl.SSLEngineResult.HandshakeStatus;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.TrustManagerFactory;

import dev.pillion.certs.CertMaker;
import dev.pillion.certs.Credentials;
import dev.pillion.certs.Pem;

/**
 * Shakes hands with itself in memory. The classes of TLS and of certificates are loaded by that on the caller's thread, instead of on an
 * event loop at the first request to the API server, where they take seconds when CPU is short (FR-62).
 */
final class TlsRehearsal {
    private static final String HOST = "localhost";
    private static final char[] NO_PASSWORD = new char[0];
    /** More than any handshake has. */
    private static final int MOST_STEPS = 100;

    private TlsRehearsal() {
    }

    /**
     * Blocking, without network and files.
     *
     * @return the protocol that was agreed upon
     * @throws IllegalStateException when this JVM cannot speak TLS with itself
     */
    static String run(SecureRandom random, Instant now) {
        try {
            Credentials credentials = new CertMaker(random, List.of(HOST)).fresh(now);
            SSLEngine client = clientContext(credentials, random).createSSLEngine(HOST, 443);
            client.setUseClientMode(true);
            SSLParameters parameters = client.getSSLParameters();
            parameters.setEndpointIdentificationAlgorithm("HTTPS");
            client.setSSLParameters(parameters);
            SSLEngine server = serverContext(credentials, random).createSSLEngine();
            server.setUseClientMode(false);
            shakeHands(client, server);
            return client.getSession().getProtocol();
        } catch (GeneralSecurityException | IOException e) {
            throw new IllegalStateException("this JVM cannot speak TLS with itself", e);
        }
    }

    private static SSLContext clientContext(Credentials credentials, SecureRandom random) throws GeneralSecurityException, IOException {
        KeyStore trusted = empty();
        trusted.setCertificateEntry("ca", Pem.readCertificate(credentials.authority().certificatePem()));
        TrustManagerFactory trust = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        trust.init(trusted);
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(null, trust.getTrustManagers(), random);
        return context;
    }

    private static SSLContext serverContext(Credentials credentials, SecureRandom random) throws GeneralSecurityException, IOException {
        KeyStore own = empty();
        own.setKeyEntry("serving", Pem.readPrivateKey(credentials.serving().keyPem()), NO_PASSWORD,
                new Certificate[]{Pem.readCertificate(credentials.serving().certificatePem())});
        KeyManagerFactory keys = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
        keys.init(own, NO_PASSWORD);
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(keys.getKeyManagers(), null, random);
        return context;
    }

    private static KeyStore empty() throws GeneralSecurityException, IOException {
        KeyStore store = KeyStore.getInstance("PKCS12");
        store.load(null, null);
        return store;
    }

    private static void shakeHands(SSLEngine client, SSLEngine server) throws SSLException {
        client.beginHandshake();
        server.beginHandshake();
        ByteBuffer toServer = ByteBuffer.allocate(client.getSession().getPacketBufferSize()).flip();
        ByteBuffer toClient = ByteBuffer.allocate(server.getSession().getPacketBufferSize()).flip();
        for (int step = 0; step < MOST_STEPS; step++) {
            boolean isSaid = step(client, toClient, toServer);
            boolean isAnswered = step(server, toServer, toClient);
            if (!isSaid && !isAnswered && !isShaking(client) && !isShaking(server)) {
                return;
            }
        }
        throw new SSLException("the handshake does not end");
    }

    private static boolean isShaking(SSLEngine engine) {
        return engine.getHandshakeStatus() != HandshakeStatus.NOT_HANDSHAKING;
    }

    /** Lets the engine write or read one packet; answers whether it did. Buffers are ready to be read. */
    private static boolean step(SSLEngine engine, ByteBuffer in, ByteBuffer out) throws SSLException {
        runTasks(engine);
        if (engine.getHandshakeStatus() == HandshakeStatus.NEED_WRAP) {
            out.compact();
            SSLEngineResult written = engine.wrap(ByteBuffer.allocate(0), out);
            out.flip();
            return written.bytesProduced() > 0;
        }
        return in.hasRemaining()
                && engine.unwrap(in, ByteBuffer.allocate(engine.getSession().getApplicationBufferSize())).bytesConsumed() > 0;
    }

    private static void runTasks(SSLEngine engine) {
        for (Runnable task = engine.getDelegatedTask(); task != null; task = engine.getDelegatedTask()) {
            task.run();
        }
    }
}
