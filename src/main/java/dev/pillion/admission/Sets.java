package dev.pillion.admission;

/** What both SidecarSet webhooks look at first. */
final class Sets {
    private Sets() {
    }

    /** Whether the review writes a set itself: neither its status nor another operation (FR-23). */
    static boolean isWrite(Review review) {
        return review.subResource().isEmpty() && (review.operation().equals("CREATE") || review.operation().equals("UPDATE"));
    }
}
