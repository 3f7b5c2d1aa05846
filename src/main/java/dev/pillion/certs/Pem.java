package dev.pillion.certs;

import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.PrivateKey;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.security.spec.PKCS8EncodedKeySpec;
import java.util.Base64;

/** Writes and reads PEM blocks (RFC 7468). */
final class Pem {
    private static final Base64.Encoder LINES = Base64.getMimeEncoder(64, new byte[]{'\n'});

    private Pem() {
    }

    static String certificate(byte[] der) {
        return block("CERTIFICATE", der);
    }

    static String privateKey(byte[] pkcs8) {
        return block("PRIVATE KEY", pkcs8);
    }

    static X509Certificate readCertificate(String pem) throws CertificateException {
        byte[] bytes = pem.getBytes(StandardCharsets.US_ASCII);
        return (X509Certificate) CertificateFactory.getInstance("X.509").generateCertificate(new ByteArrayInputStream(bytes));
    }

    static PrivateKey readPrivateKey(String pem) throws GeneralSecurityException {
        String body = pem.lines().filter(l -> !l.startsWith("-----")).reduce("", String::concat);
        return KeyFactory.getInstance("EC").generatePrivate(new PKCS8EncodedKeySpec(Base64.getDecoder().decode(body)));
    }

    private static String block(String type, byte[] bytes) {
        return "-----BEGIN " + type + "-----\n" + LINES.encodeToString(bytes) + "\n-----END " + type + "-----\n";
    }
}
