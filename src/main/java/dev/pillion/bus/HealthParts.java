package dev.pillion.bus;

/** Names of the parts that report on {@link Addresses#HEALTH}. */
public final class HealthParts {
    /** The queue's loop; beats every five seconds. */
    public static final String QUEUE = "queue";
    /** Beats every five seconds while all workers take messages; a dead one is told once, then the beat stops. */
    public static final String WORKERS = "workers";
    /** Not ok while a key is in work for longer than queue.stuck-after. */
    public static final String STUCK = "stuck-keys";
    /** First lists complete and no watch silent for longer than health.watch-silence. */
    public static final String WATCH = "watch";
    /** Not ok while Leases cannot be read or written, or the installation has another number of slots. Never needed to be ready. */
    public static final String SHARD = "shard";
    public static final String ADMISSION = "admission";
    public static final String CERTS = "certs";
    /** Said by the program itself: ok once everything is deployed and warm, not ok from the stop signal on. */
    public static final String PROGRAM = "program";

    private HealthParts() {
    }
}
