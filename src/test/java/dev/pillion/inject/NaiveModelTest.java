package dev.pillion.inject;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

import org.junit.jupiter.api.Test;

import dev.pillion.api.Wire;
import dev.pillion.conformance.Vectors;
import dev.pillion.naive.NaivePod;
import dev.pillion.naive.NaivePod.Circumstances;

import tools.jackson.databind.JsonNode;

/** The naive model itself against the recorded cases, so that it can judge random ones. */
final class NaiveModelTest {

    private static Set<String> switches(JsonNode input) {
        Set<String> switches = new HashSet<>();
        if (input.path("featureGates").path("EnableSortSidecarContainerByName").asBoolean(false)) {
            switches.add("sort-by-name");
        }
        if (input.path("featureGates").path("KruisePodReadinessGate").asBoolean(false)) {
            switches.add("readiness-gate-all");
        }
        return switches;
    }

    /**
     * The model computes a short list of expressions only, prints no floating point numbers, computes no hashes for revisions that lack
     * them, and takes what the recording calls a created sub-resource as the product does (FR-23).
     */
    private static boolean isForTheModel(JsonNode input, JsonNode expect) {
        String text = input.toString();
        boolean again = input.path("request").path("pod").path("metadata").path("annotations").has(Wire.HASH)
                && text.contains("\"IS_INJECTED\"");
        boolean hashes = input.path("controllerRevisions").valueStream()
                .allMatch(r -> r.path("metadata").path("annotations").has(Wire.HASH));
        return !text.contains("\"resourcesPolicy\"") && !text.contains("1e3") && !again && hashes
                && !input.path("request").has("subResource")
                && input.path("request").path("operation").stringValue().equals("CREATE") && !expect.has("referencePanics")
                && expect.path("code").intValue(0) != 400;
    }

    @Test
    void theModelAgreesWithTheRecordedCases() {
        List<String> failures = new ArrayList<>();
        int compared = 0;
        for (Vectors.Case c : Vectors.of("inject")) {
            JsonNode expect = c.expect();
            if (!isForTheModel(c.input(), expect)) {
                continue;
            }
            NaivePod.Wanted wanted = NaivePod.of(c.input(),
                    new Circumstances(InjectCase.NOW.toString(), 0.5, "abcde", switches(c.input())));
            if (!expect.path("allowed").booleanValue()) {
                if (wanted.refusal().isEmpty()) {
                    failures.add(c.id() + " must be refused");
                }
                continue;
            }
            JsonNode recorded = expect.path("unchanged").asBoolean(false) ? c.input().path("request").path("pod") : expect.path("pod");
            compared++;
            List<String> differences = wanted.refusal().isPresent()
                    ? List.of("refused: " + wanted.refusal())
                    : InjectCase.differences(InjectCase.normalized(recorded), InjectCase.normalized(wanted.pod()), "");
            if (!differences.isEmpty()) {
                failures.add(c.id() + ": " + differences);
            }
        }
        assertThat(failures).isEmpty();
        assertThat(compared).isGreaterThan(450);
    }
}
