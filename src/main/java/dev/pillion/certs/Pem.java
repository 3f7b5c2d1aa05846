package dev.pillion.certs;

import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.PrivateKey;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.security.cert.CertificateParsingException;
import java.security.cert.X509Certificate;
import java.security.spec.PKCS8EncodedKeySpec;
import java.time.Instant;
import java.util.Base64;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/** Writes and reads PEM blocks (RFC 7468). */
public final class Pem {
    private static final Base64.Encoder LINES = Base64.getMimeEncoder(64, new byte[]{'\n'});

    private Pem() {
    }

    static String certificate(byte[] der) {
        return block("CERTIFICATE", der);
    }

    static String privateKey(byte[] pkcs8) {
        return block("PRIVATE KEY", pkcs8);
    }

    /** The first certificate of a text. */
    public static X509Certificate readCertificate(String pem) throws CertificateException {
        byte[] bytes = pem.getBytes(StandardCharsets.US_ASCII);
        return (X509Certificate) CertificateFactory.getInstance("X.509").generateCertificate(new ByteArrayInputStream(bytes));
    }

    /** An elliptic curve key as {@link CertMaker} makes them. */
    public static PrivateKey readPrivateKey(String pem) throws GeneralSecurityException {
        String body = pem.lines().filter(l -> !l.startsWith("-----")).reduce("", String::concat);
        return KeyFactory.getInstance("EC").generatePrivate(new PKCS8EncodedKeySpec(Base64.getDecoder().decode(body)));
    }

    /** Whether this text starts with a certificate that can be read. */
    static boolean isCertificate(String pem) {
        try {
            readCertificate(pem);
            return true;
        } catch (CertificateException _) {
            return false;
        }
    }

    /** When the first certificate of this text ends; the text must have been read before. */
    static Instant endOf(String pem) {
        try {
            return readCertificate(pem).getNotAfter().toInstant();
        } catch (CertificateException e) {
            throw new IllegalArgumentException("no certificate", e);
        }
    }

    /** DNS names and IP addresses of a serving certificate; none when it cannot be read. */
    static Set<String> namesOf(String pem) {
        try {
            return namesOf(readCertificate(pem));
        } catch (CertificateException _) {
            return Set.of();
        }
    }

    static Set<String> namesOf(X509Certificate certificate) {
        Set<String> names = new LinkedHashSet<>();
        try {
            Collection<List<?>> alternatives = certificate.getSubjectAlternativeNames();
            if (alternatives != null) {
                alternatives.forEach(a -> names.add(String.valueOf(a.get(1))));
            }
        } catch (CertificateParsingException _) {
            return Set.of();
        }
        return names;
    }

    private static String block(String type, byte[] bytes) {
        return "-----BEGIN " + type + "-----\n" + LINES.encodeToString(bytes) + "\n-----END " + type + "-----\n";
    }
}
