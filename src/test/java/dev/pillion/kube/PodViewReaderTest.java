package dev.pillion.kube;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.random.RandomGenerator;
import java.util.random.RandomGeneratorFactory;
import java.util.stream.Stream;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import dev.pillion.api.Json;
import dev.pillion.api.PodStartup;
import dev.pillion.api.PodView;
import dev.pillion.conformance.Vectors;
import dev.pillion.podmeta.PodViews;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

class PodViewReaderTest {
    private static PodView stream(JsonNode pod) {
        JsonCursor json = new JsonCursor(Json.bytes(pod));
        PodView view = new PodViewReader(new Interner(100)).view(json);
        assertThat(json.nextRoot()).as("anything left").isFalse();
        return view;
    }

    /** What stays the same is not kept twice while thousands of Pods change in a second. */
    @Test
    void aLaterViewSharesWhatDidNotChange() {
        ObjectNode pod = (ObjectNode) Json.read("""
                {"metadata":{"name":"p","namespace":"n","uid":"u-1","resourceVersion":"7","creationTimestamp":"2026-01-01T00:00:00Z",
                  "labels":{"app":"x"}},
                 "status":{"conditions":[{"type":"Ready","status":"True","lastTransitionTime":"2026-01-01T00:00:05Z"}]}}""");
        PodView before = stream(pod);
        ((ObjectNode) pod.path("metadata")).put("resourceVersion", "8");
        PodView after = new PodViewReader(new Interner(100), key -> Optional.of(before).filter(b -> b.key().equals(key)))
                .view(new JsonCursor(Json.bytes(pod)));

        assertThat(after).isEqualTo(stream(pod)).isNotEqualTo(before);
        assertThat(after.key()).isSameAs(before.key());
        assertThat(after.uid()).isSameAs(before.uid());
        assertThat(after.created()).isSameAs(before.created());
        assertThat(after.ready()).isSameAs(before.ready());
        ((ObjectNode) pod.path("metadata")).put("uid", "u-2");
        assertThat(new PodViewReader(new Interner(100), _ -> Optional.of(before)).view(new JsonCursor(Json.bytes(pod))))
                .isEqualTo(stream(pod));
    }

    /** In the middle of its start: everything a PodStartup is made from, in an unusual order. */
    private static final JsonNode STARTING = Json.read("""
            {"status":{"conditions":[{"message":"[]","type":"KruisePodReady","status":"False","lastTransitionTime":"2026-01-01T00:00:00Z"}],
              "containerStatuses":[{"state":{"terminated":{"exitCode":0}},"name":"setup"},
                {"name":"app","state":{"waiting":{"reason":"CreateContainerConfigError","message":"m"}}},
                {"name":"log","state":{"running":{}}}]},
             "spec":{"containers":[
              {"env":[{"value":"x","name":"KRUISE_CONTAINER_BARRIER"},
                {"valueFrom":{"configMapKeyRef":{"key":"p_5","name":"a-barrier"}},"name":"KRUISE_CONTAINER_BARRIER"}],"name":"setup"},
              {"name":"app","env":[{"name":"A"},
                {"name":"KRUISE_CONTAINER_BARRIER","valueFrom":{"configMapKeyRef":{"name":"n","key":"p_-1"}}}]},
              {"name":"log","env":[{"name":"KRUISE_CONTAINER_BARRIER"}]}],
              "initContainers":[{"name":"i","env":[
                {"name":"KRUISE_CONTAINER_BARRIER","valueFrom":{"configMapKeyRef":{"name":"n","key":"p_9"}}}]}],
              "readinessGates":[{"conditionType":"other"},{"conditionType":"KruisePodReady"}]},
             "metadata":{"name":"a","namespace":"n","annotations":{"apps.kruise.io/container-launch-priority-completed":"true"}}}""");
    private static final List<JsonNode> RECORDED = recordedPods();

    /** Every object in the recorded cases that looks like a Pod. */
    private static List<JsonNode> recordedPods() {
        List<JsonNode> pods = new ArrayList<>();
        Stream.of("inject", "nextpods", "status", "upgradepod", "flip", "matchpods", "podevent", "scenario", "sorts", "condition")
                .flatMap(kind -> Vectors.of(kind).stream()).forEach(c -> collect(c.input(), pods));
        for (int i = 0; i < 200; i++) {
            pods.add(STARTING);
        }
        return pods;
    }

    private static void collect(JsonNode node, List<JsonNode> pods) {
        if (node.isObject() && node.path("spec").path("containers").isArray() && node.path("metadata").isObject()
                && !node.path("kind").asString("").equals("SidecarSet")) {
            pods.add(node);
        }
        node.forEach(child -> collect(child, pods));
    }

    @Test
    void readsEveryRecordedPodAsTheTreeReaderDoes() {
        assertThat(RECORDED).hasSizeGreaterThan(2000);
        for (JsonNode pod : RECORDED) {
            assertThat(stream(pod)).isEqualTo(PodViews.of(pod));
        }
    }

    @Test
    void staysInStepWhateverKindAValueHas() {
        RandomGenerator random = RandomGeneratorFactory.of("L64X128MixRandom").create(57);
        for (int round = 0; round < 3000; round++) {
            JsonNode pod = RECORDED.get(random.nextInt(RECORDED.size())).deepCopy();
            for (int i = 0; i < 3; i++) {
                damage(pod, random);
            }
            assertThat(stream(pod)).as(pod.toString()).isEqualTo(PodViews.of(pod));
        }
    }

    /** Replaces one value, somewhere, by one of another kind. */
    private static void damage(JsonNode pod, RandomGenerator random) {
        JsonNode at = pod;
        while (true) {
            List<JsonNode> inner = new ArrayList<>();
            at.forEach(child -> {
                if (child.isContainer() && !child.isEmpty()) {
                    inner.add(child);
                }
            });
            if (inner.isEmpty() || random.nextInt(4) == 0) {
                break;
            }
            at = inner.get(random.nextInt(inner.size()));
        }
        JsonNode other = switch (random.nextInt(5)) {
            case 0 -> Json.NODES.nullNode();
            case 1 -> Json.read("[1,[\"a\",{\"b\":[]}]]");
            case 2 -> Json.read("\"text\"");
            case 3 -> Json.read("[]");
            default -> Json.NODES.booleanNode(true);
        };
        switch (at) {
            case ObjectNode object when !object.isEmpty() -> {
                List<String> names = List.copyOf(object.propertyNames());
                object.set(names.get(random.nextInt(names.size())), other);
            }
            case ArrayNode array when !array.isEmpty() -> array.set(random.nextInt(array.size()), other);
            default -> {
            }
        }
    }

    @Test
    void readsBookmarksWhoseContainersAreNull() {
        PodView view = stream(Json.read("""
                {"kind":"Pod","apiVersion":"v1","metadata":{"resourceVersion":"7","creationTimestamp":null},
                 "spec":{"containers":null},"status":{}}"""));

        assertThat(view.resourceVersion()).isEqualTo("7");
        assertThat(view.key().name()).isEmpty();
        assertThat(view.containers()).isEmpty();
    }

    @Test
    void readsWhatAPodStillNeedsToStart() {
        assertThat(stream(STARTING).startup()).isEqualTo(new PodStartup(new PodStartup.ReadyGate.Closed("2026-01-01T00:00:00Z", "[]"),
                Optional.of(new PodStartup.Launch(
                        List.of(new PodStartup.Barrier("setup", "p_5", 5), new PodStartup.Barrier("app", "p_-1", -1)), true, Set.of("app"),
                        Set.of("setup")))));
    }

    /** Memory: every ordinary Pod has the one instance, and so has one that has started. */
    @ParameterizedTest
    @ValueSource(strings = {"{'metadata':{'name':'a'},'spec':{'containers':[{'name':'c','env':[{'name':'A','value':'1'}]}]}}",
            "{'spec':{'readinessGates':[{'conditionType':'KruisePodReady'}]},"
                    + "'status':{'conditions':[{'type':'KruisePodReady','status':'True'}]}}",
            "{'status':{'conditions':[{'type':'KruisePodReady','status':'False'}]}}",
            "{'metadata':{'annotations':{'apps.kruise.io/container-launch-priority-completed':'true'}},'spec':{'containers':[{'name':'c',"
                    + "'env':[{'name':'KRUISE_CONTAINER_BARRIER','valueFrom':{'configMapKeyRef':{'key':'p_0'}}}]}]}}"})
    void podsWithNothingToDoCostNothing(String pod) {
        assertThat(stream(Json.read(pod.replace('\'', '"'))).startup()).isSameAs(PodStartup.NONE);
    }

    /** The event of an own write repeats its answer, which was read by somebody else. */
    @Test
    void anEventOfAKnownVersionIsNotReadAgain() {
        for (JsonNode pod : RECORDED.subList(0, 500)) {
            ObjectNode named = (ObjectNode) pod.deepCopy();
            // In the server's order, in which the version comes early.
            ObjectNode metadata = Json.object().put("name", "a").put("namespace", "n").put("uid", "u").put("resourceVersion", "7");
            named.path("metadata").properties().forEach(e -> metadata.putIfAbsent(e.getKey(), e.getValue()));
            named.set("metadata", metadata);
            PodView answer = PodViews.of(named);
            ObjectNode changed = named.deepCopy();
            ((ObjectNode) changed.path("metadata")).set("labels", Json.read("{\"changed\":\"yes\"}"));
            changed.set("status", Json.read("{\"phase\":\"Changed\"}"));
            PodView other = PodViews.of(changed);
            Interner interner = new Interner(100);
            PodViewReader reader = new PodViewReader(interner, key -> Optional.of(answer).filter(v -> v.key().equals(key)));

            assertThat(reader.event(new JsonCursor(Json.bytes(changed))).value()).as("taken as known").contains(answer);
            assertThat(reader.read(new JsonCursor(Json.bytes(changed))).value()).as("a list is read").contains(other);
            assertThat(reader.event(new JsonCursor(Json.bytes(named))).value().orElseThrow().labels())
                    .isSameAs(interner.of(answer.labels()));
            ((ObjectNode) changed.path("metadata")).put("resourceVersion", "8");
            assertThat(reader.event(new JsonCursor(Json.bytes(changed))).value()).contains(PodViews.of(changed));
            ((ObjectNode) changed.path("metadata")).put("resourceVersion", "7").put("uid", "successor");
            assertThat(reader.event(new JsonCursor(Json.bytes(changed))).value()).contains(PodViews.of(changed));
        }
    }

    @Test
    void podsOfOneTemplateShareTheirLabelsAndContainers() {
        PodViewReader reader = new PodViewReader(new Interner(100));
        List<PodView> views = Stream.of("a", "b").map(name -> {
            return reader.view(new JsonCursor(Json.bytes(Json.read("""
                    {"metadata":{"name":"%s","namespace":"n","labels":{"app":"x"}},"spec":{"containers":[{"name":"c","image":"i"}]}}"""
                    .formatted(name)))));
        }).toList();

        assertThat(views.get(0).labels()).isSameAs(views.get(1).labels());
        assertThat(views.get(0).containers()).isSameAs(views.get(1).containers());
    }
}
