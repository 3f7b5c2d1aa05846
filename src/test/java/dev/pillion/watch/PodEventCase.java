package dev.pillion.watch;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.BiPredicate;

import dev.pillion.api.PodView;
import dev.pillion.api.SetKey;
import dev.pillion.api.SidecarSet;
import dev.pillion.podmeta.PodViews;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** The input of one recorded Pod event, read; and what follows from it. */
record PodEventCase(String op, Optional<PodView> old, Optional<PodView> now, Map<SetKey, SidecarSet> sets, Set<String> awaiting) {

    /** delays in seconds by set name in the order of the calls; names still waited for. */
    record Outcome(List<Map.Entry<String, Long>> enqueued, Set<String> stillAwaiting) {
        Set<String> names() {
            Set<String> names = new TreeSet<>();
            enqueued.forEach(e -> names.add(e.getKey()));
            return names;
        }
    }

    static PodEventCase of(JsonNode input) {
        Map<SetKey, SidecarSet> sets = new LinkedHashMap<>();
        for (JsonNode node : input.path("sidecarSets")) {
            SidecarSet set = SidecarSet.of((ObjectNode) node);
            sets.put(set.key(), set);
        }
        Set<String> awaiting = new TreeSet<>();
        input.path("awaitingUpdate").forEach(n -> awaiting.add(n.asString()));
        return new PodEventCase(input.path("op").asString(), pod(input.path("old")), pod(input.path("new")), sets, awaiting);
    }

    private static Optional<PodView> pod(JsonNode node) {
        return node.isObject() ? Optional.of(PodViews.of(node)) : Optional.empty();
    }

    /** What the product makes of it. A generic event is one that nobody sends. */
    Outcome run(WatchOptions options) {
        PodEvents.Verdict verdict = op.equals("generic")
                ? PodEvents.Verdict.NOTHING
                : new PodEvents(options).judge(old, now, key -> Optional.ofNullable(sets.get(key)));
        List<Map.Entry<String, Long>> calls = new ArrayList<>();
        verdict.wakeups().forEach(w -> calls.add(Map.entry(w.set().name(), w.after().toSeconds())));
        Set<String> still = new TreeSet<>(awaiting);
        verdict.told().forEach(key -> still.remove(key.name()));
        return new Outcome(calls, still);
    }

    static Outcome recorded(JsonNode expect) {
        List<Map.Entry<String, Long>> calls = new ArrayList<>();
        expect.path("enqueued").forEach(n -> calls.add(Map.entry(n.path("sidecarSet").asString(), n.path("delaySeconds").asLong())));
        Set<String> still = new TreeSet<>();
        expect.path("stillAwaiting").forEach(n -> still.add(n.asString()));
        return new Outcome(calls, still);
    }

    boolean isUpdate() {
        return op.equals("update") && !now.orElseThrow().resourceVersion().equals(old.orElseThrow().resourceVersion());
    }

    /** Existing sets that the old or the new Pod names. */
    List<SidecarSet> named() {
        Set<String> names = new TreeSet<>();
        old.ifPresent(p -> names.addAll(p.marks().injectedList()));
        now.ifPresent(p -> names.addAll(p.marks().injectedList()));
        return sets.values().stream().filter(s -> names.contains(s.name())).sorted(Comparator.comparing(SidecarSet::name)).toList();
    }

    SetView view(SidecarSet set) {
        return new SetView(set, WatchOptions.PILLION.images());
    }

    /** Names of the named sets whose view of old and new differs in something; none unless this is an update. */
    Set<String> setsSeeing(BiPredicate<SetView, Both> difference) {
        Set<String> names = new TreeSet<>();
        if (isUpdate()) {
            Both both = new Both(old.orElseThrow(), now.orElseThrow());
            named().stream().filter(s -> difference.test(view(s), both)).forEach(s -> names.add(s.name()));
        }
        return names;
    }

    record Both(PodView old, PodView now) {
    }
}
