package dev.pillion.rollout;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.Stream;

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
    private static final Duration SETTLED = Duration.ofSeconds(1);
    private static final int MOST_DOUBLINGS = 5;

    /** A Pod whose update was refused: it is passed over until it changes or the time is over. times: how often in a row before. */
    private record Refusal(String uid, String resourceVersion, int times, Instant until) {
    }

    /** An upgrade of ours whose condition is still to be written (rollout.md 9.9), as the write of the Pod left it. */
    private record Upgraded(String uid, String resourceVersion, Instant settled) {
    }

    private final Map<PodKey, Expected> byPod = new LinkedHashMap<>();
    private final Map<PodKey, Refusal> refusals = new HashMap<>();
    private final Map<PodKey, Upgraded> upgraded = new LinkedHashMap<>();

    /**
     * Remembers that the condition of an upgraded Pod is due. The kubelet's answer to the new image comes within moments, and a condition
     * written before it would mostly meet it as a conflict; so the condition waits until somebody else has written the Pod, for a second
     * at most.
     */
    void owesCondition(PodView answer, Instant now) {
        upgraded.put(answer.key(), new Upgraded(answer.uid(), answer.resourceVersion(), now.plus(SETTLED)));
    }

    /** Whether the condition of this Pod should wait. */
    boolean isSettling(PodView pod, Instant now) {
        Upgraded upgrade = upgraded.get(pod.key());
        return upgrade != null && upgrade.uid.equals(pod.uid()) && upgrade.resourceVersion.equals(pod.resourceVersion())
                && now.isBefore(upgrade.settled);
    }

    /** Upgrades of ours whose condition was due when they were last looked at; ends those whose condition is there. */
    List<PodView> upgraded(Function<PodKey, Optional<PodView>> views, Predicate<PodView> isMarked) {
        List<PodView> due = new ArrayList<>();
        upgraded.entrySet().removeIf(entry -> {
            Optional<PodView> pod = views.apply(entry.getKey()).filter(p -> p.uid().equals(entry.getValue().uid));
            boolean over = pod.isEmpty() || isMarked.test(pod.get());
            if (!over) {
                due.add(pod.get());
            }
            return over;
        });
        return due;
    }

    /** When the next condition is due that waits for no other reason. */
    private Optional<Instant> earliestSettled(Instant now) {
        return upgraded.values().stream().map(Upgraded::settled).filter(now::isBefore).min(Instant::compareTo);
    }

    /** The next moment at which something may be done that cannot be done now. */
    Optional<Instant> next(Instant now) {
        return Stream.of(earliestDeadline(), earliestRetry(now), earliestSettled(now)).flatMap(Optional::stream).min(Instant::compareTo);
    }

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
    private Optional<Instant> earliestRetry(Instant now) {
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

    /** Forgets everything about a Pod. */
    public void forget(PodKey pod) {
        readLive(pod);
        upgraded.remove(pod);
    }

    /** Ends what a live read answers; a condition that is due stays so. */
    void readLive(PodKey pod) {
        byPod.remove(pod);
        refusals.remove(pod);
    }

    boolean isEmpty() {
        return byPod.isEmpty();
    }

    List<Expected> all() {
        return new ArrayList<>(byPod.values());
    }

    private Optional<Instant> earliestDeadline() {
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
