package dev.pillion.app;

import java.time.Duration;
import java.util.concurrent.locks.LockSupport;

/** A node that runs what the Pods of a {@link Trial} ask for, in the background, and lives through an API server that is away. */
final class QuickNode implements AutoCloseable {
    private static final Duration PAUSE = Duration.ofMillis(200);

    private final Trial trial;
    private final Thread thread;
    private volatile boolean ended;

    QuickNode(Trial trial) {
        this.trial = trial;
        this.thread = Thread.ofVirtual().start(this::run);
    }

    private void run() {
        while (!ended) {
            try {
                trial.play(_ -> !ended);
            } catch (RuntimeException | AssertionError e) {
                // The API server does not answer as it should: a node tries again.
            }
            LockSupport.parkNanos(PAUSE.toNanos());
        }
    }

    @Override
    public void close() {
        ended = true;
        try {
            thread.join();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
