package dev.pillion.kube;

/** Where changes come from: the watches of all kinds. */
public interface ChangeSource {
    /** Starts all watches and returns at once. */
    void start(Changes changes);

    /** Ends all watches; no callback comes afterwards. May block for a few seconds. */
    void stop();
}
