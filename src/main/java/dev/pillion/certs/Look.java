package dev.pillion.certs;

import java.time.Instant;

import dev.pillion.bus.BusMessage.CertChanged;

/** What a look at the certificates came to. */
public sealed interface Look {
    /** Another pair is to be served from now on; look again soon. */
    record Changed(CertChanged pair, Instant ends) implements Look {
    }

    /** Nothing to do, and the API server knows what it must. */
    record Settled() implements Look {
    }

    /** What is served stays good, but something new cannot be used; the reason says what and how to mend it. */
    record Kept(String reason) implements Look {
    }

    /** There is nothing good to serve; the reason says what lacks. */
    record Lacking(String reason) implements Look {
    }

    /** Whether the API server may be told about us yet: not before the own server is warm. */
    enum Telling {
        NOT_YET, ALLOWED
    }
}
