package dev.pillion.startup;

import java.time.Duration;
import java.util.Set;

import dev.pillion.queue.RateLimiter;

/**
 * How the start of Pods is served.
 *
 * @param parallel Pods in work at a time
 * @param limits waits of a Pod whose requests fail
 * @param keySeen after this time a container should have found a key that is there; if not, the ConfigMap is read anew
 * @param lookAgain after this time any Pod that waits is looked at again although nothing was heard of it, and its ConfigMap is read anew
 * @param lookAgainMost the longest such time; it grows while nothing moves
 * @param patience a Pod that waits for longer is told of
 */
public record StartupOptions(Set<Feature> features, int parallel, RateLimiter.Limits limits, Duration keySeen, Duration lookAgain,
        Duration lookAgainMost, Duration patience) {

    public StartupOptions {
        features = Set.copyOf(features);
    }

    public static StartupOptions of(Set<Feature> features) {
        return new StartupOptions(features, 16, new RateLimiter.Limits(Duration.ofMillis(100), Duration.ofMinutes(1), 50, 200),
                Duration.ofSeconds(5), Duration.ofSeconds(30), Duration.ofMinutes(10), Duration.ofMinutes(5));
    }

    boolean serves(Feature feature) {
        return features.contains(feature);
    }
}
