package dev.pillion.rollout;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.stream.Stream;

import dev.pillion.api.PodKey;
import dev.pillion.api.PodView;
import dev.pillion.api.SetStatus;
import dev.pillion.api.SidecarSet;
import dev.pillion.api.UpdateStrategy;

/**
 * One reconcile over a table of Pods (rollout.md 1).
 * <ol>
 * <li>The status.
 * <li>Own writes not yet seen: nothing else; those overdue are read live.
 * <li>NotUpdate or paused: nothing but conditions of upgrades that went before; a set being deleted likewise (trap T).
 * <li>Idle twins due for the empty image: these alone.
 * <li>Everything updated: nothing but conditions.
 * <li>Conditions of Pods that cannot be upgraded, then upgrades in order, as far as partition and maxUnavailable allow.
 * </ol>
 */
final class Round {
    private static final Duration SOON = Duration.ofSeconds(1);

    private final SetRules rules;
    private final PodTable table;
    private final Expectations expectations;
    private final Instant now;
    private final List<Decision> decisions = new ArrayList<>();
    private final List<Plan.Waiting> waiting = new ArrayList<>();
    private final List<PodKey> refused = new ArrayList<>();
    private final List<PodKey> unseen = new ArrayList<>();

    Round(SetRules rules, PodTable table, Expectations expectations, Instant now) {
        this.rules = rules;
        this.table = table;
        this.expectations = expectations;
        this.now = now;
    }

    Plan plan(Plan.Registered registered) {
        return new Plan(status(registered), decisions, waiting, decide());
    }

    private SetStatus status(Plan.Registered registered) {
        return new SetStatus(rules.set().generation(), table.matched(), table.count(Verdict.Kind.UPDATED), table.readyPods(),
                table.updatedReady(), registered.latestRevision(), OptionalInt.of(registered.collisionCount()));
    }

    private Optional<Duration> decide() {
        if (isBlocked()) {
            waitAll(WaitReason.UPDATED_HASH_EXPECTED, unseen);
            waitStrangers();
            return Optional.of(SOON);
        }
        SidecarSet set = rules.set();
        if (set.updateStrategy().isNotUpdate()) {
            waitAll(WaitReason.NOT_UPDATE, List.of());
            markUpgraded();
        } else if (set.updateStrategy().paused()) {
            waitAll(WaitReason.PAUSED, List.of());
            markUpgraded();
        } else if (set.deleting() && rules.options().fixesFaults()) {
            waitAll(WaitReason.SET_DELETING, List.of());
        } else if (flip()) {
            waitAll(WaitReason.FLIPPING, List.of());
        } else {
            table.marks().stream().filter(v -> !expectations.isRefused(v.pod(), now)).filter(v -> !expectations.isSettling(v.pod(), now))
                    .forEach(v -> decisions.add(
                            v.isUpdated() ? new Decision.MarkUpgradable(v.pod()) : new Decision.MarkNotUpgradable(v.pod())));
            markUpgraded();
            if (notUpdated() > 0) {
                upgrade();
            }
        }
        waitStrangers();
        readOverdue();
        return again();
    }

    /** The second write of upgrades (rule 9.9): it belongs to them, so a pause since then does not undo it. */
    private void markUpgraded() {
        expectations.upgraded(key -> table.verdict(key).map(Verdict::pod), rules::isMarked).stream()
                .filter(pod -> !expectations.isRefused(pod, now) && !expectations.isSettling(pod, now))
                .filter(pod -> table.verdict(pod.key()).filter(Verdict::isUpdated).isPresent()).map(Decision.MarkUpgradable::new)
                .filter(mark -> !decisions.contains(mark)).forEach(decisions::add);
    }

    /** Whether there is a flip to carry out; Pods whose flip was refused hold up nobody. */
    private boolean flip() {
        table.flips().stream().filter(v -> !expectations.isRefused(v.pod(), now)).forEach(v -> decisions.add(new Decision.Flip(v.pod())));
        return !decisions.isEmpty();
    }

    private int notUpdated() {
        return table.matched() - table.count(Verdict.Kind.UPDATED);
    }

    private void wait(WaitReason reason, int pods, List<PodKey> some, List<PodKey> blockers) {
        if (pods > 0) {
            waiting.add(new Plan.Waiting(reason, pods, first(some), first(blockers)));
        }
    }

    private void wait(WaitReason reason, Verdict.Kind kind) {
        wait(reason, table.count(kind), table.some(kind), List.of());
    }

    /** All Pods that are not updated wait for the same reason. */
    private void waitAll(WaitReason reason, List<PodKey> blockers) {
        List<PodKey> some = Stream.of(Verdict.Kind.values()).filter(k -> k != Verdict.Kind.UPDATED).map(table::some).flatMap(List::stream)
                .sorted().toList();
        wait(reason, notUpdated(), some, blockers);
    }

    private void waitStrangers() {
        wait(WaitReason.OTHER_CONTAINERS, table.strangers(), table.someStrangers(), List.of());
    }

    private static List<PodKey> first(List<PodKey> pods) {
        return pods.subList(0, Math.min(Plan.MOST_NAMED, pods.size()));
    }

    /** events.md 5.3. Compatible: with faults kept, an upgraded Pod that matches no more blocks as well (events.md 7.8). */
    private boolean isBlocked() {
        boolean blocked = false;
        for (Expectations.Expected expected : expectations.all()) {
            boolean counts = rules.options().fixesFaults() || expected.hash().isEmpty() || expected.hash().equals(rules.set().hash());
            Optional<PodView> pod = table.verdict(expected.pod()).map(Verdict::pod);
            if (counts && pod.isPresent() && !expected.isSeenIn(pod.get())) {
                blocked = true;
                unseen.add(expected.pod());
                if (expected.isOverdue(now)) {
                    decisions.add(new Decision.ReadLive(pod.get()));
                }
            } else if (counts && pod.isEmpty() && !rules.options().fixesFaults() && !expected.hash().isEmpty()) {
                blocked = true;
            }
        }
        return blocked;
    }

    /** Writes that the view shows through the answer alone: no event has confirmed them in time, so the Pod may be gone (FR-27). */
    private void readOverdue() {
        for (Expectations.Expected expected : expectations.all()) {
            if (expected.isOverdue(now)) {
                table.verdict(expected.pod()).ifPresent(v -> decisions.add(new Decision.ReadLive(v.pod())));
            }
        }
    }

    private Optional<Duration> again() {
        if (!rules.options().fixesFaults()) {
            return Optional.empty();
        }
        return expectations.next(now).map(d -> {
            Duration left = Duration.between(now, d);
            return left.compareTo(SOON) < 0 ? SOON : left;
        });
    }

    /** Sections 5 to 7. */
    private void upgrade() {
        UpdateStrategy strategy = rules.set().updateStrategy();
        int candidates = table.count(Verdict.Kind.WAITING);
        int partition = Math.min(candidates, Budget.partition(strategy.partition(), table.matched()));
        int limit = candidates - partition;
        int maxUnavailable = Budget.maxUnavailable(strategy.maxUnavailable(), table.matched());
        List<PodKey> left = new ArrayList<>();
        int taken = take(limit, maxUnavailable, left);
        wait(WaitReason.NOT_SELECTED, Verdict.Kind.NOT_SELECTED);
        wait(WaitReason.NOT_UPGRADABLE, Verdict.Kind.NOT_UPGRADABLE);
        wait(WaitReason.UPGRADING, Verdict.Kind.UPGRADING);
        wait(WaitReason.PARTITION, partition, limit == 0 ? table.some(Verdict.Kind.WAITING) : List.of(), List.of());
        wait(WaitReason.REFUSED, refused.size(), refused, List.of());
        wait(WaitReason.MAX_UNAVAILABLE, limit - taken - refused.size(), left, table.someUsed());
    }

    /**
     * Rule 7.3: Pods that are not ready are free; the walk stops at the first ready one without budget (trap e). It, and a few behind it,
     * go into left by name.
     */
    private int take(int limit, int maxUnavailable, List<PodKey> left) {
        int used = table.used();
        boolean free = table.waitingReady() < table.count(Verdict.Kind.WAITING) || used < maxUnavailable
                || rules.options().budget() == RolloutOptions.Budget.STRICT;
        if (limit <= 0) {
            return 0;
        }
        if (!free) {
            if (rules.set().updateStrategy().scatter().isEmpty()) {
                table.upgradeOrder(Math.min(limit, Plan.MOST_NAMED)).forEach(v -> left.add(v.pod().key()));
            }
            return 0;
        }
        int taken = 0;
        for (Verdict verdict : table.upgradeOrder(limit)) {
            if (!left.isEmpty()) {
                if (left.size() == Plan.MOST_NAMED) {
                    break;
                }
                left.add(verdict.pod().key());
                continue;
            }
            if (expectations.isRefused(verdict.pod(), now)) {
                refused.add(verdict.pod().key());
                continue;
            }
            if (verdict.ready()) {
                // A ready Pod that the strict budget counts already must not count twice.
                int others = verdict.used() ? used - 1 : used;
                if (others >= maxUnavailable) {
                    left.add(verdict.pod().key());
                    continue;
                }
                used = others + 1;
            }
            decisions.add(new Decision.Upgrade(verdict.pod()));
            taken++;
        }
        return taken;
    }
}
