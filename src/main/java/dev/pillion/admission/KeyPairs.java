package dev.pillion.admission;

import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.InvalidKeyException;
import java.security.PrivateKey;
import java.security.Signature;
import java.security.cert.X509Certificate;
import java.util.Arrays;
import java.util.Map;
import java.util.stream.Stream;

import javax.net.ssl.KeyManager;
import javax.net.ssl.X509KeyManager;

/** Whether certificates and private keys belong together. A TLS engine does not ask when it is given them: it fails on each handshake. */
final class KeyPairs {
    private static final byte[] TEXT = "signed to see whether it verifies".getBytes(StandardCharsets.US_ASCII);
    private static final Map<String, String> SIGNATURES = Map.of("EC", "SHA256withECDSA", "RSA", "SHA256withRSA", "EdDSA", "EdDSA");
    private static final String[] TYPES = SIGNATURES.keySet().toArray(String[]::new);

    private KeyPairs() {
    }

    /**
     * Tries every pair of the managers.
     *
     * @throws GeneralSecurityException when a key is not that of its certificate, or when there is none at all
     */
    static void check(KeyManager[] managers) throws GeneralSecurityException {
        int pairs = 0;
        for (KeyManager manager : managers) {
            if (manager instanceof X509KeyManager keys) {
                for (String alias : Arrays.stream(TYPES).flatMap(t -> aliases(keys, t)).distinct().toList()) {
                    check(keys.getPrivateKey(alias), keys.getCertificateChain(alias)[0]);
                    pairs++;
                }
            }
        }
        if (pairs == 0) {
            throw new InvalidKeyException("there is no certificate with a private key of type EC, RSA or EdDSA");
        }
    }

    private static Stream<String> aliases(X509KeyManager keys, String type) {
        String[] aliases = keys.getServerAliases(type, null);
        return aliases == null ? Stream.empty() : Arrays.stream(aliases);
    }

    private static void check(PrivateKey key, X509Certificate certificate) throws GeneralSecurityException {
        String algorithm = SIGNATURES.getOrDefault(key.getAlgorithm(), key.getAlgorithm());
        Signature signer = Signature.getInstance(algorithm);
        signer.initSign(key);
        signer.update(TEXT);
        byte[] signature = signer.sign();
        Signature verifier = Signature.getInstance(algorithm);
        verifier.initVerify(certificate.getPublicKey());
        verifier.update(TEXT);
        if (!verifier.verify(signature)) {
            throw new InvalidKeyException("the private key is not that of the certificate");
        }
    }
}
