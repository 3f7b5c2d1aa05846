package dev.pillion.kube;

/** Where changes come from: the watches of all kinds. */
public interface ChangeSource {
    /** Starts all watches and returns at once. */
    void start(Changes changes);

    /**
     * Blocks until the views of all kinds rest on lists that began at this time or later, and everything in them has been told; lists anew
     * where they don't. Needs no time when they do.
     *
     * @param since nanoseconds of the monotonic clock
     * @throws InterruptedException also when the watches are stopped meanwhile
     */
    void refresh(long since) throws InterruptedException;

    /** Ends all watches; no callback comes afterwards. May block for a few seconds. */
    void stop();
}
