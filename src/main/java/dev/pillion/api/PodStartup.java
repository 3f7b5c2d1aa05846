package dev.pillion.api;

import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * What stands between a Pod and its start or its readiness, as far as it is ours (neighbours.md 1.4, 2.2). {@link #NONE} for nearly all
 * Pods, so that it costs them one reference.
 *
 * @param launch empty when the Pod has no barriers, or all are released and no container misses its key
 */
public record PodStartup(ReadyGate gate, Optional<Launch> launch) {
    public static final PodStartup NONE = new PodStartup(new ReadyGate.Settled(), Optional.empty());

    /** The same values, and {@link #NONE} itself for nothing. */
    public static PodStartup of(ReadyGate gate, Optional<Launch> launch) {
        return launch.isEmpty() && gate instanceof ReadyGate.Settled ? NONE : new PodStartup(gate, launch);
    }

    /** The readiness gate KruisePodReady and its condition. */
    public sealed interface ReadyGate {
        /** There is no such gate, or the condition is True. */
        record Settled() implements ReadyGate {
        }

        /** The gate is there, the condition is not. */
        record Unset() implements ReadyGate {
        }

        /** Somebody holds the Pod back, also by an empty status. since: text of lastTransitionTime as stored, "" when absent. */
        record Closed(String since, String message) implements ReadyGate {
        }
    }

    /**
     * Containers that start one after the other.
     *
     * @param barriers one per container that has any, in the Pod's order
     * @param completed whether the Pod says that all keys are there
     * @param unconfigured names of containers that wait for their configuration
     * @param ended names of containers that have terminated
     */
    public record Launch(List<Barrier> barriers, boolean completed, Set<String> unconfigured, Set<String> ended) {
        public Launch {
            barriers = List.copyOf(barriers);
            unconfigured = Set.copyOf(unconfigured);
            ended = Set.copyOf(ended);
        }

        /** Empty when nothing is left to do. */
        public static Optional<Launch> of(List<Barrier> barriers, boolean completed, Set<String> unconfigured, Set<String> ended) {
            boolean settled = completed && barriers.stream().noneMatch(b -> unconfigured.contains(b.container()));
            return barriers.isEmpty() || settled ? Optional.empty() : Optional.of(new Launch(barriers, completed, unconfigured, ended));
        }
    }

    /** A container's barrier: the greater number starts earlier; key is the one of the ConfigMap, exactly as the container asks for it. */
    public record Barrier(String container, String key, long number) {
        private static final String PREFIX = "p_";

        /** Empty for a key that is not p_ and a whole number of 64 bits (neighbours.md 1.6, trap 1). */
        public static Optional<Barrier> of(String container, String key) {
            if (!isKey(key)) {
                return Optional.empty();
            }
            try {
                return Optional.of(new Barrier(container, key, Long.parseLong(key.substring(PREFIX.length()))));
            } catch (NumberFormatException e) {
                return Optional.empty();
            }
        }

        private static boolean isKey(String key) {
            int digits = key.startsWith("-", PREFIX.length()) ? PREFIX.length() + 1 : PREFIX.length();
            return key.startsWith(PREFIX) && key.length() > digits && key.chars().skip(digits).allMatch(c -> c >= '0' && c <= '9');
        }
    }
}
