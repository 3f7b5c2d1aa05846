package dev.pillion.admission;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.util.List;
import java.util.Map;

import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.TrustManager;
import javax.net.ssl.X509ExtendedTrustManager;

import dev.pillion.api.Json;
import dev.pillion.api.Wire;

import tools.jackson.databind.node.ObjectNode;

/**
 * Sends reviews over TLS to the own server before the process calls itself ready, so that no API server waits while classes are loaded
 * (FR-62). Dry runs: nothing remains of them but a few requests in the latency metrics. Blocking; not for an event loop.
 */
public final class Warmup {
    private static final Duration PATIENCE = Duration.ofSeconds(10);
    private static final int OK = 200;

    private final URI base;
    private final X509Certificate serving;

    /** Takes the own server's address, and the certificate it must show. */
    public Warmup(String host, int port, String servingPem) throws CertificateException {
        this.base = URI.create("https://" + (host.contains(":") ? "[" + host + "]" : host) + ":" + port);
        this.serving = (X509Certificate) CertificateFactory.getInstance("X.509")
                .generateCertificate(new ByteArrayInputStream(servingPem.getBytes(StandardCharsets.US_ASCII)));
    }

    /**
     * Sends so many rounds of one review to each webhook.
     *
     * @throws IOException when the server does not answer, or not with 200: it is not ready then
     */
    public void run(int rounds) throws IOException, InterruptedException, GeneralSecurityException {
        SSLContext tls = SSLContext.getInstance("TLS");
        tls.init(null, new TrustManager[]{new Pinned(serving)}, null);
        Map<String, byte[]> bodies = Map.of(Webhooks.PODS, review("", "v1", "Pod", "pods", pod()), Webhooks.SET_DEFAULTS, set(),
                Webhooks.SET_RULES, set());
        try (HttpClient client = HttpClient.newBuilder().sslContext(tls).version(HttpClient.Version.HTTP_2).connectTimeout(PATIENCE)
                .build()) {
            for (int round = 0; round < rounds; round++) {
                for (Map.Entry<String, byte[]> body : bodies.entrySet()) {
                    send(client, body.getKey(), body.getValue());
                }
            }
        }
    }

    private void send(HttpClient client, String path, byte[] body) throws IOException, InterruptedException {
        HttpRequest request = HttpRequest.newBuilder(base.resolve(path)).timeout(PATIENCE).header("content-type", "application/json")
                .POST(HttpRequest.BodyPublishers.ofByteArray(body)).build();
        int status = client.send(request, HttpResponse.BodyHandlers.discarding()).statusCode();
        if (status != OK) {
            throw new IOException("own webhook " + path + " answers " + status);
        }
    }

    private static ObjectNode pod() {
        ObjectNode pod = Json.object().put("apiVersion", "v1").put("kind", "Pod");
        pod.putObject("metadata").put("name", "warm-up").put("namespace", "default").putObject("labels").put("app", "warm-up");
        container(pod.putObject("spec"));
        return pod;
    }

    private static byte[] set() {
        ObjectNode set = Json.object().put("apiVersion", Wire.V1BETA1).put("kind", Wire.KIND);
        set.putObject("metadata").put("name", "warm-up");
        ObjectNode spec = set.putObject("spec");
        spec.putObject("selector").putObject("matchLabels").put("app", "warm-up");
        container(spec);
        return review(Wire.GROUP, "v1beta1", Wire.KIND, Wire.PLURAL, set);
    }

    private static void container(ObjectNode spec) {
        spec.putArray("containers").addObject().put("name", "app").put("image", "app:1");
    }

    static byte[] review(String group, String version, String kind, String resource, ObjectNode object) {
        ObjectNode root = Json.object().put("apiVersion", ReviewCodec.V1).put("kind", "AdmissionReview");
        ObjectNode request = root.putObject("request").put("uid", "warm-up").put("operation", "CREATE").put("dryRun", true);
        request.putObject("kind").put("group", group).put("version", version).put("kind", kind);
        request.putObject("resource").put("group", group).put("version", version).put("resource", resource);
        request.put("namespace", "default").set("object", object);
        return Json.bytes(root);
    }

    /** Trusts exactly one certificate, under whatever name: the server is reached by an address it may not be named for. */
    private static final class Pinned extends X509ExtendedTrustManager {
        private final X509Certificate wanted;

        private Pinned(X509Certificate wanted) {
            this.wanted = wanted;
        }

        private void check(X509Certificate[] chain) throws CertificateException {
            if (!List.of(chain).getFirst().equals(wanted)) {
                throw new CertificateException("another server answers on the own port");
            }
        }

        @Override
        public void checkServerTrusted(X509Certificate[] chain, String type, Socket socket) throws CertificateException {
            check(chain);
        }

        @Override
        public void checkServerTrusted(X509Certificate[] chain, String type, SSLEngine engine) throws CertificateException {
            check(chain);
        }

        @Override
        public void checkServerTrusted(X509Certificate[] chain, String type) throws CertificateException {
            check(chain);
        }

        @Override
        public void checkClientTrusted(X509Certificate[] chain, String type, Socket socket) throws CertificateException {
            throw new CertificateException("no clients here");
        }

        @Override
        public void checkClientTrusted(X509Certificate[] chain, String type, SSLEngine engine) throws CertificateException {
            throw new CertificateException("no clients here");
        }

        @Override
        public void checkClientTrusted(X509Certificate[] chain, String type) throws CertificateException {
            throw new CertificateException("no clients here");
        }

        @Override
        public X509Certificate[] getAcceptedIssuers() {
            return new X509Certificate[0];
        }
    }
}
