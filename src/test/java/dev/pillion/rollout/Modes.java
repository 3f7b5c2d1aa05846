package dev.pillion.rollout;

import java.util.List;
import java.util.function.Function;
import java.util.stream.Stream;

import dev.pillion.api.PodView;
import dev.pillion.api.SidecarSet;
import dev.pillion.conformance.Conformance;
import dev.pillion.podmeta.PodViews;

import tools.jackson.databind.JsonNode;

/**
 * The two option sets under which every recorded case runs.
 *
 * @param share largest share of deviating cases
 */
record Modes(String suffix, RolloutOptions options, double share) {
    private static final Modes REFERENCE = new Modes("", RolloutOptions.REFERENCE, 0.15);
    private static final Modes PILLION = new Modes("/pillion", RolloutOptions.PILLION, 1);

    static Stream<Modes> both() {
        return Stream.of(REFERENCE, PILLION);
    }

    boolean isPillion() {
        return !suffix.isEmpty();
    }

    String label(String kind) {
        return kind + suffix;
    }

    /**
     * The deviations that rest on how a Pod's state is read. Each checks that the reference's reading still gives the recorded result,
     * so that nothing but the named trap can be the cause.
     */
    void addStateDeviations(Conformance<JsonNode> conformance, Function<JsonNode, JsonNode> asReference) {
        if (!isPillion()) {
            return;
        }
        Conformance.Check<JsonNode> onlyTheTrap = (input, expect, _) -> Cases.difference(expect, asReference.apply(input));
        conformance.deviation("rollout-16.2-C", Modes::hasDigestImage, onlyTheTrap);
        conformance.deviation("rollout-16.2-D", input -> !hasDigestImage(input) && reportsOtherText(input), onlyTheTrap);
        conformance.deviation("rollout-16.2-B", Modes::hasForeignIdleTwin, onlyTheTrap);
    }

    private static List<PodView> pods(JsonNode input) {
        return input.has("pod") ? List.of(PodViews.of(input.path("pod"))) : Cases.pods(input.path("pods"));
    }

    static boolean hasDigestImage(JsonNode input) {
        return pods(input).stream().flatMap(p -> p.containers().stream()).anyMatch(c -> c.image().contains("@"));
    }

    static boolean reportsOtherText(JsonNode input) {
        return pods(input).stream().anyMatch(p -> p.containers().stream()
                .anyMatch(c -> p.statuses().stream().anyMatch(s -> s.name().equals(c.name()) && !s.image().equals(c.image()))));
    }

    /** An idle twin with version 0 that does not have the empty image, in a pod with another hash without images. */
    static boolean hasForeignIdleTwin(JsonNode input) {
        SidecarSet set = Cases.set(input);
        return pods(input).stream().anyMatch(
                p -> HotTwins.of(set, p).stream().anyMatch(t -> t.isIdleFilled(p) && t.isFormerEmpty(set, p)));
    }
}
