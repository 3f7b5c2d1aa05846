package dev.pillion.rollout;

import java.time.Duration;

import dev.pillion.match.ImageCompare;

/** Everything a trap marked fix or a setting changes. REFERENCE behaves as the original, PILLION is the default. */
public record RolloutOptions(Budget budget, ImageCompare imageCompare, Faults faults, Duration expectationDeadline) {
    /** Setting rollout.budget (rollout.md 16.3). */
    public enum Budget {
        COMPATIBLE, STRICT
    }

    /** The traps marked fix of rollout.md 16.2: as in the original, or mended. */
    public enum Faults {
        KEPT, FIXED
    }

    public static final RolloutOptions REFERENCE = new RolloutOptions(Budget.COMPATIBLE, ImageCompare.LITERAL, Faults.KEPT,
            Duration.ofDays(365));
    public static final RolloutOptions PILLION = new RolloutOptions(Budget.COMPATIBLE, ImageCompare.NORMALIZED, Faults.FIXED,
            Duration.ofSeconds(30));

    public boolean fixesFaults() {
        return faults == Faults.FIXED;
    }
}
