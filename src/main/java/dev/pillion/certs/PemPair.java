package dev.pillion.certs;

import java.io.IOException;
import java.io.StringReader;
import java.security.GeneralSecurityException;
import java.security.InvalidKeyException;
import java.security.KeyFactory;
import java.security.PrivateKey;
import java.security.Signature;
import java.security.cert.CertificateException;
import java.security.cert.CertificateExpiredException;
import java.security.cert.X509Certificate;
import java.security.spec.InvalidKeySpecException;
import java.security.spec.PKCS8EncodedKeySpec;
import java.time.Instant;

import org.bouncycastle.asn1.pkcs.PrivateKeyInfo;
import org.bouncycastle.openssl.PEMKeyPair;
import org.bouncycastle.openssl.PEMParser;

/**
 * A certificate and its key from somebody else's files, checked: they belong together and have not ended.
 *
 * @param keyPem PKCS 8, whatever form the file had: cert-manager writes PKCS 1 unless told otherwise
 */
record PemPair(String keyPem, Instant ends) {
    private static final String OTHER_KEY = "the key is not that of the certificate";

    /**
     * Reads a chain of certificates, the serving one first, and its key in PKCS 1, SEC 1 or PKCS 8.
     *
     * @throws GeneralSecurityException whose message says what is wrong; it never holds a part of the key
     */
    static PemPair read(String certificates, String key, Instant now) throws GeneralSecurityException {
        X509Certificate certificate = certificate(certificates);
        Instant ends = certificate.getNotAfter().toInstant();
        if (!ends.isAfter(now)) {
            throw new CertificateExpiredException("the certificate ended at " + ends);
        }
        PrivateKey privateKey = privateKey(key, certificate.getPublicKey().getAlgorithm());
        if (!fit(certificate, privateKey)) {
            throw new InvalidKeyException(OTHER_KEY);
        }
        return new PemPair(Pem.privateKey(privateKey.getEncoded()), ends);
    }

    private static X509Certificate certificate(String pem) throws CertificateException {
        try {
            return Pem.readCertificate(pem);
        } catch (CertificateException e) {
            throw new CertificateException("no certificate in PEM", e);
        }
    }

    private static PrivateKey privateKey(String pem, String algorithm) throws GeneralSecurityException {
        byte[] pkcs8 = pkcs8(pem);
        try {
            return KeyFactory.getInstance(algorithm).generatePrivate(new PKCS8EncodedKeySpec(pkcs8));
        } catch (InvalidKeySpecException _) {
            throw new InvalidKeyException(OTHER_KEY);
        }
    }

    private static byte[] pkcs8(String pem) throws InvalidKeyException {
        try (PEMParser parser = new PEMParser(new StringReader(pem))) {
            for (Object block = parser.readObject(); block != null; block = parser.readObject()) {
                // Before an elliptic curve key some tools write its parameters in a block of their own.
                if (block instanceof PEMKeyPair pair) {
                    return pair.getPrivateKeyInfo().getEncoded();
                } else if (block instanceof PrivateKeyInfo info) {
                    return info.getEncoded();
                }
            }
        } catch (IOException | RuntimeException _) {
            // Its message could hold a part of the file.
            throw new InvalidKeyException("the key cannot be read; it must be unencrypted PEM: PKCS 8, PKCS 1 or SEC 1");
        }
        throw new InvalidKeyException("no private key in PEM; it must be unencrypted: PKCS 8, PKCS 1 or SEC 1");
    }

    private static boolean fit(X509Certificate certificate, PrivateKey key) throws GeneralSecurityException {
        if (!certificate.getPublicKey().getAlgorithm().equals(key.getAlgorithm())) {
            return false;
        }
        String algorithm = switch (key.getAlgorithm()) {
            case "EC" -> "SHA256withECDSA";
            case "RSA" -> "SHA256withRSA";
            default -> key.getAlgorithm();
        };
        byte[] text = new byte[32];
        Signature signer = Signature.getInstance(algorithm);
        signer.initSign(key);
        signer.update(text);
        byte[] signature = signer.sign();
        Signature verifier = Signature.getInstance(algorithm);
        verifier.initVerify(certificate.getPublicKey());
        verifier.update(text);
        return verifier.verify(signature);
    }

    @Override
    public String toString() {
        return "PemPair[ends=" + ends + "]";
    }
}
