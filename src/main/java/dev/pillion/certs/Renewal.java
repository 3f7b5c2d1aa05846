package dev.pillion.certs;

import java.security.GeneralSecurityException;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** What must be done next with the shared certificates; pure. At most one step at a time. */
enum Renewal {
    /** All is well. */
    NOTHING,
    /** There is no usable CA: make everything anew. */
    FRESH,
    /** Make the next CA, to be told to the API server beside the current one. */
    STAGE,
    /** The next CA is known everywhere: sign with it. */
    PROMOTE,
    /** A new serving certificate of the same CA. */
    SERVING,
    /** No replica serves under the old CA any more. */
    RETIRE;

    /** Every replica looks several times in this span, so none still serves what the Secret no longer holds (CertVerticle). */
    static final Duration OVERLAP = Duration.ofHours(1);

    /** Whether the API server has known the next CA for long enough. */
    enum Told {
        NO, YES
    }

    /**
     * Decides.
     * 1. The CA cannot be read, is not valid yet or has ended: PROMOTE the next CA if that one is good, else FRESH.
     * 2. The serving certificate cannot be read, is not of this CA, lacks a name, or a third of its life or less is left: SERVING.
     * 3. A next CA that cannot be used: STAGE. One that was told for long enough: PROMOTE.
     * 4. The CA would end before a serving certificate made now, and there is no next one: STAGE.
     * 5. An old CA is still told although the certificate in use is older than OVERLAP: RETIRE.
     */
    static Renewal of(CertState state, Instant now, List<String> names, Told told) {
        Optional<X509Certificate> authority = authority(state.current().authority(), now);
        Optional<X509Certificate> staged = state.staged().flatMap(s -> authority(s, now));
        if (authority.isEmpty()) {
            return staged.isPresent() ? PROMOTE : FRESH;
        }
        Optional<X509Certificate> serving = serving(state.current().serving(), authority.get());
        if (serving.isEmpty() || !isFresh(serving.get(), now) || !Pem.namesOf(serving.get()).containsAll(names)) {
            return SERVING;
        }
        if (state.staged().isPresent() && staged.isEmpty()) {
            return STAGE;
        }
        if (staged.isPresent() && told == Told.YES) {
            return PROMOTE;
        }
        if (staged.isEmpty() && authority.get().getNotAfter().toInstant().isBefore(now.plus(CertMaker.SERVING_LIFE))) {
            return STAGE;
        }
        boolean overlapOver = !serving.get().getNotBefore().toInstant().plus(CertMaker.SKEW).plus(OVERLAP).isAfter(now);
        return state.retired().isPresent() && overlapOver ? RETIRE : NOTHING;
    }

    private static Optional<X509Certificate> authority(Credentials.Pair pair, Instant now) {
        try {
            X509Certificate certificate = Pem.readCertificate(pair.certificatePem());
            Pem.readPrivateKey(pair.keyPem());
            boolean valid = !certificate.getNotBefore().toInstant().isAfter(now) && certificate.getNotAfter().toInstant().isAfter(now);
            return valid && certificate.getBasicConstraints() >= 0 ? Optional.of(certificate) : Optional.empty();
        } catch (GeneralSecurityException | IllegalArgumentException _) {
            return Optional.empty();
        }
    }

    private static Optional<X509Certificate> serving(Credentials.Pair pair, X509Certificate authority) {
        try {
            X509Certificate certificate = Pem.readCertificate(pair.certificatePem());
            Pem.readPrivateKey(pair.keyPem());
            certificate.verify(authority.getPublicKey());
            return Optional.of(certificate);
        } catch (GeneralSecurityException | IllegalArgumentException _) {
            return Optional.empty();
        }
    }

    private static boolean isFresh(X509Certificate serving, Instant now) {
        Instant start = serving.getNotBefore().toInstant();
        Instant end = serving.getNotAfter().toInstant();
        Instant due = end.minus(Duration.between(start, end).dividedBy(3));
        return !start.isAfter(now) && now.isBefore(due);
    }
}
