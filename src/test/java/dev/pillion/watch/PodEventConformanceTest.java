package dev.pillion.watch;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.BiPredicate;
import java.util.function.Function;

import org.junit.jupiter.api.Test;

import dev.pillion.api.PodView;
import dev.pillion.api.SetKey;
import dev.pillion.api.SidecarSet;
import dev.pillion.conformance.Conformance;
import dev.pillion.conformance.Vectors;
import dev.pillion.watch.PodEventCase.Both;
import dev.pillion.watch.PodEventCase.Outcome;

import tools.jackson.databind.JsonNode;

/** Recorded Pod events (events.md 3): which sets are enqueued, after what time, and whose expectations end. */
class PodEventConformanceTest {
    /** Differences of a Pod that the reference overlooks, by the name of the deviation, and the sets that see them. */
    private static final Map<String, BiPredicate<SetView, Both>> OVERLOOKED = Map.of("events-7.2",
            (view, pod) -> view.set().updateStrategy().isNotUpdate(), "events-7.3",
            (view, pod) -> view.selects(pod.old()) != view.selects(pod.now()), "events-7.7",
            (view, pod) -> pod.old().isActive() != pod.now().isActive(), "FR-38",
            (view, pod) -> isMember(view, pod.old()) != isMember(view, pod.now())
                    || !view.recorded(pod.old()).equals(view.recorded(pod.now())),
            "FR-41", (view, pod) -> view.differInContainers(pod.old(), pod.now()), "rollout-16.2-C",
            PodEventConformanceTest::isJudgedByName);

    @Test
    void agreesInReferenceMode() {
        conformance("podevent", WatchOptions.REFERENCE).verify(Vectors.of("podevent"), 0.15);
    }

    @Test
    void differsOnlyAsNamedByDefault() {
        Conformance<Outcome> conformance = conformance("podevent/pillion", WatchOptions.PILLION);
        conformance.deviation("events-7.1", input -> input.path("op").asString().equals("delete"), this::everybodyLearnsOfTheDelete);
        conformance.deviation("events-7.21", input -> !consistencySeen(input).isEmpty(), this::nobodyWaits);
        OVERLOOKED.forEach((name, difference) -> conformance.deviation(name,
                input -> !PodEventCase.of(input).setsSeeing(difference).isEmpty(), this::onlyMoreAndOnlyWithReason));
        conformance.verify(Vectors.of("podevent"), 1);
    }

    private Conformance<Outcome> conformance(String label, WatchOptions options) {
        Function<JsonNode, Outcome> run = input -> PodEventCase.of(input).run(options);
        return new Conformance<>(label, run, PodEventConformanceTest::difference)
                .deviation("events-7.18", input -> input.has("readErrorOn"),
                        (input, expect, result) -> othersAreServed(input, result, options));
    }

    private static Optional<String> difference(JsonNode input, JsonNode expect, Outcome result) {
        Outcome recorded = PodEventCase.recorded(expect);
        return recorded.equals(result) ? Optional.empty() : Optional.of("expected " + recorded + ", was " + result);
    }

    private static boolean isMember(SetView view, PodView pod) {
        return view.isNamedBy(pod) && view.hasContainers(pod);
    }

    /** Digest or normalised comparison says something else than the literal one, in old or new. */
    private static boolean isJudgedByName(SetView view, Both pod) {
        SetView literal = new SetView(view.set(), WatchOptions.REFERENCE.images());
        return literal.isConsistent(pod.old()) != view.isConsistent(pod.old())
                || literal.isConsistent(pod.now()) != view.isConsistent(pod.now());
    }

    private static Set<String> consistencySeen(JsonNode input) {
        return PodEventCase.of(input).setsSeeing((view, pod) -> view.isConsistent(pod.old()) != view.isConsistent(pod.now()));
    }

    /** The set that could not be read takes nothing away from the others. */
    private Optional<String> othersAreServed(JsonNode input, Outcome result, WatchOptions options) {
        PodEventCase all = PodEventCase.of(input);
        String unreadable = input.path("readErrorOn").asString();
        Map<SetKey, SidecarSet> readable = new LinkedHashMap<>(all.sets());
        readable.remove(new SetKey(unreadable));
        Outcome without = new PodEventCase(all.op(), all.old(), all.now(), readable, all.awaiting()).run(options);
        List<Map.Entry<String, Long>> others = new ArrayList<>(result.enqueued());
        others.removeIf(e -> e.getKey().equals(unreadable));
        return others.equals(without.enqueued()) ? Optional.empty() : Optional.of("others got " + others + ", not " + without);
    }

    private Optional<String> everybodyLearnsOfTheDelete(JsonNode input, JsonNode expect, Outcome result) {
        PodEventCase event = PodEventCase.of(input);
        Set<String> named = new TreeSet<>();
        event.named().forEach(s -> named.add(s.name()));
        Set<String> waiting = new TreeSet<>(event.awaiting());
        waiting.removeAll(named);
        boolean atOnce = result.enqueued().stream().allMatch(e -> e.getValue() == 0);
        return result.names().equals(named) && atOnce && result.stillAwaiting().equals(waiting)
                ? Optional.empty()
                : Optional.of("expected " + named + " at once and " + waiting + " still waiting, was " + result);
    }

    private Optional<String> nobodyWaits(JsonNode input, JsonNode expect, Outcome result) {
        boolean waits = result.enqueued().stream().anyMatch(e -> e.getValue() != 0);
        return waits ? Optional.of("somebody waits: " + result) : onlyMoreAndOnlyWithReason(input, expect, result);
    }

    /** Whatever the reference enqueued is enqueued; whatever comes on top sees one of the named differences. */
    private Optional<String> onlyMoreAndOnlyWithReason(JsonNode input, JsonNode expect, Outcome result) {
        if (input.has("readErrorOn")) {
            return Optional.empty(); // nothing was recorded to compare with; events-7.18 has its own check
        }
        PodEventCase event = PodEventCase.of(input);
        Set<String> missing = new TreeSet<>(PodEventCase.recorded(expect).names());
        missing.removeAll(result.names());
        missing.removeAll(event.setsSeeing(PodEventConformanceTest::isJudgedByName));
        Set<String> unexplained = new TreeSet<>(result.names());
        unexplained.removeAll(PodEventCase.recorded(expect).names());
        OVERLOOKED.values().forEach(difference -> unexplained.removeAll(event.setsSeeing(difference)));
        return missing.isEmpty() && unexplained.isEmpty()
                ? Optional.empty()
                : Optional.of("missing " + missing + ", unexplained " + unexplained);
    }
}
