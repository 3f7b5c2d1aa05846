package dev.pillion.sim;

import java.time.Duration;
import java.util.random.RandomGenerator;
import java.util.regex.Pattern;

/**
 * How the simulated cluster behaves.
 *
 * @param start from a new Pod on a node to running and ready
 * @param restart from a stopped container to the new one being ready
 * @param stop from a Pod's deletion to its removal
 * @param neverReady images that can never be pulled; matched anywhere in the image text
 * @param nodes number of nodes to spread Pods over
 * @param parallel requests in flight at most, per simulator
 * @param seed of the random delays
 */
public record SimOptions(Delay start, Delay restart, Delay stop, Pattern neverReady, int nodes, int parallel, long seed) {

    /** A time between two bounds, both included. */
    public record Delay(Duration least, Duration most) {
        public static Delay of(long leastMillis, long mostMillis) {
            return new Delay(Duration.ofMillis(leastMillis), Duration.ofMillis(mostMillis));
        }

        Duration draw(RandomGenerator random) {
            return Duration.ofMillis(random.nextLong(least.toMillis(), most.toMillis() + 1));
        }
    }

    /** Pods start in half a second to a second, containers restart in one to two, and images that contain "never-ready" or "bad" as a tag never come. */
    public static SimOptions defaults() {
        return new SimOptions(Delay.of(500, 1000), Delay.of(1000, 2000), Delay.of(200, 500), Pattern.compile("never-ready|:bad"), 3, 16, 1);
    }

    public SimOptions withDelays(Delay newStart, Delay newRestart, Delay newStop) {
        return new SimOptions(newStart, newRestart, newStop, neverReady, nodes, parallel, seed);
    }

    public SimOptions withNeverReady(Pattern pattern) {
        return new SimOptions(start, restart, stop, pattern, nodes, parallel, seed);
    }

    boolean canPull(String image) {
        return !neverReady.matcher(image).find();
    }
}
