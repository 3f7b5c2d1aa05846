package dev.pillion.inject;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

import org.junit.jupiter.api.Test;

import dev.pillion.api.Json;
import dev.pillion.api.Wire;
import dev.pillion.conformance.Conformance;
import dev.pillion.conformance.Vectors;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

final class InjectConformanceTest {
    private static final List<String> LISTS = List.of("initContainers", "containers");
    private static final String TIME = "[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}Z|<now>";

    private static Optional<String> difference(JsonNode input, JsonNode expect, Injection injection) {
        if (expect.path("referencePanics").asBoolean(false)) {
            return Optional.empty(); // any orderly answer
        }
        if (!expect.path("allowed").booleanValue()) {
            // Codes are Pillion's own (settings.md 2), but for 400.
            return injection instanceof Injection.Refuse(int code, _, _, _) && (code == 400 || expect.path("code").intValue() != 400)
                    ? Optional.empty()
                    : Optional.of("recorded " + expect + ", got " + injection);
        }
        if (injection instanceof Injection.Refuse refuse) {
            return Optional.of("refused: " + refuse);
        }
        JsonNode pod = input.path("request").path("pod");
        JsonNode wanted = expect.path("unchanged").asBoolean(false) ? pod : expect.path("pod");
        List<String> differences = InjectCase.differences(InjectCase.normalized(wanted),
                InjectCase.normalized(InjectCase.apply(injection, pod)), "");
        return differences.isEmpty() ? Optional.empty() : Optional.of(differences.toString());
    }

    private static Conformance<Injection> conformance(String label, InjectOptions options) {
        return new Conformance<>(label, input -> InjectCase.of(input, options).run(), InjectConformanceTest::difference);
    }

    private static Optional<String> isLeftAlone(JsonNode input, JsonNode expect, Injection injection) {
        return injection instanceof Injection.Skip(String reason, _, _) && reason.equals("other-operation")
                ? Optional.empty()
                : Optional.of("not left alone: " + injection);
    }

    private static boolean isUpdate(JsonNode input) {
        return input.path("request").path("operation").stringValue().equals("UPDATE");
    }

    private static boolean hasSubResource(JsonNode input) {
        return input.path("request").has("subResource");
    }

    private static boolean wasInjectedBefore(JsonNode input) {
        return !isUpdate(input) && input.path("request").path("pod").path("metadata").path("annotations").has(Wire.HASH);
    }

    /** Times apart everything is as recorded, and only times that came in differ from now. */
    private static Optional<String> differsInTimesOnly(JsonNode input, JsonNode expect, Injection injection) {
        JsonNode pod = input.path("request").path("pod");
        String timeless = InjectCase.normalized(InjectCase.apply(injection, pod)).toString().replaceAll(TIME, "<time>");
        String recorded = InjectCase.normalized(expect.path("pod")).toString().replaceAll(TIME, "<time>");
        return Json.read(timeless).equals(Json.read(recorded)) ? Optional.empty() : Optional.of("differs in more than times");
    }

    @Test
    void agreesWithTheReference() {
        conformance("inject", InjectOptions.REFERENCE).verify(Vectors.of("inject"), 0.15);
    }

    @Test
    void agreesOrDeviatesAsNamed() {
        conformance("inject/pillion", InjectOptions.PILLION).deviation("injection-10", InjectConformanceTest::isUpdate,
                InjectConformanceTest::isLeftAlone).deviation("FR-23", InjectConformanceTest::hasSubResource,
                        InjectConformanceTest::isLeftAlone)
                .deviation("injection-32", InjectConformanceTest::wasInjectedBefore, InjectConformanceTest::differsInTimesOnly)
                .verify(Vectors.of("inject"), 0.15);
    }

    /** FR-20: every recorded pod is sent through twice; the second time there is nothing left to do. */
    @Test
    void secondCallFindsNothingToDo() {
        List<String> failures = new ArrayList<>();
        for (Vectors.Case c : Vectors.of("inject")) {
            InjectCase first = InjectCase.of(c.input(), InjectOptions.PILLION);
            Injection injection = first.run();
            if (injection instanceof Injection.Patch) {
                JsonNode pod = InjectCase.apply(injection, first.request().pod());
                Injection second = first.withPod(pod).run();
                if (second instanceof Injection.Patch || second instanceof Injection.Refuse) {
                    failures.add(c.id() + ": " + second);
                }
            }
        }
        assertThat(failures).isEmpty();
    }

    /** FR-03: members nobody knows, on every level, come through where they were; and a second call finds nothing to do. */
    @Test
    void unknownMembersStayWhereTheyAre() {
        List<String> failures = new ArrayList<>();
        for (Vectors.Case c : Vectors.of("inject")) {
            InjectCase plain = InjectCase.of(c.input(), InjectOptions.PILLION);
            Injection without = plain.run();
            if (!(without instanceof Injection.Patch)) {
                continue;
            }
            ObjectNode pod = plain.request().pod().deepCopy();
            mark(pod);
            InjectCase again = plain.withPod(pod);
            JsonNode result = InjectCase.apply(again.run(), pod);
            if (!(again.withPod(result).run() instanceof Injection.Skip)) {
                failures.add(c.id() + ": a second call has something to do");
            }
            for (String list : LISTS) {
                List<String> wanted = kept(without, list, Samples.names(pod, list));
                List<String> found = result.path("spec").path(list).valueStream().filter(i -> i.has("inventedMember"))
                        .map(i -> Json.text(i, "inventedMember") + "=" + Parts.name(i)).toList();
                if (!found.equals(wanted)) {
                    failures.add(c.id() + " " + list + ": wanted " + wanted + ", found " + found);
                }
            }
            if (!result.path("spec").has("inventedMember") || !result.path("metadata").has("inventedMember")) {
                failures.add(c.id() + ": lost a member of spec or metadata");
            }
            unmark(result);
            List<String> differences = InjectCase.differences(timeless(InjectCase.apply(without, plain.request().pod())), timeless(result),
                    "");
            if (!differences.isEmpty()) {
                failures.add(c.id() + ": " + differences);
            }
        }
        assertThat(failures).isEmpty();
    }

    private static JsonNode timeless(JsonNode pod) {
        return Json.read(InjectCase.normalized(pod).toString().replaceAll(TIME, "<time>").replace("<now>", "<time>"));
    }

    private static void mark(ObjectNode pod) {
        ((ObjectNode) pod.path("metadata")).put("inventedMember", 1);
        ((ObjectNode) pod.path("spec")).put("inventedMember", 1);
        for (String list : LISTS) {
            pod.path("spec").path(list).forEach(c -> ((ObjectNode) c).put("inventedMember", Parts.name(c)));
        }
    }

    /** The containers that no sidecar takes the place of, in their order, each with its own mark. */
    private static List<String> kept(Injection injection, String list, List<String> names) {
        List<String> kept = new ArrayList<>();
        for (int i = 0; i < names.size(); i++) {
            String path = "/spec/" + list + "/" + i;
            if (((Injection.Patch) injection).ops().stream().noneMatch(op -> op.op().equals("replace") && op.path().equals(path))) {
                kept.add(names.get(i) + "=" + names.get(i));
            }
        }
        return kept;
    }

    private static void unmark(JsonNode node) {
        if (node instanceof ObjectNode object) {
            object.remove("inventedMember");
        }
        node.forEach(InjectConformanceTest::unmark);
    }
}
