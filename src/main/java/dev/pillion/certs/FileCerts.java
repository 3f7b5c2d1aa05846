package dev.pillion.certs;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Optional;

import dev.pillion.bus.BusMessage.CertChanged;

/**
 * A certificate that somebody else keeps in two files (setting certs.external), as cert-manager mounts them: nothing is written anywhere,
 * caBundle included. The content counts, not names or times, so a mounted Secret that is exchanged as a whole is seen (FR-68). A pair that
 * cannot be used is refused with its reason, and the one before stays.
 */
public final class FileCerts implements CertSource {
    private static final String CERTIFICATE = "tls.crt";
    private static final String KEY = "tls.key";

    private final Path directory;
    private final InstantSource clock;
    private Optional<Serving> serving = Optional.empty();

    /** @param sources both files as they are, to see whether something changed */
    private record Serving(Sources sources, Instant ends) {
    }

    private record Sources(String certificates, String key) {
        @Override
        public String toString() {
            return "Sources";
        }
    }

    public FileCerts(Path directory, InstantSource clock) {
        this.directory = directory;
        this.clock = clock;
    }

    @Override
    public Look look(Look.Telling telling) {
        Instant now = clock.instant();
        try {
            Sources sources = new Sources(read(CERTIFICATE), read(KEY));
            if (serving.isPresent() && serving.get().sources.equals(sources)) {
                return state(now, "");
            }
            PemPair pair = PemPair.read(sources.certificates, sources.key, now);
            serving = Optional.of(new Serving(sources, pair.ends()));
            return new Look.Changed(new CertChanged(sources.certificates, pair.keyPem()), pair.ends());
        } catch (GeneralSecurityException e) {
            return state(now, CERTIFICATE + " and " + KEY + " in " + directory + " cannot be used: " + e.getMessage());
        } catch (IOException e) {
            return state(now, CERTIFICATE + " and " + KEY + " in " + directory + " cannot be read: " + e);
        }
    }

    /** @param fault what is wrong with the files now, or empty */
    private Look state(Instant now, String fault) {
        if (serving.isEmpty()) {
            return new Look.Lacking(fault + "; put a certificate there, or set certs.external to false");
        }
        if (!serving.get().ends.isAfter(now)) {
            return new Look.Lacking("the certificate in " + directory + " ended at " + serving.get().ends
                    + (fault.isEmpty() ? "; put a new one there" : "; " + fault));
        }
        return fault.isEmpty() ? new Look.Settled() : new Look.Kept(fault);
    }

    private String read(String file) throws IOException {
        return new String(Files.readAllBytes(directory.resolve(file)), StandardCharsets.ISO_8859_1);
    }
}
