package dev.pillion.watch;

import java.time.Duration;

import dev.pillion.match.ImageCompare;

/**
 * What the traps marked fix of events.md 7 and the settings change.
 *
 * @param consistencyDelay setting events.consistency-delay (trap 7.21)
 * @param notUpdateStatus setting events.not-update-status (trap 7.2)
 * @param gaps changes the reference overlooks although the status depends on them (traps 7.1, 7.3, 7.4, 7.6, 7.7, FR-38, FR-41)
 * @param images setting rollout.image-compare
 */
public record WatchOptions(Duration consistencyDelay, NotUpdateStatus notUpdateStatus, Gaps gaps, ImageCompare images) {
    /** Whether updates of Pods reach sets of type NotUpdate. */
    public enum NotUpdateStatus {
        LIVE, FROZEN
    }

    /** Whether overlooked changes stay overlooked. */
    public enum Gaps {
        KEPT, CLOSED
    }

    public static final WatchOptions REFERENCE = new WatchOptions(Duration.ofSeconds(5), NotUpdateStatus.FROZEN, Gaps.KEPT,
            ImageCompare.LITERAL);
    public static final WatchOptions PILLION = new WatchOptions(Duration.ZERO, NotUpdateStatus.LIVE, Gaps.CLOSED, ImageCompare.NORMALIZED);
}
