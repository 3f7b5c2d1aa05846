package dev.pillion.certs;

import java.io.IOException;
import java.math.BigInteger;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.security.SecureRandom;
import java.security.cert.X509Certificate;
import java.security.spec.ECGenParameterSpec;
import java.time.Duration;
import java.time.Instant;
import java.util.Date;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

import org.bouncycastle.asn1.x500.X500Name;
import org.bouncycastle.asn1.x509.BasicConstraints;
import org.bouncycastle.asn1.x509.ExtendedKeyUsage;
import org.bouncycastle.asn1.x509.Extension;
import org.bouncycastle.asn1.x509.GeneralName;
import org.bouncycastle.asn1.x509.GeneralNames;
import org.bouncycastle.asn1.x509.KeyPurposeId;
import org.bouncycastle.asn1.x509.KeyUsage;
import org.bouncycastle.cert.X509v3CertificateBuilder;
import org.bouncycastle.cert.jcajce.JcaX509ExtensionUtils;
import org.bouncycastle.cert.jcajce.JcaX509v3CertificateBuilder;
import org.bouncycastle.operator.OperatorCreationException;
import org.bouncycastle.operator.jcajce.JcaContentSignerBuilder;

/**
 * Makes an own CA and serving certificates with elliptic curve keys (P-256). Knows neither clock nor storage.
 */
public final class CertMaker {
    static final Duration AUTHORITY_LIFE = Duration.ofDays(3650);
    static final Duration SERVING_LIFE = Duration.ofDays(90);
    /** Clocks of API servers may be behind ours. */
    static final Duration SKEW = Duration.ofHours(1);
    private static final String SIGNATURE = "SHA256withECDSA";
    /** Replicas outside the cluster may be reached under several names; each adds its own and keeps those of the others. */
    private static final int MOST_NAMES = 32;

    private final SecureRandom random;
    private final List<String> names;

    /**
     * Takes the source of keys and serial numbers, and what the API server calls us.
     *
     * @param names DNS names and IP addresses of the server, at least one
     */
    public CertMaker(SecureRandom random, List<String> names) {
        if (names.isEmpty()) {
            throw new IllegalArgumentException("a serving certificate needs at least one name");
        }
        this.random = random;
        this.names = List.copyOf(names);
    }

    List<String> names() {
        return names;
    }

    /** A new CA and a serving certificate signed by it. */
    public Credentials fresh(Instant now) {
        Credentials.Pair authority = authority(now);
        return new Credentials(authority, signed(authority, names, now));
    }

    /** A new CA. */
    Credentials.Pair authority(Instant now) {
        try {
            KeyPair keys = keys();
            // The serial number in the name keeps two generations of the CA apart in one bundle.
            BigInteger serial = serial();
            X500Name name = new X500Name("CN=pillion-ca-" + serial.toString(16).substring(0, 8));
            X509v3CertificateBuilder builder = new JcaX509v3CertificateBuilder(name, serial, Date.from(now.minus(SKEW)),
                    Date.from(now.plus(AUTHORITY_LIFE)), name, keys.getPublic());
            builder.addExtension(Extension.basicConstraints, true, new BasicConstraints(0));
            builder.addExtension(Extension.keyUsage, true, new KeyUsage(KeyUsage.keyCertSign | KeyUsage.cRLSign));
            builder.addExtension(Extension.subjectKeyIdentifier, false,
                    new JcaX509ExtensionUtils().createSubjectKeyIdentifier(keys.getPublic()));
            return sign(builder, keys.getPrivate(), keys.getPrivate());
        } catch (GeneralSecurityException | IOException | OperatorCreationException e) {
            throw new IllegalStateException("this JVM cannot make a CA", e);
        }
    }

    /** A new serving certificate of the same CA, which also keeps the names of the old one. */
    Credentials renewServing(Credentials old, Instant now) {
        Set<String> all = new LinkedHashSet<>(names);
        all.addAll(Pem.namesOf(old.serving().certificatePem()));
        return new Credentials(old.authority(), signed(old.authority(), all.stream().limit(MOST_NAMES).toList(), now));
    }

    private Credentials.Pair signed(Credentials.Pair authority, List<String> all, Instant now) {
        try {
            return serving(authority, all, now);
        } catch (GeneralSecurityException | IOException | OperatorCreationException e) {
            throw new IllegalStateException("this JVM cannot make a serving certificate", e);
        }
    }

    private Credentials.Pair serving(Credentials.Pair authority, List<String> all, Instant now)
            throws GeneralSecurityException, IOException, OperatorCreationException {
        X509Certificate ca = Pem.readCertificate(authority.certificatePem());
        KeyPair keys = keys();
        PublicKey publicKey = keys.getPublic();
        Instant end = now.plus(SERVING_LIFE);
        Instant caEnd = ca.getNotAfter().toInstant();
        X509v3CertificateBuilder builder = new JcaX509v3CertificateBuilder(ca, serial(), Date.from(now.minus(SKEW)),
                Date.from(end.isBefore(caEnd) ? end : caEnd), new X500Name("CN=pillion-webhook"), publicKey);
        builder.addExtension(Extension.basicConstraints, true, new BasicConstraints(false));
        builder.addExtension(Extension.keyUsage, true, new KeyUsage(KeyUsage.digitalSignature));
        builder.addExtension(Extension.extendedKeyUsage, false, new ExtendedKeyUsage(KeyPurposeId.id_kp_serverAuth));
        builder.addExtension(Extension.authorityKeyIdentifier, false, new JcaX509ExtensionUtils().createAuthorityKeyIdentifier(ca));
        builder.addExtension(Extension.subjectAlternativeName, false,
                new GeneralNames(all.stream().map(CertMaker::generalName).toArray(GeneralName[]::new)));
        return sign(builder, Pem.readPrivateKey(authority.keyPem()), keys.getPrivate());
    }

    private static GeneralName generalName(String name) {
        return new GeneralName(isAddress(name) ? GeneralName.iPAddress : GeneralName.dNSName, name);
    }

    static boolean isAddress(String name) {
        return name.contains(":") || name.matches("[0-9]{1,3}(\\.[0-9]{1,3}){3}");
    }

    private static Credentials.Pair sign(X509v3CertificateBuilder builder, PrivateKey signer, PrivateKey own)
            throws IOException, OperatorCreationException {
        byte[] der = builder.build(new JcaContentSignerBuilder(SIGNATURE).build(signer)).getEncoded();
        return new Credentials.Pair(Pem.certificate(der), Pem.privateKey(own.getEncoded()));
    }

    private KeyPair keys() throws GeneralSecurityException {
        KeyPairGenerator generator = KeyPairGenerator.getInstance("EC");
        generator.initialize(new ECGenParameterSpec("secp256r1"), random);
        return generator.generateKeyPair();
    }

    /** Positive and of full length. */
    private BigInteger serial() {
        return new BigInteger(126, random).setBit(126);
    }
}
