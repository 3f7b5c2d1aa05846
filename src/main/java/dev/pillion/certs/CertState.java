package dev.pillion.certs;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * What the shared Secret holds: the CA and the certificate in use, a next CA while its turn has not come, and the CA before, as long as a
 * replica may still serve under it. Never logged.
 *
 * @param retired PEM of the certificate of the CA before; its key is gone
 */
record CertState(Credentials current, Optional<Credentials.Pair> staged, Optional<String> retired) {
    private static final String AUTHORITY = "ca.crt";
    private static final String AUTHORITY_KEY = "ca.key";
    private static final String SERVING = "tls.crt";
    private static final String SERVING_KEY = "tls.key";
    private static final String STAGED = "next-ca.crt";
    private static final String STAGED_KEY = "next-ca.key";
    private static final String RETIRED = "old-ca.crt";

    static CertState of(Credentials current) {
        return new CertState(current, Optional.empty(), Optional.empty());
    }

    /** Reads the Secret's entries; a missing one counts as empty text, which no later step takes for a certificate. */
    static CertState read(Map<String, String> data) {
        Credentials current = new Credentials(pair(data, AUTHORITY, AUTHORITY_KEY), pair(data, SERVING, SERVING_KEY));
        Optional<Credentials.Pair> staged = data.containsKey(STAGED) ? Optional.of(pair(data, STAGED, STAGED_KEY)) : Optional.empty();
        return new CertState(current, staged, Optional.ofNullable(data.get(RETIRED)).filter(Pem::isCertificate));
    }

    private static Credentials.Pair pair(Map<String, String> data, String certificate, String key) {
        return new Credentials.Pair(data.getOrDefault(certificate, ""), data.getOrDefault(key, ""));
    }

    /** The Secret's entries. */
    Map<String, String> data() {
        Map<String, String> data = new LinkedHashMap<>();
        data.put(AUTHORITY, current.authority().certificatePem());
        data.put(AUTHORITY_KEY, current.authority().keyPem());
        data.put(SERVING, current.serving().certificatePem());
        data.put(SERVING_KEY, current.serving().keyPem());
        staged.ifPresent(s -> {
            data.put(STAGED, s.certificatePem());
            data.put(STAGED_KEY, s.keyPem());
        });
        retired.ifPresent(r -> data.put(RETIRED, r));
        return data;
    }

    /** All CAs that a replica may serve under now or soon, as PEM: what the API server must trust. */
    String bundle() {
        return current.authority().certificatePem() + staged.map(Credentials.Pair::certificatePem).orElse("") + retired.orElse("");
    }

    CertState withCurrent(Credentials next) {
        return new CertState(next, staged, retired);
    }

    CertState withStaged(Credentials.Pair next) {
        return new CertState(current, Optional.of(next), retired);
    }

    CertState withRetired(Optional<String> authorityPem) {
        return new CertState(current, staged, authorityPem);
    }

    @Override
    public String toString() {
        return "CertState";
    }
}
