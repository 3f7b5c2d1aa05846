package dev.pillion.rollout;

import java.util.ArrayList;
import java.util.Collection;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Predicate;

import dev.pillion.api.PodKey;
import dev.pillion.api.PodView;
import dev.pillion.api.UpdateStrategy;

/** All Pods of a set judged from scratch, in the order of the list given. */
final class Snapshot implements PodTable {
    private final SetRules rules;
    private final Map<PodKey, Verdict> verdicts = new LinkedHashMap<>();
    private final Map<Verdict.Kind, Integer> kinds = new EnumMap<>(Verdict.Kind.class);
    private final List<PodKey> strangers;

    Snapshot(SetRules rules, Matching.Found pods) {
        this.rules = rules;
        this.strangers = pods.otherContainers();
        for (PodView pod : pods.matching()) {
            Verdict verdict = Verdict.of(rules, pod);
            verdicts.put(pod.key(), verdict);
            kinds.merge(verdict.kind(), 1, Integer::sum);
        }
    }

    Collection<Verdict> verdicts() {
        return verdicts.values();
    }

    @Override
    public int matched() {
        return verdicts.size();
    }

    @Override
    public int readyPods() {
        return (int) verdicts.values().stream().filter(Verdict::isConsistentAndReady).count();
    }

    @Override
    public int updatedReady() {
        return (int) verdicts.values().stream().filter(v -> v.isUpdated() && v.isConsistentAndReady()).count();
    }

    @Override
    public int used() {
        return (int) verdicts.values().stream().filter(Verdict::used).count();
    }

    @Override
    public int count(Verdict.Kind kind) {
        return kinds.getOrDefault(kind, 0);
    }

    @Override
    public List<PodKey> some(Verdict.Kind kind) {
        return named(v -> v.kind() == kind);
    }

    @Override
    public List<PodKey> someUsed() {
        return named(Verdict::used);
    }

    private List<PodKey> named(Predicate<Verdict> which) {
        return verdicts.values().stream().filter(which).map(v -> v.pod().key()).sorted().limit(Plan.MOST_NAMED).toList();
    }

    @Override
    public int strangers() {
        return strangers.size();
    }

    @Override
    public List<PodKey> someStrangers() {
        return strangers.stream().limit(Plan.MOST_NAMED).toList();
    }

    @Override
    public int waitingReady() {
        return (int) waiting().stream().filter(Verdict::ready).count();
    }

    @Override
    public Optional<Verdict> verdict(PodKey pod) {
        return Optional.ofNullable(verdicts.get(pod));
    }

    @Override
    public Collection<Verdict> flips() {
        return verdicts.values().stream().filter(Verdict::flips).toList();
    }

    @Override
    public Collection<Verdict> marks() {
        return verdicts.values().stream().filter(Verdict::marks).toList();
    }

    private List<Verdict> waiting() {
        return verdicts.values().stream().filter(v -> v.kind() == Verdict.Kind.WAITING).toList();
    }

    @Override
    public Iterable<Verdict> upgradeOrder(int limit) {
        UpdateStrategy strategy = rules.set().updateStrategy();
        TreeMap<UpgradeOrder, Verdict> places = new TreeMap<>();
        waiting().forEach(v -> places.put(UpgradeOrder.of(v.pod(), rules.weights(), strategy.orderedKeys()), v));
        List<Verdict> order = new ArrayList<>(places.values());
        if (!strategy.scatter().isEmpty()) {
            List<Map<String, String>> labels = verdicts.values().stream().map(v -> v.pod().labels()).toList();
            order = Scatter.order(order, Scatter.expand(strategy.scatter(), labels), labels, v -> v.pod().labels());
        }
        return PodTable.first(order, limit);
    }
}
