package dev.pillion.certs;

import java.security.GeneralSecurityException;
import java.security.cert.CertificateParsingException;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** What must be made anew; pure. */
enum Renewal {
    NOTHING, SERVING, AUTHORITY;

    /**
     * Decides.
     * 1. The CA anew when it cannot be read, is not valid yet, or would end before a serving certificate made now.
     * 2. The serving certificate anew when it cannot be read, is not of this CA, lacks a name, or a third of its life or less is left.
     */
    static Renewal of(Credentials credentials, Instant now, List<String> names) {
        X509Certificate authority;
        try {
            authority = Pem.readCertificate(credentials.authority().certificatePem());
            Pem.readPrivateKey(credentials.authority().keyPem());
        } catch (GeneralSecurityException | IllegalArgumentException e) {
            return AUTHORITY;
        }
        boolean endsTooSoon = authority.getNotAfter().toInstant().isBefore(now.plus(CertMaker.SERVING_LIFE));
        if (endsTooSoon || authority.getNotBefore().toInstant().isAfter(now)) {
            return AUTHORITY;
        }
        return isServingGood(credentials, authority, now, names) ? NOTHING : SERVING;
    }

    private static boolean isServingGood(Credentials credentials, X509Certificate authority, Instant now, List<String> names) {
        try {
            X509Certificate serving = Pem.readCertificate(credentials.serving().certificatePem());
            Pem.readPrivateKey(credentials.serving().keyPem());
            serving.verify(authority.getPublicKey());
            Instant start = serving.getNotBefore().toInstant();
            Instant end = serving.getNotAfter().toInstant();
            Instant due = end.minus(Duration.between(start, end).dividedBy(3));
            return !start.isAfter(now) && now.isBefore(due) && namesOf(serving).containsAll(names);
        } catch (GeneralSecurityException | IllegalArgumentException e) {
            return false;
        }
    }

    private static Set<String> namesOf(X509Certificate certificate) throws CertificateParsingException {
        Set<String> names = new HashSet<>();
        Collection<List<?>> alternatives = certificate.getSubjectAlternativeNames();
        if (alternatives != null) {
            alternatives.forEach(a -> names.add(String.valueOf(a.get(1))));
        }
        return names;
    }
}
