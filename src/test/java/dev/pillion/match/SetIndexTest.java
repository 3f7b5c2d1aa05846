package dev.pillion.match;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.TreeMap;
import java.util.stream.IntStream;

import org.junit.jupiter.api.Test;

import dev.pillion.api.Json;
import dev.pillion.api.Revision;
import dev.pillion.api.SetKey;
import dev.pillion.api.SidecarSet;

import tools.jackson.databind.node.ObjectNode;

final class SetIndexTest {
    private static final String BY_NAME = "kubernetes.io/metadata.name";

    private static SidecarSet set(String name, String spec) {
        return SidecarSet.of((ObjectNode) Json.read("{\"metadata\":{\"name\":\"" + name + "\"},\"spec\":" + spec + "}"));
    }

    private static List<String> candidates(SetIndex index, String namespace, Map<String, String> labels) {
        return index.candidates(namespace, labels).stream().map(CompiledSet::name).toList();
    }

    @Test
    void ordersBoundSetsFirstThenEachByName() {
        String wide = "{\"selector\":{\"matchLabels\":{\"app\":\"x\"}}}";
        String bound = "{\"selector\":{\"matchLabels\":{\"app\":\"x\"}},\"namespaceSelector\":{\"matchLabels\":{\"" + BY_NAME
                + "\":\"n\"}}}";
        List<SidecarSet> sets = new ArrayList<>(
                List.of(set("z", bound), set("b", bound), set("a", wide), set("y", wide), set("B", wide)));
        for (int i = 0; i < 20; i++) {
            Collections.shuffle(sets, new Random(i));
            assertThat(candidates(SetIndex.of(sets, List.of()), "n", Map.of("app", "x"))).containsExactly("b", "z", "B", "a", "y");
        }
        assertThat(candidates(SetIndex.of(sets, List.of()), "other", Map.of("app", "x"))).containsExactly("B", "a", "y");
    }

    @Test
    void takesTheFirstInExpressionOfTheNameLabelAsIndexValue() {
        String spec = """
                {"selector":{"matchLabels":{"app":"x"}},"namespaceSelector":{"matchExpressions":[
                  {"key":"kubernetes.io/metadata.name","operator":"NotIn","values":["a"]},
                  {"key":"kubernetes.io/metadata.name","operator":"In","values":["b","b","c"]},
                  {"key":"kubernetes.io/metadata.name","operator":"In","values":["d"]}]}}""";
        SetIndex index = SetIndex.of(List.of(set("s", spec)), List.of());
        assertThat(candidates(index, "b", Map.of("app", "x"))).containsExactly("s");
        assertThat(candidates(index, "c", Map.of("app", "x"))).containsExactly("s");
        assertThat(candidates(index, "d", Map.of("app", "x"))).isEmpty();
    }

    @Test
    void candidatesAreCountedByMatchesNotBySets() {
        List<SidecarSet> sets = new ArrayList<>();
        for (int i = 0; i < 9_997; i++) {
            sets.add(set("s" + i, "{\"selector\":{\"matchLabels\":{\"team\":\"all\",\"app\":\"a" + i + "\"}}}"));
        }
        for (String name : List.of("m1", "m2", "m3")) {
            sets.add(set(name, "{\"selector\":{\"matchLabels\":{\"team\":\"all\",\"app\":\"mine\"}}}"));
        }
        assertThat(candidates(SetIndex.of(sets, List.of()), "n", Map.of("team", "all", "app", "mine"))).containsExactly("m1", "m2", "m3");
    }

    @Test
    void faultySelectorsStayCandidatesAndEmptyOnesNever() {
        SetIndex index = SetIndex.of(List.of(set("bad", "{\"selector\":{\"matchExpressions\":[{\"key\":\"a\",\"operator\":\"Odd\"}]}}"),
                set("empty", "{\"selector\":{}}"), set("none", "{}")), List.of());
        assertThat(candidates(index, "n", Map.of())).containsExactly("bad");
    }

    /** Random sets and pods: exactly the sets that match are found, and none twice. Seed in the message. */
    @Test
    void neverLosesAMatch() {
        for (long seed = 0; seed < 200; seed++) {
            Random random = new Random(seed);
            List<SidecarSet> sets = IntStream.range(0, 30).mapToObj(i -> randomSet("s" + i, random)).toList();
            SetIndex index = SetIndex.of(sets, List.of());
            for (int pod = 0; pod < 20; pod++) {
                Map<String, String> labels = Map.of("k" + random.nextInt(3), "v" + random.nextInt(2), "x" + random.nextInt(3), "v0");
                String namespace = "n" + random.nextInt(3);
                List<CompiledSet> found = index.candidates(namespace, labels);
                assertThat(found).as("seed %d", seed).doesNotHaveDuplicates();
                assertThat(found.stream().filter(s -> s.matchesLabels(labels)).toList()).as("seed %d", seed).isEqualTo(
                        index.all().stream().filter(s -> s.isIndexedUnder(namespace) && s.matchesLabels(labels)).toList());
            }
        }
    }

    private static SidecarSet randomSet(String name, Random random) {
        return set(name, "{\"selector\":" + selector(random) + (random.nextInt(3) == 0
                ? ",\"namespaceSelector\":{\"matchLabels\":{\"" + BY_NAME + "\":\"n" + random.nextInt(2) + "\"}}"
                : "") + "}");
    }

    private static String selector(Random random) {
        StringBuilder terms = new StringBuilder("{\"matchExpressions\":[");
        int count = 1 + random.nextInt(3);
        for (int i = 0; i < count; i++) {
            String operator = List.of("In", "In", "NotIn", "Exists", "DoesNotExist").get(random.nextInt(5));
            terms.append(i == 0 ? "" : ",").append("{\"key\":\"k").append(random.nextInt(3)).append("\",\"operator\":\"").append(operator)
                    .append("\",\"values\":[\"v0\"").append(random.nextInt(2) == 0 ? ",\"v1\"" : "").append("]}");
        }
        return terms.append("]}").toString();
    }

    /** Random changes one after another: each index answers like one made from scratch. Seed in the message. */
    @Test
    void nextAnswersLikeAnIndexMadeAnew() {
        for (long seed = 0; seed < 100; seed++) {
            Random random = new Random(seed);
            Map<String, SidecarSet> sets = new TreeMap<>();
            SetIndex index = SetIndex.EMPTY;
            for (int step = 0; step < 30; step++) {
                String name = "s" + random.nextInt(12);
                SidecarSet before = sets.get(name);
                if (before != null && random.nextBoolean()) {
                    ObjectNode raw = before.raw().deepCopy();
                    raw.putObject("status").put("matchedPods", step);
                    sets.put(name, SidecarSet.of(raw));
                } else if (before != null && random.nextInt(4) == 0) {
                    sets.remove(name);
                } else {
                    sets.put(name, randomSet(name, random));
                }
                SetIndex.Content content = new SetIndex.Content(sets.values(), List.of(), List.of(), Optional.empty());
                index = index.next(content);
                SetIndex anew = SetIndex.of(content);
                for (int pod = 0; pod < 6; pod++) {
                    Map<String, String> labels = Map.of("k" + random.nextInt(3), "v" + random.nextInt(2));
                    String namespace = "n" + random.nextInt(3);
                    List<SidecarSet> found = index.candidates(namespace, labels).stream().filter(s -> s.matchesLabels(labels))
                            .map(CompiledSet::set).toList();
                    List<SidecarSet> wanted = anew.candidates(namespace, labels).stream().filter(s -> s.matchesLabels(labels))
                            .map(CompiledSet::set).toList();
                    assertThat(found).as("seed %d", seed).usingElementComparator((a, b) -> a == b ? 0 : 1).isEqualTo(wanted);
                }
            }
        }
    }

    /** A change of status, as there are many in a roll-out, leaves everything that was worked out of the spec. */
    @Test
    void aNewStatusCompilesNothing() {
        SidecarSet a = set("a", "{\"selector\":{\"matchLabels\":{\"app\":\"x\"}},\"containers\":[{\"name\":\"c\"}]}");
        ObjectNode raw = a.raw().deepCopy();
        raw.putObject("status").put("matchedPods", 7);
        SidecarSet counted = SidecarSet.of(raw);
        SetIndex first = SetIndex.of(List.of(a), List.of());
        SetIndex second = first.next(new SetIndex.Content(List.of(counted), List.of(), List.of(), Optional.empty()));

        CompiledSet compiled = second.compiled(new SetKey("a")).orElseThrow();
        assertThat(compiled.set()).isSameAs(counted);
        assertThat(compiled.containers().getFirst()).isSameAs(first.compiled(new SetKey("a")).orElseThrow().containers().getFirst());
        assertThat(second.filing()).isSameAs(first.filing());
    }

    @Test
    void nextKeepsWhatDidNotChange() {
        SidecarSet a = set("a", "{\"selector\":{\"matchLabels\":{\"app\":\"x\"}}}");
        SetIndex first = SetIndex.of(List.of(a, set("b", "{\"selector\":{\"matchLabels\":{\"app\":\"x\"}}}")), List.of());
        SidecarSet changed = set("b", "{\"selector\":{\"matchLabels\":{\"app\":\"y\"}}}");
        SetIndex second = first.next(new SetIndex.Content(List.of(a, changed), List.of(), List.of(), Optional.of("{}")));
        assertThat(second.compiled(new SetKey("a")).orElseThrow()).isSameAs(first.compiled(new SetKey("a")).orElseThrow());
        assertThat(candidates(second, "n", Map.of("app", "y"))).containsExactly("b");
        assertThat(candidates(second, "n", Map.of("app", "x"))).containsExactly("a");
        assertThat(second.whitelist()).contains("{}");
    }

    /** Whatever changes between two checks, and whether or not there was a check: the answer is that of a new index. */
    @Test
    void sharedNamesAreFoundAfterEveryHistoryOfChanges() {
        for (int seed = 0; seed < 30; seed++) {
            Random random = new Random(seed);
            Map<String, SidecarSet> sets = new TreeMap<>();
            SetIndex index = SetIndex.EMPTY;
            for (int step = 0; step < 60; step++) {
                for (int i = random.nextInt(step == 0 ? 60 : 4); i >= 0; i--) {
                    String name = "s" + random.nextInt(60);
                    if (random.nextInt(3) == 0) {
                        sets.remove(name);
                    } else {
                        sets.put(name, set(name, "{\"containers\":[{\"name\":\"c" + random.nextInt(30) + "\"}],\"volumes\":[{\"name\":\"v"
                                + random.nextInt(30) + "\"}]}"));
                    }
                }
                index = index.next(new SetIndex.Content(sets.values(), List.of(), List.of(), Optional.empty()));
                if (random.nextBoolean()) {
                    SidecarSet asked = set("asked", "{\"initContainers\":[{\"name\":\"c3\"}],\"volumes\":[{\"name\":\"v5\"}]}");
                    List<SidecarSet> wanted = sets.values().stream().filter(s -> s.containers().getFirst().name().equals("c3")
                            || Json.text(s.volumes().getFirst(), "name").equals("v5")).toList();
                    assertThat(index.sharingNames(asked)).as("seed %d, step %d", seed, step).isEqualTo(wanted);
                }
            }
        }
    }

    @Test
    void findsThePinnedRevisionOfGreatestNumber() {
        SetIndex index = SetIndex.of(new SetIndex.Content(List.of(), List.of(),
                List.of(revision("a-1", 1), revision("a-3", 3), revision("a-2", 2)), Optional.empty()));
        assertThat(index.revision("a", "v1")).map(Revision::name).contains("a-3");
        assertThat(index.revision("a", "v2")).isEmpty();
        assertThat(index.revision("b", "v1")).isEmpty();
        assertThat(index.revision("a-2")).map(Revision::number).contains(2L);
    }

    private static Revision revision(String name, long number) {
        return new Revision(name, "", "", number, "2024-01-01T00:00:00Z",
                Map.of("kruise.io/sidecarset-name", "a", "apps.kruise.io/sidecarset-custom-version", "v1"), Map.of(), "{}",
                Optional.empty());
    }
}
