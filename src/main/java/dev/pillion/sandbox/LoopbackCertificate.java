package dev.pillion.sandbox;

import java.io.IOException;
import java.io.StringWriter;
import java.math.BigInteger;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.spec.ECGenParameterSpec;
import java.time.Duration;
import java.time.Instant;
import java.util.Date;

import org.bouncycastle.asn1.x500.X500Name;
import org.bouncycastle.asn1.x509.BasicConstraints;
import org.bouncycastle.asn1.x509.Extension;
import org.bouncycastle.asn1.x509.GeneralName;
import org.bouncycastle.asn1.x509.GeneralNames;
import org.bouncycastle.asn1.x509.KeyUsage;
import org.bouncycastle.cert.X509CertificateHolder;
import org.bouncycastle.cert.jcajce.JcaX509v3CertificateBuilder;
import org.bouncycastle.openssl.jcajce.JcaPEMWriter;
import org.bouncycastle.operator.ContentSigner;
import org.bouncycastle.operator.OperatorCreationException;
import org.bouncycastle.operator.jcajce.JcaContentSignerBuilder;

/**
 * A throw-away CA and a certificate for 127.0.0.1 and localhost, both in PEM, good for a day before and a year after the given moment.
 *
 * @param authority certificate of the CA
 * @param chain certificate of the server
 */
record LoopbackCertificate(String authority, String chain, String key) {

    static LoopbackCertificate create(Instant now) {
        try {
            X500Name issuer = new X500Name("CN=sandbox-ca");
            KeyPair authority = keys();
            ContentSigner signer = new JcaContentSignerBuilder("SHA256withECDSA").build(authority.getPrivate());
            X509CertificateHolder root = builder(issuer, 1, now, issuer, authority)
                    .addExtension(Extension.basicConstraints, true, new BasicConstraints(0))
                    .addExtension(Extension.keyUsage, true, new KeyUsage(KeyUsage.keyCertSign | KeyUsage.digitalSignature)).build(signer);
            KeyPair server = keys();
            GeneralNames names = new GeneralNames(
                    new GeneralName[]{new GeneralName(GeneralName.iPAddress, "127.0.0.1"),
                            new GeneralName(GeneralName.dNSName, "localhost")});
            X509CertificateHolder leaf = builder(issuer, 2, now, new X500Name("CN=sandbox"), server)
                    .addExtension(Extension.subjectAlternativeName, false, names).build(signer);
            return new LoopbackCertificate(pem(root), pem(leaf), pem(server.getPrivate()));
        } catch (GeneralSecurityException | OperatorCreationException | IOException e) {
            throw new IllegalStateException("this JVM cannot make an EC certificate", e);
        }
    }

    private static JcaX509v3CertificateBuilder builder(X500Name issuer, int serial, Instant now, X500Name subject, KeyPair keys) {
        return new JcaX509v3CertificateBuilder(issuer, BigInteger.valueOf(serial), Date.from(now.minus(Duration.ofDays(1))),
                Date.from(now.plus(Duration.ofDays(365))), subject, keys.getPublic());
    }

    private static KeyPair keys() throws GeneralSecurityException {
        KeyPairGenerator generator = KeyPairGenerator.getInstance("EC");
        generator.initialize(new ECGenParameterSpec("secp256r1"));
        return generator.generateKeyPair();
    }

    private static String pem(Object object) throws IOException {
        StringWriter text = new StringWriter();
        try (JcaPEMWriter writer = new JcaPEMWriter(text)) {
            writer.writeObject(object instanceof java.security.PrivateKey key
                    ? new org.bouncycastle.openssl.jcajce.JcaPKCS8Generator(key, null)
                    : object);
        }
        return text.toString();
    }
}
