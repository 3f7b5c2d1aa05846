package dev.pillion.check;

import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Whether the API server can trust the webhooks: caBundles against the certificate that is served, as far as that is known. */
record Trust(Instant now, Optional<X509Certificate> serving) {
    static final String SERVING = "tls.crt";

    static Trust of(ClusterFacts facts, CheckOptions options) {
        Optional<X509Certificate> serving = switch (options.certificates()) {
            case OWN -> facts.own().certificates().map(c -> c.map(Trust::serving).orElse(Optional.empty())).orElse(Optional.empty());
            case EXTERNAL -> Optional.empty();
        };
        return new Trust(options.now(), serving);
    }

    private static Optional<X509Certificate> serving(Map<String, String> secret) {
        return read(secret.getOrDefault(SERVING, "")).stream().findFirst();
    }

    /** What is wrong with a caBundle, as the end of a sentence; empty: nothing that can be seen. */
    Optional<String> fault(String caBundle) {
        if (caBundle.isEmpty()) {
            return Optional.of("has no caBundle, so the API server trusts no answer");
        }
        List<X509Certificate> bundle = read(decoded(caBundle));
        if (bundle.isEmpty()) {
            return Optional.of("has a caBundle that holds no certificate");
        }
        if (bundle.stream().allMatch(c -> c.getNotAfter().toInstant().isBefore(now))) {
            return Optional.of("has a caBundle whose certificates have all expired");
        }
        return serving.isEmpty() || bundle.stream().anyMatch(this::signed)
                ? Optional.empty()
                : Optional.of("has a caBundle without the CA of the certificate that is served");
    }

    private boolean signed(X509Certificate authority) {
        try {
            if (serving.isPresent()) {
                serving.get().verify(authority.getPublicKey());
            }
            return true;
        } catch (GeneralSecurityException _) {
            return false;
        }
    }

    /** The certificates of a PEM text; none when one of them cannot be read. */
    static List<X509Certificate> read(String pem) {
        List<X509Certificate> certificates = new ArrayList<>();
        if (!pem.contains("-----BEGIN CERTIFICATE-----")) {
            return certificates;
        }
        try {
            byte[] bytes = pem.getBytes(StandardCharsets.UTF_8);
            for (var certificate : CertificateFactory.getInstance("X.509").generateCertificates(new ByteArrayInputStream(bytes))) {
                if (certificate instanceof X509Certificate x509) {
                    certificates.add(x509);
                }
            }
            return certificates;
        } catch (CertificateException _) {
            return List.of();
        }
    }

    private static String decoded(String base64) {
        try {
            return new String(Base64.getDecoder().decode(base64), StandardCharsets.UTF_8);
        } catch (IllegalArgumentException _) {
            return "";
        }
    }
}
