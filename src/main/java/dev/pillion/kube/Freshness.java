package dev.pillion.kube;

import java.util.Optional;

/** When the list began on which a view rests, and who waits for a later one. Times are nanoseconds of the monotonic clock. Safe for all threads. */
final class Freshness {
    private Optional<Long> running = Optional.empty();
    private Optional<Long> complete = Optional.empty();
    private boolean wanted;
    private boolean stopped;

    /** @param end ends the present list or watch if a new list is needed; no list begins while it runs */
    synchronized void want(long since, Runnable end) {
        if (!isNoOlder(complete, since) && !isNoOlder(running, since)) {
            wanted = true;
            end.run();
        }
    }

    /** Whether somebody waits for a list that has not begun. */
    synchronized boolean isWanted() {
        return wanted;
    }

    synchronized void begins(long now) {
        running = Optional.of(now);
        wanted = false;
    }

    synchronized void ends() {
        complete = running;
        running = Optional.empty();
        notifyAll();
    }

    /** @throws InterruptedException also when it was stopped */
    synchronized void await(long since) throws InterruptedException {
        while (!isNoOlder(complete, since)) {
            if (stopped) {
                throw new InterruptedException("the watch is stopped");
            }
            wait();
        }
    }

    synchronized void stop() {
        stopped = true;
        notifyAll();
    }

    private static boolean isNoOlder(Optional<Long> began, long since) {
        return began.isPresent() && began.get() - since >= 0;
    }
}
