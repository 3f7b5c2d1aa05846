package dev.pillion.validate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.Supplier;

import org.junit.jupiter.api.Test;

import dev.pillion.api.Conversion;
import dev.pillion.api.Json;
import dev.pillion.api.MemberTable;
import dev.pillion.api.SidecarSet;
import dev.pillion.api.TypedDecode;
import dev.pillion.api.Wire;
import dev.pillion.conformance.Vectors;
import dev.pillion.match.SetIndex;
import dev.pillion.revision.Defaulting;
import dev.pillion.revision.SetDefaults;
import dev.pillion.validate.ValidationRequest.Operation;
import dev.pillion.validate.ValidationRequest.Pinned;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** Whatever is sent, every step answers with a value and never throws. -Dpillion.seed repeats a run, -Dpillion.rounds makes it longer. */
final class ArbitraryInputTest {
    private static final long SEED = Long.getLong("pillion.seed", 20261130L);
    private static final int ROUNDS = Integer.getInteger("pillion.rounds", 2500);
    private static final String[] TEXTS = {"", " ", "a", "-", "a/b/c", "\u0000", "\ud800", "\ud83d\ude00", "é".repeat(300), "$(", "[](",
            "1e999999999",
            "9".repeat(400), "50%", "-1%", "metadata.labels['", "metadata.labels['']", "max(cpu*", "((((((((((", "Always", "In", "NotIn",
            "\u2028\n",
            "HotUpgrade", "1Ki", "E", "null", "2026-01-01T00:00:00Z", "iqn.", "[::1]:1"};

    private final Random random = new Random(SEED);
    private final List<Vectors.Case> cases = Vectors.of("validate");
    /** All member names that recorded sets have. */
    private final List<String> members = memberNames(cases);

    @Test
    void formatsAnswerForEveryText() {
        List<Function<String, List<String>>> formats = List.of(Formats::label, Formats::subdomain, Formats::qualifiedName,
                Formats::labelValue,
                Formats::subdomainPrefix, Formats::localFileName, Formats::portName, Formats::envName, Formats::configKey,
                Formats::localPath);
        List<Predicate<String>> tests = List.of(Formats::hasOuterSpace, Formats::hasParentSegment, Formats::isHeaderName,
                Formats::isIscsiName,
                Formats::isHostPort);
        for (int i = 0; i < 30_000; i++) {
            String text = i < TEXTS.length ? TEXTS[i] : text();
            for (Function<String, List<String>> format : formats) {
                assertThatCode(() -> format.apply(text)).as("seed %d, text %s", SEED, text).doesNotThrowAnyException();
            }
            assertThatCode(() -> Formats.lowerCase(text)).doesNotThrowAnyException();
            for (Predicate<String> test : tests) {
                assertThatCode(() -> test.test(text)).as("seed %d, text %s", SEED, text).doesNotThrowAnyException();
            }
        }
    }

    /** A text as long as the body limit lets through must not cost a stack or much time. */
    @Test
    void formatsBearLongTexts() {
        String labels = "a.".repeat(500_000) + "a";
        assertThat(Formats.subdomain(labels)).isNotEmpty();
        assertThat(Formats.label("a".repeat(1_000_000))).isNotEmpty();
        assertThat(Formats.qualifiedName("a".repeat(500_000) + "/" + "-".repeat(500_000))).isNotEmpty();
        assertThat(Formats.isIscsiName("iqn." + "iqn.2026-01.a:".repeat(50_000))).isTrue();
        assertThat(Formats.isIscsiName("iqn." + "iqn.2026-01.a:".repeat(50_000) + " ")).isFalse();
        assertThat(Formats.isIscsiName("iqn.2026-01.a".repeat(50_000))).isFalse();
        assertThat(Formats.isHostPort("[" + ":".repeat(1_000_000))).isFalse();
    }

    @Test
    void everyMutationOfARecordedSetGetsAnAnswer() {
        int accepted = 0;
        int decodable = 0;
        for (int i = 0; i < ROUNDS; i++) {
            JsonNode input = cases.get(random.nextInt(cases.size())).input();
            ObjectNode object = (ObjectNode) input.path("object").deepCopy();
            ObjectNode old = (ObjectNode) input.path("object").deepCopy();
            for (int m = random.nextInt(4); m >= 0; m--) {
                mutate(object);
            }
            if (random.nextInt(3) == 0) {
                mutate(old);
            }
            String what = "seed " + SEED + ", round " + i + ": " + object;
            String version = Json.text(object, "apiVersion").endsWith("v1alpha1") ? "v1alpha1" : "v1beta1";
            run(object, version, what);
            if (TypedDecode.checkSidecarSet(object, MemberTable.V1BETA1).isEmpty()) {
                decodable++;
            }
            Validation validation = answered(() -> validate(object, old), what);
            accepted += validation.isAccepted() ? 1 : 0;
        }
        assertThat(accepted).as("accepted mutants").isPositive();
        assertThat(decodable).as("mutants that decode").isGreaterThan(ROUNDS / 10);
    }

    @Test
    void everyJsonGetsAnAnswer() {
        for (int i = 0; i < ROUNDS; i++) {
            JsonNode value = json(0);
            String what = "seed " + SEED + ", round " + i + ": " + value;
            run(value, random.nextBoolean() ? "v1beta1" : "v1alpha1", what);
            ObjectNode object = Json.object().put("apiVersion", random.nextBoolean() ? Wire.V1BETA1 : Wire.V1ALPHA1).put("kind", Wire.KIND);
            object.set("metadata", json(0));
            object.set("spec", random.nextBoolean() ? value : likeASpec());
            object.set("status", json(1));
            run(object, random.nextBoolean() ? "v1beta1" : "v1alpha1", what);
            answered(() -> validate(object, object), what + " in " + object);
        }
    }

    private static void run(JsonNode object, String version, String what) {
        for (SetDefaults.Unknown unknown : SetDefaults.Unknown.values()) {
            Defaulting defaulting = answered(() -> SetDefaults.apply(object, version, "CREATE", unknown), what);
            if (defaulting instanceof Defaulting.Patch(_, ObjectNode result)) {
                Defaulting again = answered(() -> SetDefaults.apply(result, version, "UPDATE", unknown), what);
                // The reference drops an empty list after hashing it, and the next time finds none.
                boolean isDropped = unknown == SetDefaults.Unknown.DROP && object.at("/spec/containers").isArray()
                        && result.at("/spec/containers").isMissingNode();
                assertThat(isDropped || again instanceof Defaulting.Unchanged).as("%s %s again: %s", unknown, what, result.toString())
                        .isTrue();
                answered(() -> validate(result, result), what);
            }
        }
        for (Conversion.Mode mode : Conversion.Mode.values()) {
            for (String to : List.of(Wire.V1BETA1, Wire.V1ALPHA1)) {
                answered(() -> Conversion.convert(object, to, mode), what);
            }
        }
        answered(() -> AlphaWarnings.of(object), what);
    }

    private static Validation validate(ObjectNode object, ObjectNode old) {
        SetIndex index = SetIndex.of(List.of(SidecarSet.of(old), SidecarSet.of(object)), List.of());
        Optional<Map<String, String>> whitelist = Optional
                .of(Map.of(Wire.WHITELIST_KEY, "{\"rules\":[{\"allowedAnnotationKeyExprs\":[\"a\"]}]}"));
        for (ValidateOptions options : List.of(ValidateOptions.REFERENCE, ValidateOptions.PILLION.with(ValidateOptions.Overlap.STRICT))) {
            SetValidator.validate(new ValidationRequest(Operation.UPDATE, object, Optional.of(old), Pinned.NOT_FOUND, whitelist, "n"),
                    index, options);
        }
        return SetValidator.validate(new ValidationRequest(Operation.CREATE, object, Optional.empty(), Pinned.FOUND, whitelist, "n"),
                SetIndex.EMPTY, ValidateOptions.PILLION);
    }

    private static <T> T answered(Supplier<T> step, String what) {
        try {
            return step.get();
        } catch (RuntimeException | StackOverflowError e) {
            throw new AssertionError(what, e);
        }
    }

    /** Replaces, removes, adds or repeats something somewhere in the tree. */
    private void mutate(ObjectNode root) {
        List<JsonNode> containers = new ArrayList<>();
        collect(root, containers);
        JsonNode place = containers.get(random.nextInt(containers.size()));
        if (place instanceof ArrayNode array) {
            if (array.isEmpty() || random.nextInt(4) == 0) {
                array.add(json(2));
            } else {
                int at = random.nextInt(array.size());
                switch (random.nextInt(3)) {
                    case 0 -> array.remove(at);
                    case 1 -> array.set(at, json(2));
                    default -> array.add(array.get(at).deepCopy());
                }
            }
        } else if (place instanceof ObjectNode object) {
            List<String> names = List.copyOf(object.propertyNames());
            if (names.isEmpty() || random.nextInt(4) == 0) {
                object.set(member(), json(2));
            } else {
                String name = names.get(random.nextInt(names.size()));
                if (random.nextInt(3) == 0) {
                    object.remove(name);
                } else {
                    object.set(name, random.nextBoolean() ? sameKind(object.path(name)) : json(2));
                }
            }
        }
    }

    /** Keeps decoding alive, so that the rules behind it are reached. */
    private JsonNode sameKind(JsonNode value) {
        if (value.isString()) {
            return Json.NODES.stringNode(text());
        }
        if (value.isNumber()) {
            return Json.NODES.numberNode(random.nextInt() >> random.nextInt(32));
        }
        if (value.isBoolean()) {
            return Json.NODES.booleanNode(random.nextBoolean());
        }
        return value.isArray() ? Json.NODES.arrayNode() : Json.object();
    }

    private static void collect(JsonNode node, List<JsonNode> containers) {
        if (node.isObject() || node.isArray()) {
            containers.add(node);
            node.forEach(child -> collect(child, containers));
        }
    }

    private ObjectNode likeASpec() {
        ObjectNode spec = Json.object();
        for (int i = 1 + random.nextInt(5); i > 0; i--) {
            spec.set(member(), json(1));
        }
        return spec;
    }

    private String member() {
        return members.get(random.nextInt(members.size()));
    }

    private static List<String> memberNames(List<Vectors.Case> cases) {
        Set<String> names = new TreeSet<>();
        List<JsonNode> places = new ArrayList<>();
        cases.forEach(c -> collect(c.input().path("object"), places));
        places.forEach(p -> names.addAll(p.propertyNames()));
        return List.copyOf(names);
    }

    private JsonNode json(int depth) {
        return switch (random.nextInt(depth > 4 ? 7 : 11)) {
            case 0 -> Json.NODES.nullNode();
            case 1 -> Json.NODES.booleanNode(random.nextBoolean());
            case 2 -> Json.NODES.numberNode(random.nextInt());
            case 3 -> Json.read(new String[]{"1.5", "1e400", "-0", "99999999999999999999", "1E-400", "0.1"}[random.nextInt(6)]);
            case 4, 5, 6 -> Json.NODES.stringNode(text());
            case 7, 8 -> {
                ArrayNode array = Json.NODES.arrayNode();
                for (int i = random.nextInt(4); i > 0; i--) {
                    array.add(json(depth + 1));
                }
                yield array;
            }
            default -> {
                ObjectNode object = Json.object();
                for (int i = random.nextInt(6); i > 0; i--) {
                    object.set(random.nextInt(4) == 0 ? text() : member(), json(depth + 1));
                }
                yield object;
            }
        };
    }

    private String text() {
        if (random.nextBoolean()) {
            return TEXTS[random.nextInt(TEXTS.length)];
        }
        StringBuilder text = new StringBuilder();
        for (int i = random.nextInt(12); i > 0; i--) {
            text.append((char) (random.nextInt(5) == 0 ? random.nextInt(0x10000) : " -._/:'[]()$%*+0a9Zz\\\n".charAt(random.nextInt(22))));
        }
        return text.toString();
    }
}
