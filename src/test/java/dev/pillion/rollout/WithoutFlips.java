package dev.pillion.rollout;

import java.util.Collection;
import java.util.List;
import java.util.Optional;

import dev.pillion.api.PodKey;

/** A table whose Pods are never due for a flip. */
record WithoutFlips(PodTable table) implements PodTable {
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
        return table.used();
    }

    @Override
    public int count(Verdict.Kind kind) {
        return table.count(kind);
    }

    @Override
    public List<PodKey> some(Verdict.Kind kind) {
        return table.some(kind);
    }

    @Override
    public List<PodKey> someUsed() {
        return table.someUsed();
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
        return table.waitingReady();
    }

    @Override
    public Optional<Verdict> verdict(PodKey pod) {
        return table.verdict(pod);
    }

    @Override
    public Collection<Verdict> flips() {
        return List.of();
    }

    @Override
    public Collection<Verdict> marks() {
        return table.marks();
    }

    @Override
    public Iterable<Verdict> upgradeOrder(int limit) {
        return table.upgradeOrder(limit);
    }
}
