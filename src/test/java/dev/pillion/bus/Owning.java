package dev.pillion.bus;

/** Ownership for tests that are about something else. */
public final class Owning {
    private Owning() {
    }

    /** One process that owns the one slot for ever. */
    public static Ownership everything() {
        Ownership ownership = new Ownership(new Slots(1), () -> 0);
        ownership.begin(Slots.FIRST, 1, Long.MAX_VALUE);
        return ownership;
    }
}
