package dev.pillion.metrics;

import java.time.Instant;
import java.util.concurrent.atomic.AtomicReference;

import io.micrometer.core.instrument.Counter;

/** When the certificate that is served ends. Safe for all threads. */
public final class CertMeters {
    private final AtomicReference<Instant> ends = new AtomicReference<>(Instant.EPOCH);

    private final Counter failures;

    public CertMeters(Meters meters) {
        failures = meters.counter("pillion_certificate_failures", "Looks at the certificates that the API server did not let end well");
        meters.gauge("pillion_certificate_not_after_seconds",
                "End of the serving certificate, in seconds since 1970; 0 before there is one",
                () -> ends.get().getEpochSecond());
    }

    /** A look failed; it will be repeated. */
    public void failed() {
        failures.increment();
    }

    public void serving(Instant end) {
        ends.set(end);
    }
}
