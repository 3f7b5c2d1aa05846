package dev.pillion.certs;

/** The CA and the serving certificate it signed, each with its key, as PEM. Never logged. */
public record Credentials(Pair authority, Pair serving) {

    /** A certificate and its private key (PKCS 8), as PEM. */
    public record Pair(String certificatePem, String keyPem) {
        @Override
        public String toString() {
            return "Pair";
        }
    }
}
