package dev.pillion.rollout;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;

import dev.pillion.api.PodKey;
import dev.pillion.api.PodView;

/**
 * The matching Pods of one set version, counted by differences (rollout.md 17): a change of a Pod costs one verdict and O(log Pods),
 * a round only what it takes. List order is the order of the Pod keys.
 */
final class Tables implements PodTable {
    /** A Pod's verdict, and its place if it waits. */
    private record Row(Verdict verdict, Optional<UpgradeOrder> place) {
    }

    private final SetRules rules;
    private final Map<PodKey, Row> rows = new HashMap<>();
    private final TreeMap<UpgradeOrder, Verdict> waiting = new TreeMap<>();
    private final TreeMap<PodKey, Verdict> flips = new TreeMap<>();
    private final TreeMap<PodKey, Verdict> marks = new TreeMap<>();
    private final Map<String, Integer> revisions = new HashMap<>();
    private final Map<Verdict.Kind, Integer> kinds = new EnumMap<>(Verdict.Kind.class);
    /** Names by kind, those of updated Pods left out. */
    private final Map<Verdict.Kind, SortedSet<PodKey>> names = new EnumMap<>(Verdict.Kind.class);
    private final TreeSet<PodKey> usedNames = new TreeSet<>();
    private final TreeSet<PodKey> strangers = new TreeSet<>();
    private final ScatterCounts scatter;
    private int readyPods;
    private int updatedReady;
    private int waitingReady;

    Tables(SetRules rules) {
        this.rules = rules;
        this.scatter = new ScatterCounts(rules.set().updateStrategy().scatter());
    }

    /** Takes a matching Pod in, in place of what was known of it. */
    void put(PodView pod) {
        remove(pod.key());
        Verdict verdict = Verdict.of(rules, pod);
        Optional<UpgradeOrder> place = verdict.isWaiting()
                ? Optional.of(UpgradeOrder.of(pod, rules.weights(), rules.set().updateStrategy().orderedKeys()))
                : Optional.empty();
        rows.put(pod.key(), new Row(verdict, place));
        count(verdict, 1);
        if (!verdict.isUpdated()) {
            names(verdict.kind()).add(pod.key());
        }
        if (verdict.used()) {
            usedNames.add(pod.key());
        }
        scatter.add(verdict);
        place.ifPresent(p -> waiting.put(p, verdict));
        if (verdict.flips()) {
            flips.put(pod.key(), verdict);
        }
        if (verdict.marks()) {
            marks.put(pod.key(), verdict);
        }
    }

    /** Takes a Pod in that matches but for its containers. */
    void putStranger(PodKey pod) {
        remove(pod);
        strangers.add(pod);
    }

    /** Forgets a Pod that is gone or matches no more. */
    void remove(PodKey pod) {
        strangers.remove(pod);
        Row row = rows.remove(pod);
        if (row != null) {
            count(row.verdict, -1);
            names(row.verdict.kind()).remove(pod);
            usedNames.remove(pod);
            scatter.remove(row.verdict);
            row.place.ifPresent(waiting::remove);
            flips.remove(pod);
            marks.remove(pod);
        }
    }

    private void count(Verdict verdict, int difference) {
        kinds.merge(verdict.kind(), difference, Integer::sum);
        revisions.merge(verdict.revision(), difference, (a, b) -> a + b == 0 ? null : a + b);
        readyPods += verdict.isConsistentAndReady() ? difference : 0;
        updatedReady += verdict.isUpdated() && verdict.isConsistentAndReady() ? difference : 0;
        waitingReady += verdict.isWaiting() && verdict.ready() ? difference : 0;
    }

    /** Names of the revisions the Pods were injected or upgraded from. */
    Set<String> revisions() {
        return Collections.unmodifiableSet(revisions.keySet());
    }

    @Override
    public int matched() {
        return rows.size();
    }

    @Override
    public int readyPods() {
        return readyPods;
    }

    @Override
    public int updatedReady() {
        return updatedReady;
    }

    @Override
    public int used() {
        return usedNames.size();
    }

    @Override
    public int count(Verdict.Kind kind) {
        return kinds.getOrDefault(kind, 0);
    }

    private SortedSet<PodKey> names(Verdict.Kind kind) {
        return names.computeIfAbsent(kind, _ -> new TreeSet<>());
    }

    @Override
    public List<PodKey> some(Verdict.Kind kind) {
        return first(names(kind));
    }

    @Override
    public List<PodKey> someUsed() {
        return first(usedNames);
    }

    private static List<PodKey> first(SortedSet<PodKey> names) {
        return names.stream().limit(Plan.MOST_NAMED).toList();
    }

    @Override
    public int strangers() {
        return strangers.size();
    }

    @Override
    public List<PodKey> someStrangers() {
        return first(strangers);
    }

    @Override
    public int waitingReady() {
        return waitingReady;
    }

    @Override
    public Optional<Verdict> verdict(PodKey pod) {
        return Optional.ofNullable(rows.get(pod)).map(Row::verdict);
    }

    @Override
    public Collection<Verdict> flips() {
        return flips.values();
    }

    @Override
    public Collection<Verdict> marks() {
        return marks.values();
    }

    @Override
    public Iterable<Verdict> upgradeOrder(int limit) {
        if (scatter.isEmpty()) {
            return () -> waiting.values().stream().limit(limit).iterator();
        }
        return PodTable.first(scatter.order(new ArrayList<>(waiting.values()), rows.size()), limit);
    }
}
