package dev.pillion.app;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.StringReader;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;

import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.TrustManager;
import javax.net.ssl.X509TrustManager;

import org.bouncycastle.openssl.PEMParser;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.api.model.admissionregistration.v1.MutatingWebhook;
import io.fabric8.kubernetes.api.model.admissionregistration.v1.MutatingWebhookConfiguration;
import io.fabric8.kubernetes.api.model.admissionregistration.v1.ValidatingWebhookConfiguration;
import io.fabric8.kubernetes.client.KubernetesClient;

import dev.pillion.certs.CertMaker;
import dev.pillion.certs.Credentials;
import dev.pillion.it.Cluster;
import dev.pillion.it.Eventually;
import dev.pillion.it.OnEveryCluster;
import dev.pillion.sandbox.FreePorts;

import tools.jackson.databind.JsonNode;

/** Certificates of running controllers: one CA for all replicas, healed bundles, files of somebody else (issue 7, FR-53, FR-68, FR-69). */
@OnEveryCluster
final class CertificatesIT {
    private static final String SECRET = "pillion-webhook-certs";
    private static final String CONFIGURATION = "pillion-mutating-webhook-configuration";
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    private final Cluster cluster;
    private final KubernetesClient users;
    private final String own;
    private final List<AutoCloseable> running = new ArrayList<>();
    @TempDir
    private Path directory = Path.of("unset");

    CertificatesIT(Cluster cluster) {
        this.cluster = cluster;
        this.users = cluster.client();
        Scenario.prepare(cluster);
        this.own = cluster.newNamespace("own");
    }

    @AfterEach
    void close() throws Exception {
        for (AutoCloseable each : running) {
            each.close();
        }
        users.resources(MutatingWebhookConfiguration.class).delete();
        users.resources(ValidatingWebhookConfiguration.class).delete();
        users.close();
    }

    private AutoCloseable start(int port, String... more) throws InterruptedException {
        List<String> settings = new ArrayList<>(List.of("--webhook-url=https://127.0.0.1:" + port, "--metrics.port=0",
                "--namespace=" + own));
        settings.addAll(List.of(more));
        AutoCloseable controller = Main.startController(cluster.controllerKubeconfig(own), settings);
        running.add(controller);
        return controller;
    }

    private Secret secret() {
        return users.secrets().inNamespace(own).withName(SECRET).get();
    }

    private String stored(String key) {
        return new String(Base64.getDecoder().decode(secret().getData().get(key)), StandardCharsets.US_ASCII);
    }

    private String told() {
        MutatingWebhookConfiguration configuration = users.resources(MutatingWebhookConfiguration.class)
                .withName(CONFIGURATION).get();
        return configuration.getWebhooks().stream().map(MutatingWebhook::getClientConfig).map(c -> c.getCaBundle() == null
                ? ""
                : new String(Base64.getDecoder().decode(c.getCaBundle()), StandardCharsets.US_ASCII)).distinct()
                .reduce((a, b) -> a + "|" + b)
                .orElse("");
    }

    /** Any namespace but the controller's: a create that only a webhook with a trusted certificate lets pass. */
    private void createPod() {
        String namespace = cluster.newNamespace("shop");
        users.pods().inNamespace(namespace).resource(new PodBuilder().withNewMetadata().withName("p").endMetadata().withNewSpec()
                .addNewContainer().withName("app").withImage("app:1").endContainer().endSpec().build()).create();
    }

    @Test
    void replicasAndRestartsShareOneCertificate() throws Exception {
        int port = FreePorts.next();
        AutoCloseable first = start(port);
        Secret made = secret();
        String bundle = told();
        int other = FreePorts.next();
        start(other);
        assertThat(shown(other)).isEqualTo(shown(port)).isEqualTo(certificate(stored("tls.crt")));

        first.close();
        start(port);
        createPod();

        assertThat(secret().getMetadata().getResourceVersion()).isEqualTo(made.getMetadata().getResourceVersion());
        assertThat(told()).isEqualTo(bundle).isEqualTo(stored("ca.crt"));
    }

    @Test
    void healsABundleThatWasAppliedAway() throws Exception {
        start(FreePorts.next());
        long damaged = System.nanoTime();
        users.resources(MutatingWebhookConfiguration.class).withName(CONFIGURATION).edit(c -> {
            c.getWebhooks().forEach(w -> w.getClientConfig().setCaBundle(null));
            return c;
        });

        Eventually.until("the bundle is back", PATIENCE, this::told, t -> t.equals(stored("ca.crt")));
        tell("the caBundle is back", damaged);
        createPod();
    }

    @Test
    void aDeletedSecretLeadsToANextCaBesideTheCurrentOne() throws Exception {
        int port = FreePorts.next();
        start(port);
        String before = stored("ca.crt");
        X509Certificate shown = shown(port);
        long deleted = System.nanoTime();
        users.secrets().inNamespace(own).withName(SECRET).delete();

        Eventually.until("the bundle has both", PATIENCE, this::told, t -> t.startsWith(before) && t.length() > before.length());
        tell("after the Secret was deleted a next CA is in the bundle", deleted);

        assertThat(stored("ca.crt")).isEqualTo(before);
        assertThat(told()).isEqualTo(before + stored("next-ca.crt"));
        assertThat(shown(port)).isEqualTo(shown);
        createPod();
    }

    @Test
    void externalFilesAreServedAndExchangedAndNothingIsWritten() throws Exception {
        CertMaker maker = new CertMaker(new SecureRandom(), List.of("127.0.0.1"));
        Credentials first = maker.fresh(Instant.now());
        put(first.serving());
        int before = cluster.auditLines().size();
        int port = FreePorts.next();
        start(port, "--certs.external=true", "--certs.directory=" + directory);
        X509Certificate shown = shown(port);
        Credentials second = maker.fresh(Instant.now());
        long exchanged = System.nanoTime();
        put(new Credentials.Pair(second.serving().certificatePem(), first.serving().keyPem()));

        Eventually.until("the other half is there, too", PATIENCE, () -> {
            put(second.serving());
            return shown(port);
        }, c -> c.equals(certificate(second.serving().certificatePem())));

        tell("the other pair of files is served", exchanged);
        assertThat(shown).isEqualTo(certificate(first.serving().certificatePem()));
        assertThat(secret()).isNull();
        assertThat(users.resources(MutatingWebhookConfiguration.class).withName(CONFIGURATION).get()).isNull();
        assertThat(cluster.auditLines().stream().skip(before).filter(CertificatesIT::isCertificateWriteOfTheController).count()).isZero();
    }

    private void tell(String what, long since) {
        System.out.printf("%s: %s after %d ms%n", cluster.name(), what, Duration.ofNanos(System.nanoTime() - since).toMillis());
    }

    private static boolean isCertificateWriteOfTheController(JsonNode line) {
        return line.path("userAgent").asString("").startsWith("pillion") && List.of("secrets", "customresourcedefinitions",
                "mutatingwebhookconfigurations", "validatingwebhookconfigurations").contains(line.at("/objectRef/resource").asString(""));
    }

    private void put(Credentials.Pair pair) {
        try {
            Files.writeString(directory.resolve("tls.crt"), pair.certificatePem());
            Files.writeString(directory.resolve("tls.key"), pair.keyPem());
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    private static X509Certificate certificate(String pem) {
        try (PEMParser parser = new PEMParser(new StringReader(pem))) {
            return new org.bouncycastle.cert.jcajce.JcaX509CertificateConverter()
                    .getCertificate((org.bouncycastle.cert.X509CertificateHolder) parser.readObject());
        } catch (Exception e) {
            throw new AssertionError(e);
        }
    }

    /** The certificate that the server of this port shows now. */
    private static X509Certificate shown(int port) {
        try {
            SSLContext tls = SSLContext.getInstance("TLS");
            tls.init(null, new TrustManager[]{new Anyone()}, new SecureRandom());
            try (Socket socket = tls.getSocketFactory().createSocket("127.0.0.1", port)) {
                return (X509Certificate) ((SSLSocket) socket).getSession().getPeerCertificates()[0];
            }
        } catch (Exception e) {
            throw new AssertionError(e);
        }
    }

    private static final class Anyone implements X509TrustManager {
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
}
