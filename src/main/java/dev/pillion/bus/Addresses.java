package dev.pillion.bus;

/** Addresses of the event bus. All consumers are local. */
public final class Addresses {
    public static final String QUEUE = "pillion.queue";
    public static final String SHARD = "pillion.shard";
    public static final String WATCH = "pillion.watch";
    public static final String SETS = "pillion.sets";
    public static final String CERTS = "pillion.certs";
    public static final String HEALTH = "pillion.health";

    private Addresses() {
    }

    public static String worker(int number) {
        return "pillion.worker." + number;
    }
}
