package dev.pillion.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;

import org.junit.jupiter.api.Test;

import dev.pillion.api.Json;
import dev.pillion.conformance.Vectors;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** Whatever files hold, a command ends with an answer or with one line that names the place. */
final class ArbitraryFilesTest {
    private static final int ROUNDS = 150;
    private static final List<String> VALUES = List.of("null", "\"\"", "\"x\"", "0", "-1", "1.5", "true", "[]", "{}", "[null]", "[[]]",
            "{\"a\":null}", "\"null\"");

    @Test
    void noFileEndsACommandWithoutAnAnswer() {
        long seed = Long.getLong("pillion.seed", 7);
        Random random = new Random(seed);
        List<Vectors.Case> cases = Vectors.of("inject");
        Set<Integer> codes = new HashSet<>();
        for (int round = 0; round < ROUNDS; round++) {
            JsonNode input = cases.get(random.nextInt(cases.size())).input();
            StringBuilder file = new StringBuilder();
            List<ObjectNode> objects = new ArrayList<>();
            for (String list : List.of("sidecarSets", "namespaces", "controllerRevisions")) {
                input.path(list).forEach(o -> objects.add((ObjectNode) o.deepCopy()));
            }
            objects.add(((ObjectNode) input.path("request").path("pod")).deepCopy().put("apiVersion", "v1").put("kind", "Pod"));
            for (int i = random.nextInt(3); i >= 0; i--) {
                mutate(objects.get(random.nextInt(objects.size())), random);
            }
            objects.forEach(o -> file.append(Json.write(o)).append("\n---\n"));
            for (String[] command : new String[][]{{"inject", "-f", "-", "--explain"}, {"validate", "-f", "-"}}) {
                CommandRun run = CommandRun.withInput(file.toString(), command);
                assertThat(run.code()).as("seed %d, round %d: %s", seed, round, run.err()).isIn(0, 1, 2, 64);
                assertThat(run.code() == 0 || !run.err().isEmpty() || !run.out().isEmpty()).isTrue();
                codes.add(run.code());
            }
        }
        assertThat(codes).contains(0, 1, 2, 64);
    }

    /** Puts an odd value somewhere. */
    private static void mutate(JsonNode root, Random random) {
        JsonNode node = root;
        for (int depth = random.nextInt(7); depth > 0; depth--) {
            List<JsonNode> children = node.valueStream().filter(c -> c.isContainer() && !c.isEmpty()).toList();
            if (children.isEmpty()) {
                break;
            }
            node = children.get(random.nextInt(children.size()));
        }
        JsonNode value = Json.read(VALUES.get(random.nextInt(VALUES.size())));
        if (node instanceof ObjectNode object && !object.isEmpty()) {
            object.set(object.propertyNames().stream().skip(random.nextInt(object.size())).findFirst().orElseThrow(), value);
        } else if (node instanceof ArrayNode array && !array.isEmpty()) {
            array.set(random.nextInt(array.size()), value);
        }
    }
}
