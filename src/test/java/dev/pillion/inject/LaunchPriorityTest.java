package dev.pillion.inject;

import static dev.pillion.inject.Samples.index;
import static dev.pillion.inject.Samples.inject;
import static dev.pillion.inject.Samples.injected;
import static dev.pillion.inject.Samples.json;
import static dev.pillion.inject.Samples.pod;
import static dev.pillion.inject.Samples.refused;
import static dev.pillion.inject.Samples.set;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import dev.pillion.api.Json;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** The webhook's step (neighbours.md 1.2, 1.6). */
final class LaunchPriorityTest {
    private static ObjectNode podWith(String... priorities) {
        ObjectNode pod = pod("{'containers':[]}");
        for (int i = 0; i < priorities.length; i++) {
            ObjectNode container = ((ArrayNode) pod.path("spec").path("containers")).addObject().put("name", "c" + i);
            for (String value : priorities[i].equals("-") ? new String[0] : priorities[i].split(";", -1)) {
                container.withArray("env").addObject().put("name", "KRUISE_CONTAINER_PRIORITY").put("value", value);
            }
        }
        return pod;
    }

    private static void annotate(ObjectNode pod, String order) {
        ((ObjectNode) pod.path("metadata")).putObject("annotations").put("apps.kruise.io/container-launch-priority", order);
    }

    private static List<String> keys(JsonNode pod) {
        return pod.path("spec").path("containers").valueStream().map(c -> {
            JsonNode last = c.path("env").path(c.path("env").size() - 1);
            return Json.text(last.path("valueFrom").path("configMapKeyRef"), "key");
        }).toList();
    }

    /** The measured table. */
    @ParameterizedTest
    @CsvSource(delimiter = '|', value = {"1 | 1 | nothing", "+5 | 007 | p_5,p_7", "-0 | - | nothing", "3;0 | - | nothing",
            "' 5' | - | denied", "5_0 | - | denied", "0x5 | - | denied", "5.0 | - | denied", "'' | - | denied",
            "9223372036854775808 | - | denied", "9223372036854775807 | - | p_9223372036854775807,p_0", "\u0665 | - | denied",
            "abc;1 | - | denied", "-1 | - | p_-1,p_0"})
    void numbersContainers(String first, String second, String result) {
        Injection injection = inject(podWith(first, second), index());
        switch (result) {
            case "nothing" -> assertThat(injection).isInstanceOf(Injection.Skip.class);
            case "denied" -> assertThat(refused(injection).message()).contains("KRUISE_CONTAINER_PRIORITY", "c0", "n/p");
            default -> assertThat(String.join(",", keys(InjectCase.apply(injection, podWith(first, second))))).isEqualTo(result);
        }
    }

    @Test
    void orderedCountsDownTheFinalList() {
        ObjectNode pod = podWith("abc", "-");
        annotate(pod, "Ordered");
        ObjectNode result = injected(pod, index(set("one", "{'containers':[{'name':'s','podInjectPolicy':'BeforeAppContainer'}]}")));
        assertThat(keys(result)).containsExactly("p_0", "p_-1", "p_-2");
        assertThat(result.toString()).contains("\"name\":\"p-barrier\"");
    }

    @Test
    void otherWordsHaveNoEffectButAWarning() {
        ObjectNode pod = podWith("1", "-");
        annotate(pod, "ordered");
        assertThat(((Injection.Patch) inject(pod, index())).warnings()).singleElement().asString().contains("ordered");
    }

    /** Trap 8 where it is met most: the word is misspelt, nothing else is there, and nothing happens. */
    @Test
    void aPodLeftAsItIsGetsTheWarningToo() {
        ObjectNode pod = podWith("-", "-");
        annotate(pod, "ordered");
        assertThat(inject(pod, index())).isInstanceOfSatisfying(Injection.Skip.class,
                skip -> assertThat(skip.warnings()).singleElement().asString().contains("ordered", "n/p", "Ordered"));
    }

    @Test
    void orderedAloneNumbersContainersWithoutOne() {
        ObjectNode pod = podWith("abc", "-");
        annotate(pod, "Ordered");
        assertThat(keys(injected(pod, index()))).containsExactly("p_0", "p_-1");
    }

    /** Trap 7. */
    @ParameterizedTest
    @CsvSource(delimiter = '|', value = {"{'valueFrom':{'fieldRef':{'fieldPath':'metadata.name'}}}",
            "{'valueFrom':{'configMapKeyRef':{'name':'m','key':'k'}}}", "{}", "{'value':null}"})
    void numbersThatAreNoPlainValueAreRefused(String form) {
        ObjectNode pod = podWith("1", "-");
        ObjectNode env = json(form.replace("''", "'"));
        ((ObjectNode) pod.path("spec").path("containers").path(1)).withArray("env").add(env.put("name", "KRUISE_CONTAINER_PRIORITY"));
        Injection.Refuse refused = refused(inject(pod, index()));
        assertThat(refused.code()).isEqualTo(422);
        assertThat(refused.message()).contains("c1", "n/p", "KRUISE_CONTAINER_PRIORITY");
    }

    /** Trap 6. */
    @Test
    void aRefusalNamesContainerEnvAndValue() {
        assertThat(refused(inject(podWith("1", "5.0"), index())).message()).contains("c1", "KRUISE_CONTAINER_PRIORITY", "\"5.0\"", "n/p");
    }

    @Test
    void oneContainerIsNeverRead() {
        assertThat(inject(podWith("abc"), index())).isInstanceOf(Injection.Skip.class);
        ObjectNode ordered = podWith("abc");
        annotate(ordered, "Ordered");
        assertThat(inject(ordered, index())).isInstanceOf(Injection.Skip.class);
    }

    @Test
    void makesANameOnlyWhenBarriersNeedOne() {
        ObjectNode pod = podWith("1", "-");
        ((ObjectNode) pod.path("metadata")).remove("name");
        ((ObjectNode) pod.path("metadata")).put("generateName", "g".repeat(70));
        ObjectNode result = injected(pod, index());
        assertThat(Json.text(result.path("metadata"), "name")).isEqualTo("g".repeat(58) + "abcde");
        assertThat(Json.text(result.path("metadata"), "generateName")).hasSize(70);
        assertThat(result.toString()).contains("\"name\":\"" + "g".repeat(58) + "abcde-barrier\"");
        ObjectNode even = podWith("1", "1");
        ((ObjectNode) even.path("metadata")).remove("name");
        ((ObjectNode) even.path("metadata")).put("generateName", "web-");
        assertThat(inject(even, index())).isInstanceOf(Injection.Skip.class);
    }

    /** Traps 1 and 4: whatever form a barrier env has that came along, exactly ours is left. */
    @ParameterizedTest
    @CsvSource(delimiter = '|', value = {"{'name':'KRUISE_CONTAINER_BARRIER','value':'x'}", "{'name':'KRUISE_CONTAINER_BARRIER'}",
            "{'name':'KRUISE_CONTAINER_BARRIER','valueFrom':{'fieldRef':{'fieldPath':'metadata.name'}}}",
            "{'name':'KRUISE_CONTAINER_BARRIER','valueFrom':{'configMapKeyRef':{'name':'old-barrier','key':'p'}}}"})
    void replacesBarriersOfADump(String old) {
        ObjectNode pod = podWith("1", "-");
        ((ObjectNode) pod.path("spec").path("containers").path(0)).withArray("env").add(json(old.replace("''", "'"))).addObject()
                .put("name", "LAST").put("value", "1");
        ObjectNode result = injected(pod, index());
        JsonNode env = result.path("spec").path("containers").path(0).path("env");
        assertThat(env.valueStream().map(Parts::name)).containsExactly("KRUISE_CONTAINER_PRIORITY", "LAST", "KRUISE_CONTAINER_BARRIER");
        assertThat(keys(result)).containsExactly("p_1", "p_0");
        assertThat(inject(result, index())).isInstanceOf(Injection.Skip.class);
    }

    @Test
    void refusesNamesTooLongForTheConfigMap() {
        ObjectNode pod = podWith("1", "-");
        ((ObjectNode) pod.path("metadata")).put("name", "n".repeat(246));
        assertThat(refused(inject(pod, index())).message()).contains("ConfigMap", "253");
        ((ObjectNode) pod.path("metadata")).put("name", "n".repeat(245));
        assertThat(keys(injected(pod, index()))).containsExactly("p_1", "p_0");
    }

    /** The set that brought the number is the one to correct, and no set was injected. */
    @Test
    void aBadNumberOfASidecarNamesItsSet() {
        String container = "{'containers':[{'name':'s','env':[{'name':'KRUISE_CONTAINER_PRIORITY','value':'high'}]}]}";

        Injection.Refuse refused = refused(
                inject(podWith("1"), index(set("good", "{'containers':[{'name':'g'}]}"), set("one", container))));

        assertThat(refused.message()).contains("container s of SidecarSet one", "n/p", "\"high\"");
        assertThat(refused.verdicts()).containsExactlyInAnyOrder(new Injection.Verdict("good", "pod-refused"),
                new Injection.Verdict("one", "launch-priority"));
        assertThat(refused(inject(podWith("x"), index(set("good", "{'containers':[{'name':'g'}]}")))).verdicts())
                .containsExactly(new Injection.Verdict("good", "pod-refused"));
    }

    /** For an API server a null element is an empty container. */
    @Test
    void nullElementsGetBarriersToo() {
        ObjectNode pod = podWith("1");
        ((ArrayNode) pod.path("spec").path("containers")).addNull();

        ObjectNode result = injected(pod, index());

        assertThat(keys(result)).containsExactly("p_1", "p_0");
        assertThat(inject(result, index())).isInstanceOf(Injection.Skip.class);
    }

    @Test
    void canBeSwitchedOff() {
        InjectOptions off = InjectOptions.PILLION.with(InjectOptions.SameName.REPLACE, InjectOptions.Sort.AS_WRITTEN,
                InjectOptions.ReadinessGate.OFF, InjectOptions.LaunchPriority.OFF);
        assertThat(inject(podWith("abc", "-"), index(), off)).isInstanceOf(Injection.Skip.class);
    }
}
