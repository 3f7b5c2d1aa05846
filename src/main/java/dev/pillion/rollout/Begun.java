package dev.pillion.rollout;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;

import dev.pillion.api.PodKey;

/**
 * A table as it will be once the upgrades under way have gone through: their Pods count as updated and use up maxUnavailable, so that
 * others can be chosen beside them. What was not decided for them stays as it is.
 */
final class Begun implements PodTable {
    private final PodTable table;
    private final Set<PodKey> keys;
    private final List<Verdict> begun = new ArrayList<>();

    /** @param keys of the Pods under way; those that are gone or seen updated meanwhile do not count twice */
    Begun(PodTable table, Set<PodKey> keys) {
        this.table = table;
        this.keys = keys;
        keys.forEach(key -> table.verdict(key).filter(v -> !v.isUpdated()).ifPresent(begun::add));
    }

    private int waiting() {
        return (int) begun.stream().filter(Verdict::isWaiting).count();
    }

    private boolean isLeft(Verdict verdict) {
        return !keys.contains(verdict.pod().key());
    }

    @Override
    public int matched() {
        return table.matched();
    }

    @Override
    public int readyPods() {
        return table.readyPods();
    }

    @Override
    public int updatedReady() {
        return table.updatedReady();
    }

    @Override
    public int used() {
        return table.used() + (int) begun.stream().filter(v -> !v.used()).count();
    }

    @Override
    public int count(Verdict.Kind kind) {
        return kind == Verdict.Kind.UPDATED
                ? table.count(kind) + begun.size()
                : table.count(kind) - (int) begun.stream().filter(v -> v.kind() == kind).count();
    }

    @Override
    public List<PodKey> some(Verdict.Kind kind) {
        return left(table.some(kind));
    }

    @Override
    public List<PodKey> someUsed() {
        return Stream.concat(table.someUsed().stream(), begun.stream().map(v -> v.pod().key())).distinct().sorted()
                .limit(Plan.MOST_NAMED).toList();
    }

    private List<PodKey> left(List<PodKey> names) {
        return names.stream().filter(name -> !keys.contains(name)).toList();
    }

    @Override
    public int strangers() {
        return table.strangers();
    }

    @Override
    public List<PodKey> someStrangers() {
        return table.someStrangers();
    }

    @Override
    public int waitingReady() {
        return table.waitingReady() - (int) begun.stream().filter(v -> v.isWaiting() && v.ready()).count();
    }

    @Override
    public Optional<Verdict> verdict(PodKey pod) {
        return table.verdict(pod);
    }

    @Override
    public Collection<Verdict> flips() {
        return table.flips().stream().filter(this::isLeft).toList();
    }

    @Override
    public Collection<Verdict> marks() {
        return table.marks().stream().filter(this::isLeft).toList();
    }

    @Override
    public Iterable<Verdict> upgradeOrder(int limit) {
        Iterable<Verdict> order = table.upgradeOrder(limit + waiting());
        return () -> lazily(order, limit);
    }

    private Iterator<Verdict> lazily(Iterable<Verdict> order, int limit) {
        return StreamSupport.stream(order.spliterator(), false).filter(this::isLeft).limit(limit).iterator();
    }
}
