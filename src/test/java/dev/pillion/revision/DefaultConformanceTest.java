package dev.pillion.revision;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import org.junit.jupiter.api.Test;

import io.fabric8.zjsonpatch.JsonPatch;

import dev.pillion.api.MemberTable;
import dev.pillion.api.PatchOp;
import dev.pillion.api.TypedTree;
import dev.pillion.conformance.Conformance;
import dev.pillion.conformance.JsonDiff;
import dev.pillion.conformance.Vectors;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** Every recorded request of the mutating webhook, with unknown members dropped as in the reference, and kept. */
final class DefaultConformanceTest {
    private record Run(JsonNode object, Defaulting answer) {
    }

    @Test
    void agreesWithReferenceOptions() {
        cases("default", SetDefaults.Unknown.DROP).verify(Vectors.of("default"), 0.15);
    }

    @Test
    void agreesWithProductOptions() {
        cases("default/pillion", SetDefaults.Unknown.KEEP).verify(Vectors.of("default"), 0.15);
    }

    @Test
    void patchesLeadToTheObjectAndASecondCallChangesNothing() {
        for (Vectors.Case c : Vectors.of("default")) {
            JsonNode object = c.input().path("object");
            if (run(c.input(), SetDefaults.Unknown.KEEP).answer instanceof Defaulting.Patch(List<PatchOp> operations, ObjectNode result)) {
                assertThat(JsonPatch.apply(PatchOp.toJson(operations), object)).as(c.id()).isEqualTo(result);
                assertThat(SetDefaults.apply(result, c.input().path("version").stringValue(), "UPDATE", SetDefaults.Unknown.KEEP))
                        .as(c.id())
                        .isInstanceOf(Defaulting.Unchanged.class);
            }
        }
    }

    private static Conformance<Run> cases(String label, SetDefaults.Unknown unknown) {
        return new Conformance<Run>(label, input -> run(input, unknown), (input, expect, run) -> difference(expect, run))
                .deviation("validation-2", DefaultConformanceTest::hasSourceWithoutFieldRef, (input, expect, run) -> admitted(run))
                .deviation("validation-20", input -> unknown == SetDefaults.Unknown.KEEP && hasUnknownMember(input),
                        (input, expect, run) -> differsByUnknownMembersOnly(input, expect, run));
    }

    private static Run run(JsonNode input, SetDefaults.Unknown unknown) {
        JsonNode object = input.path("object");
        return new Run(object,
                SetDefaults.apply(object, input.path("version").stringValue(), input.path("operation").stringValue(), unknown));
    }

    private static Optional<String> difference(JsonNode expect, Run run) {
        boolean allowed = expect.path("allowed").booleanValue();
        return switch (run.answer) {
            case Defaulting.Refuse(int code, String message) -> !allowed && code == expect.path("code").intValue()
                    ? Optional.empty()
                    : Optional.of("refused with " + code + ": " + message);
            case Defaulting.Unchanged _ -> allowed
                    ? JsonDiff.firstBesideZeroCounts(wanted(expect, run), run.object)
                    : Optional.of("not refused");
            case Defaulting.Patch(var _, ObjectNode object) -> allowed
                    ? JsonDiff.firstBesideZeroCounts(wanted(expect, run), object)
                    : Optional.of("not refused");
        };
    }

    private static JsonNode wanted(JsonNode expect, Run run) {
        return expect.path("unchanged").asBoolean(false) ? run.object : expect.path("object");
    }

    private static boolean hasSourceWithoutFieldRef(JsonNode input) {
        JsonNode spec = input.path("object").path("spec");
        return Stream.of("containers", "initContainers").flatMap(l -> spec.path(l).valueStream())
                .flatMap(c -> c.path("transferEnv").valueStream()).map(t -> t.path("sourceContainerNameFrom"))
                .anyMatch(s -> s.isObject() && !s.path("fieldRef").isObject());
    }

    /** The reference crashes on these; ours are admitted with the other defaults set. */
    private static Optional<String> admitted(Run run) {
        return run.answer instanceof Defaulting.Patch(var _, ObjectNode o) && o.path("spec").path("updateStrategy").has("type")
                ? Optional.empty()
                : Optional.of("not defaulted: " + run.answer);
    }

    private static boolean hasUnknownMember(JsonNode input) {
        JsonNode tidy = TypedTree.tidy(input.path("object").path("spec"), "SidecarSetSpec", table(input));
        return hasMore(tidy, TypedTree.known(tidy, "SidecarSetSpec", table(input)));
    }

    private static MemberTable table(JsonNode input) {
        return SetDefaults.table(input.path("version").stringValue()).orElseThrow();
    }

    /** Whether the first tree has a member with a value of its own that the second lacks. */
    private static boolean hasMore(JsonNode one, JsonNode two) {
        if (one.isArray()) {
            return IntStream.range(0, one.size()).anyMatch(i -> hasMore(one.path(i), two.path(i)));
        }
        if (!one.isObject()) {
            return two.isMissingNode() && !one.isNull() && !one.asString("").isEmpty();
        }
        return one.properties().stream().anyMatch(e -> hasMore(e.getValue(), two.path(e.getKey())));
    }

    private static Optional<String> differsByUnknownMembersOnly(JsonNode input, JsonNode expect, Run run) {
        if (!(run.answer instanceof Defaulting.Patch(List<PatchOp> operations, ObjectNode object))) {
            return Optional.of("no patch");
        }
        if (operations.stream().anyMatch(o -> o.op().equals("remove"))) {
            return Optional.of("something removed: " + operations);
        }
        ObjectNode pruned = object.deepCopy();
        pruned.set("spec", TypedTree.known(object.path("spec"), "SidecarSetSpec", table(input)));
        return JsonDiff.firstBesideZeroCounts(expect.path("object"), pruned);
    }
}
