package dev.pillion.validate;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;

import org.junit.jupiter.api.Test;

import dev.pillion.api.Json;
import dev.pillion.api.SidecarSet;
import dev.pillion.api.Wire;
import dev.pillion.match.SetIndex;
import dev.pillion.revision.Defaulting;
import dev.pillion.revision.SetDefaults;
import dev.pillion.validate.ValidationRequest.Operation;
import dev.pillion.validate.ValidationRequest.Pinned;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * FR-44: with validation.overlap strict, two accepted sets that can match one pod have no container name in common; and a set is refused
 * for a name only when there is such a pod. Pods and namespaces are tried out one by one, by a matcher that shares no code with the check.
 * -Dpillion.seed repeats a run, -Dpillion.histories makes it longer.
 */
final class StrictOverlapTest {
    private static final long SEED = Long.getLong("pillion.seed", 20261130L);
    private static final int HISTORIES = Integer.getInteger("pillion.histories", 400);
    private static final List<String> KEYS = List.of("a", "b");
    private static final List<String> VALUES = List.of("x", "y", "ALL");
    /** One more than selectors ever name, for NotIn and Exists. */
    private static final List<Optional<String>> CHOICES = List.of(Optional.empty(), Optional.of("x"), Optional.of("y"), Optional.of("ALL"),
            Optional.of("other"));
    private static final List<Map<String, String>> PODS = labelMaps();
    private static final List<Map<String, String>> NAMESPACES = namespaces();
    private static final ValidateOptions STRICT = ValidateOptions.PILLION.with(ValidateOptions.Overlap.STRICT);

    private final Random random = new Random(SEED);

    @Test
    void acceptedSetsThatCanMatchOnePodShareNoContainerName() {
        int accepted = 0;
        int refused = 0;
        for (int history = 0; history < HISTORIES; history++) {
            Map<String, ObjectNode> stored = new TreeMap<>();
            for (int write = 0; write < 8; write++) {
                String name = "s" + random.nextInt(5);
                ObjectNode candidate = candidate(name, stored.keySet());
                Optional<ObjectNode> old = Optional.ofNullable(stored.get(name));
                List<Fault> faults = validate(candidate, old, stored);
                if (faults.stream().allMatch(f -> f.field().equals("spec.containers"))) {
                    boolean clashes = stored.values().stream().filter(o -> !name(o).equals(name)).anyMatch(o -> clash(candidate, o));
                    int at = history;
                    assertThat(!faults.isEmpty())
                            .as(() -> "seed " + SEED + ", history " + at + " gave " + faults + " for " + candidate + " beside "
                                    + stored.values())
                            .isEqualTo(clashes);
                }
                if (faults.isEmpty()) {
                    stored.put(name, candidate);
                    accepted++;
                } else {
                    refused++;
                }
            }
            for (ObjectNode a : stored.values()) {
                stored.values().stream().filter(b -> !name(b).equals(name(a)))
                        .forEach(b -> assertThat(clash(a, b)).as("seed %d: %s and %s", SEED, a, b).isFalse());
            }
        }
        assertThat(accepted).as("accepted writes").isGreaterThan(2 * HISTORIES);
        assertThat(refused).as("refused writes").isGreaterThan(HISTORIES);
    }

    private static List<Fault> validate(ObjectNode candidate, Optional<ObjectNode> old, Map<String, ObjectNode> stored) {
        SetIndex index = SetIndex.of(stored.values().stream().map(SidecarSet::of).toList(), List.of());
        ValidationRequest request = new ValidationRequest(old.isPresent() ? Operation.UPDATE : Operation.CREATE, candidate, old,
                Pinned.FOUND,
                Optional.empty(), "kruise-system");
        return SetValidator.validate(request, index, STRICT).faults();
    }

    private ObjectNode candidate(String name, Set<String> others) {
        ObjectNode set = Json.object().put("apiVersion", Wire.V1BETA1).put("kind", Wire.KIND);
        ObjectNode metadata = set.putObject("metadata").put("name", name);
        ObjectNode spec = set.putObject("spec");
        if (!others.isEmpty() && random.nextInt(4) == 0) {
            metadata.putObject("annotations").put(Wire.CANARY, "true").put(Wire.BASE,
                    List.copyOf(others).get(random.nextInt(others.size())));
            spec.putObject("updateStrategy").put("type", "NotUpdate");
        }
        spec.set("selector", selector(KEYS));
        if (random.nextInt(3) > 0) {
            spec.set("namespaceSelector", random.nextBoolean() ? selector(KEYS) : ofNamespace());
        }
        Set<String> names = new HashSet<>();
        container(spec.putArray("containers"), names, false);
        if (random.nextBoolean()) {
            container(spec.putArray("initContainers"), names, true);
        }
        return switch (SetDefaults.apply(set, "v1beta1", "CREATE", SetDefaults.Unknown.KEEP)) {
            case Defaulting.Patch(_, ObjectNode result) -> result;
            case Defaulting.Unchanged _ -> set;
            case Defaulting.Refuse(_, String message) -> throw new AssertionError(message);
        };
    }

    private void container(ArrayNode list, Set<String> names, boolean init) {
        List<String> free = List.of("c", "c-1", "d", "e", "f").stream().filter(n -> !names.contains(n)).toList();
        String name = free.get(random.nextInt(free.size()));
        names.add(name);
        ObjectNode container = list.addObject().put("name", name).put("image", "i:1");
        if (!init && random.nextInt(3) == 0) {
            container.putObject("upgradeStrategy").put("upgradeType", "HotUpgrade").put("hotUpgradeEmptyImage", "e:1");
            names.add(name + "-1");
        }
    }

    private ObjectNode ofNamespace() {
        ObjectNode selector = Json.object();
        selector.putObject("matchLabels").put(Wire.NAMESPACE_NAME_LABEL, "n" + random.nextInt(2));
        return selector;
    }

    private ObjectNode selector(List<String> keys) {
        ObjectNode selector = Json.object();
        if (random.nextBoolean()) {
            selector.putObject("matchLabels").put(keys.get(random.nextInt(keys.size())), VALUES.get(random.nextInt(VALUES.size())));
        }
        ArrayNode expressions = selector.putArray("matchExpressions");
        for (int i = selector.has("matchLabels") ? random.nextInt(3) : 1 + random.nextInt(2); i > 0; i--) {
            ObjectNode expression = expressions.addObject().put("key", keys.get(random.nextInt(keys.size())));
            String operator = List.of("In", "NotIn", "Exists", "DoesNotExist").get(random.nextInt(4));
            expression.put("operator", operator);
            if (operator.endsWith("In")) {
                ArrayNode values = expression.putArray("values");
                for (int v = 1 + random.nextInt(2); v > 0; v--) {
                    values.add(VALUES.get(random.nextInt(VALUES.size())));
                }
            }
        }
        return selector;
    }

    // What follows judges by trying out. It must not use the code under test.

    private static String name(ObjectNode set) {
        return set.path("metadata").path("name").asString();
    }

    private static boolean clash(ObjectNode a, ObjectNode b) {
        Set<String> shared = names(a);
        shared.retainAll(names(b));
        if (shared.isEmpty()) {
            return false;
        }
        JsonNode first = a.path("spec");
        JsonNode second = b.path("spec");
        boolean inOneNamespace = NAMESPACES.stream().anyMatch(n -> takes(first, n) && takes(second, n));
        return inOneNamespace && PODS.stream().anyMatch(p -> matches(first.path("selector"), p) && matches(second.path("selector"), p));
    }

    private static boolean takes(JsonNode spec, Map<String, String> namespace) {
        return !spec.has("namespaceSelector") || matches(spec.path("namespaceSelector"), namespace);
    }

    private static boolean matches(JsonNode selector, Map<String, String> labels) {
        for (Map.Entry<String, JsonNode> label : selector.path("matchLabels").properties()) {
            if (!label.getValue().stringValue().equals(labels.get(label.getKey()))) {
                return false;
            }
        }
        for (JsonNode expression : selector.path("matchExpressions")) {
            String value = labels.get(expression.path("key").stringValue());
            List<String> values = expression.path("values").valueStream().map(JsonNode::stringValue).toList();
            boolean holds = switch (expression.path("operator").stringValue()) {
                case "In" -> value != null && values.contains(value);
                case "NotIn" -> value == null || !values.contains(value);
                case "Exists" -> value != null;
                default -> value == null;
            };
            if (!holds) {
                return false;
            }
        }
        return true;
    }

    /** As the set calls its containers, and as pods do. */
    private static Set<String> names(ObjectNode set) {
        Set<String> names = new HashSet<>();
        set.path("spec").path("initContainers").forEach(c -> names.add(c.path("name").stringValue()));
        for (JsonNode container : set.path("spec").path("containers")) {
            String name = container.path("name").stringValue();
            names.add(name);
            if (container.path("upgradeStrategy").path("upgradeType").asString("").equals("HotUpgrade")) {
                names.add(name + "-1");
                names.add(name + "-2");
            }
        }
        return names;
    }

    private static List<Map<String, String>> labelMaps() {
        List<Map<String, String>> maps = new ArrayList<>();
        for (Optional<String> a : CHOICES) {
            for (Optional<String> b : CHOICES) {
                Map<String, String> labels = new HashMap<>();
                a.ifPresent(v -> labels.put("a", v));
                b.ifPresent(v -> labels.put("b", v));
                maps.add(labels);
            }
        }
        return List.copyOf(maps);
    }

    private static List<Map<String, String>> namespaces() {
        List<Map<String, String>> maps = new ArrayList<>();
        for (String name : List.of("n0", "n1")) {
            for (Map<String, String> labels : labelMaps()) {
                Map<String, String> all = new HashMap<>(labels);
                all.put(Wire.NAMESPACE_NAME_LABEL, name);
                maps.add(all);
            }
        }
        return List.copyOf(maps);
    }
}
