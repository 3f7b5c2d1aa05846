package dev.pillion.rollout;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

import dev.pillion.api.PodKey;
import dev.pillion.api.PodView;

/**
 * Own writes that the local view need not show yet (events.md 5). One per Pod and uid; it ends when the Pod is seen at the written
 * resourceVersion or later, when the Pod is gone or replaced, or by a live read after its deadline (FR-27). Not safe for threads.
 */
public final class Expectations {
    /**
     * One awaited write.
     *
     * @param resourceVersion the version to be seen
     * @param hash the set's hash that an upgrade wrote; "" for any other write
     */
    record Expected(PodKey pod, String uid, String resourceVersion, String hash, Instant deadline) {
        boolean isSeenIn(PodView view) {
            return !view.uid().equals(uid) || compare(view.resourceVersion(), resourceVersion) >= 0;
        }

        boolean isOverdue(Instant now) {
            return !now.isBefore(deadline);
        }
    }

    private static final Duration FIRST_PAUSE = Duration.ofSeconds(1);
    private static final int MOST_DOUBLINGS = 5;

    /** A Pod whose update was refused: it is passed over until it changes or the time is over. times: how often in a row before. */
    private record Refusal(String uid, String resourceVersion, int times, Instant until) {
    }

    private final Map<PodKey, Expected> byPod = new LinkedHashMap<>();
    private final Map<PodKey, Refusal> refusals = new HashMap<>();

    /**
     * Remembers that the update of this very version of a Pod was refused, so that others get its turn (rollout.md 16.2 I): for a second,
     * and twice as long each further time in a row, up to 32 s.
     */
    void refused(PodView pod, Instant now) {
        Refusal before = refusals.get(pod.key());
        int times = before != null && before.uid.equals(pod.uid()) ? Math.min(before.times + 1, MOST_DOUBLINGS) : 0;
        Instant until = now.plus(FIRST_PAUSE.multipliedBy(1L << times));
        refusals.put(pod.key(), new Refusal(pod.uid(), pod.resourceVersion(), times, until));
    }

    boolean isRefused(PodView pod, Instant now) {
        Refusal refusal = refusals.get(pod.key());
        return refusal != null && refusal.uid.equals(pod.uid()) && refusal.resourceVersion.equals(pod.resourceVersion())
                && now.isBefore(refusal.until);
    }

    /** The Pod was written after all. */
    void accepted(PodKey pod) {
        refusals.remove(pod);
    }

    /** The set asks for something else now: nothing of it was refused yet. */
    void forgetRefusals() {
        refusals.clear();
    }

    /** When the next refused Pod may be tried again; those whose time is over already are no reason to come back. */
    Optional<Instant> earliestRetry(Instant now) {
        return refusals.values().stream().map(Refusal::until).filter(now::isBefore).min(Instant::compareTo);
    }

    /** Awaits the version of this answer. */
    public void expect(PodView answer, String hash, Instant deadline) {
        byPod.put(answer.key(), new Expected(answer.key(), answer.uid(), answer.resourceVersion(), hash, deadline));
    }

    /** Awaits any version after this one: the outcome of a write to it is unknown. */
    void expectAfter(PodView pod, Instant deadline) {
        String next = Long.toUnsignedString(number(pod.resourceVersion()) + 1);
        byPod.put(pod.key(), new Expected(pod.key(), pod.uid(), next, "", deadline));
    }

    /** Whether a write of this Pod is awaited that the view does not show. */
    boolean isUnseenIn(PodView pod) {
        Expected expected = byPod.get(pod.key());
        return expected != null && !expected.isSeenIn(pod);
    }

    /** Ends expectations that these Pods fulfil. */
    public void observe(Iterable<PodView> pods) {
        for (PodView pod : pods) {
            Expected expected = byPod.get(pod.key());
            if (expected != null && expected.isSeenIn(pod)) {
                byPod.remove(pod.key());
            }
        }
    }

    /** Ends the expectation of a Pod, whatever it awaits. */
    public void forget(PodKey pod) {
        byPod.remove(pod);
        refusals.remove(pod);
    }

    boolean isEmpty() {
        return byPod.isEmpty();
    }

    List<Expected> all() {
        return new ArrayList<>(byPod.values());
    }

    Optional<Instant> earliestDeadline() {
        return byPod.values().stream().map(Expected::deadline).min(Instant::compareTo);
    }

    private static int compare(String a, String b) {
        return Long.compareUnsigned(number(a), number(b));
    }

    /** Unsigned 64-bit number; 0 for text that is none (events.md 5.2). */
    private static long number(String version) {
        try {
            return Long.parseUnsignedLong(version);
        } catch (NumberFormatException e) {
            return 0;
        }
    }
}
