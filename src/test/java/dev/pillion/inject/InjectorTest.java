package dev.pillion.inject;

import static dev.pillion.inject.Samples.index;
import static dev.pillion.inject.Samples.inject;
import static dev.pillion.inject.Samples.injected;
import static dev.pillion.inject.Samples.json;
import static dev.pillion.inject.Samples.names;
import static dev.pillion.inject.Samples.pod;
import static dev.pillion.inject.Samples.refused;
import static dev.pillion.inject.Samples.set;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import dev.pillion.api.Json;
import dev.pillion.api.PatchOp;
import dev.pillion.api.SidecarSet;
import dev.pillion.inject.InjectOptions.LaunchPriority;
import dev.pillion.inject.InjectOptions.Look;
import dev.pillion.inject.InjectOptions.ReadinessGate;
import dev.pillion.inject.InjectOptions.SameName;
import dev.pillion.inject.InjectOptions.Sort;
import dev.pillion.inject.Injection.Patch;
import dev.pillion.inject.Injection.Skip;
import dev.pillion.inject.Injection.Verdict;
import dev.pillion.match.SetIndex;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

final class InjectorTest {
    private static final String LOG = "{'containers':[{'name':'log','image':'log:1','podInjectPolicy':'BeforeAppContainer'}]}";

    /** The measured example of injection.md 7.7. */
    @Test
    void buildsTheExampleOfTheSpec() {
        ObjectNode pod = pod("{'imagePullSecrets':[{'name':'s1'}],'volumes':[{'name':'data'}],'containers':[{'name':'app','env':["
                + "{'name':'A','value':'1'},{'name':'POD','value':'pp'}],'volumeMounts':[{'name':'data','mountPath':'/data','subPathExpr':'x/$(POD)'}],"
                + "'resources':{'limits':{'cpu':'300m','memory':'100Mi'},'requests':{'cpu':'100m','memory':'100Mi'}}}]}");
        ((ObjectNode) pod.path("metadata").path("labels")).put("main", "app");
        SidecarSet set = set("one",
                """
                        {'containers':[
                          {'name':'log','image':'l','podInjectPolicy':'BeforeAppContainer','shareVolumePolicy':{'type':'enabled'},
                           'env':[{'name':'X','value':'y'}],'volumeMounts':[{'name':'lv','mountPath':'/lv'},{'name':'ghost','mountPath':'/g'}],
                           'transferEnv':[{'sourceContainerNameFrom':{'fieldRef':{'fieldPath':"metadata.labels[\\u0027main\\u0027]"}},'envName':'POD','envNames':['Z','A']}],
                           'resourcesPolicy':{'targetContainersMode':'sum','targetContainersNameRegex':'.*','resourcesExpr':{
                             'limits':{'cpu':'max(cpu*50%, 50m)','memory':'memory*33%'},'requests':{'cpu':'cpu*20%'}}}},
                          {'name':'mesh','image':'m','podInjectPolicy':'AfterAppContainer','upgradeStrategy':{'upgradeType':'HotUpgrade','hotUpgradeEmptyImage':'e'}}],
                         'initContainers':[{'name':'zz','podInjectPolicy':'AfterAppContainer'},
                          {'name':'native','restartPolicy':'Always','podInjectPolicy':'BeforeAppContainer','upgradeStrategy':{'upgradeType':'HotUpgrade'}}],
                         'volumes':[{'name':'lv','emptyDir':{}},{'name':'unused','emptyDir':{}}],'imagePullSecrets':[{'name':'s1'},{'name':'s2'}]}""");
        ObjectNode result = injected(pod, index(set));
        assertThat(names(result, "initContainers")).containsExactly("native-1", "native-2", "zz");
        assertThat(names(result, "containers")).containsExactly("log", "app", "mesh-1", "mesh-2");
        assertThat(names(result, "volumes")).containsExactly("data", "lv");
        assertThat(names(result, "imagePullSecrets")).containsExactly("s1", "s2");
        JsonNode log = result.path("spec").path("containers").path(0);
        assertThat(log.path("env").valueStream().map(Parts::name)).containsExactly("X", "IS_INJECTED", "A", "POD");
        assertThat(log.path("volumeMounts").valueStream().map(m -> Json.text(m, "mountPath"))).containsExactly("/lv", "/g", "/data");
        assertThat(log.path("resources")).isEqualTo(json("{'limits':{'cpu':'150m','memory':'33Mi'},'requests':{'cpu':'20m'}}"));
        JsonNode annotations = result.path("metadata").path("annotations");
        assertThat(Json.text(annotations, "kruise.io/sidecarset-hash")).isEqualTo(
                "{\"one\":{\"updateTimestamp\":\"2031-07-08T09:10:11Z\",\"hash\":\"h\",\"sidecarSetName\":\"one\",\"sidecarList\":[\"log\",\"mesh\",\"native\"],\"controllerRevision\":\"r\"}}");
        assertThat(Json.text(annotations, "kruise.io/sidecarset-working-hotupgrade-container"))
                .isEqualTo("{\"mesh\":\"mesh-1\",\"native\":\"native-1\"}");
        assertThat(result.path("spec").path("containers").path(2).path("image").stringValue()).isEqualTo("m");
        assertThat(result.path("spec").path("containers").path(3).path("image").stringValue()).isEqualTo("e");
    }

    /** FR-01, for containers and init containers. */
    @ParameterizedTest
    @ValueSource(strings = {"containers", "initContainers"})
    void sameNameIsReplacedWithAWarningOrRefused(String list) {
        SidecarSet set = set("one", "{'" + list + "':[{'name':'log','image':'log:1'}]}");
        ObjectNode pod = pod("{'containers':[{'name':'app'}],'initContainers':[]}");
        ((tools.jackson.databind.node.ArrayNode) pod.path("spec").path(list)).add(json("{'name':'log','image':'mine'}"));
        Patch patch = (Patch) inject(pod, index(set));
        assertThat(patch.warnings()).singleElement().asString().contains("log", "n/p", "one");
        assertThat(names(InjectCase.apply(patch, pod), list)).contains("log").doesNotHaveDuplicates();
        InjectOptions refuse = InjectOptions.PILLION.with(SameName.REFUSE, Sort.AS_WRITTEN, ReadinessGate.OFF, LaunchPriority.ON);
        assertThat(refused(inject(pod, index(set), refuse))).satisfies(r -> {
            assertThat(r.code()).isEqualTo(422);
            assertThat(r.message()).contains("log", "n/p", "one");
        });
        ((ObjectNode) pod.path("spec").path(list).path(pod.path("spec").path(list).size() - 1)).set("env",
                Json.NODES.arrayNode().add(json("{'name':'IS_INJECTED','value':'true'}")));
        assertThat(inject(pod, index(set), refuse)).isInstanceOf(Patch.class);
    }

    /** Texts of one second are used again: never for another second, nor for other sets. */
    @Test
    void hashAnnotationsAreThoseOfTheSetsAndTheSecond() {
        SetIndex index = index(set("a", "{'containers':[{'name':'ca'}]}"),
                set("b", "{'selector':{'matchLabels':{'b':'x'}},'containers':[{'name':'cb'}]}"),
                set("c", "{'selector':{'matchLabels':{'c':'x'}},'containers':[{'name':'cc'}]}"));
        for (String labels : List.of("", "b", "c", "b", "bc", "")) {
            for (int second : List.of(0, 1, 1, 0)) {
                ObjectNode pod = pod("{'containers':[{'name':'app'}]}");
                ObjectNode own = (ObjectNode) pod.path("metadata").path("labels");
                labels.chars().forEach(c -> own.put(Character.toString(c), "x"));
                Moment moment = new Moment(InjectCase.NOW.plusSeconds(second), 0.5, "abcde");
                JsonNode annotations = InjectCase
                        .apply(Injector.inject(InjectRequest.create("n", "", pod, moment), index, InjectOptions.PILLION), pod)
                        .path("metadata").path("annotations");
                for (String key : List.of("kruise.io/sidecarset-hash", "kruise.io/sidecarset-hash-without-image")) {
                    JsonNode entries = Json.read(Json.text(annotations, key));
                    assertThat(entries.propertyStream().map(java.util.Map.Entry::getKey)).containsExactly(("a" + labels).split(""));
                    assertThat(entries.valueStream().map(e -> Json.text(e, "updateTimestamp")))
                            .containsOnly("2031-07-08T09:10:1" + (1 + second) + "Z");
                }
            }
        }
    }

    /** FR-05. */
    @Test
    void orderIsTheSameInEveryPodAndReplica() {
        List<SidecarSet> sets = new ArrayList<>();
        for (String name : List.of("d", "b", "e")) {
            sets.add(set(name, "{'containers':[{'name':'c-" + name + "'}]}"));
        }
        for (String name : List.of("c", "a")) {
            sets.add(set(name, "{'namespaceSelector':{'matchLabels':{'kubernetes.io/metadata.name':'n'}},'containers':[{'name':'c-" + name
                    + "'}]}"));
        }
        for (int seed = 0; seed < 200; seed++) {
            Collections.shuffle(sets, new Random(seed));
            SetIndex replica = SetIndex.of(sets, List.of(Samples.NAMESPACE));
            assertThat(names(injected(pod("{'containers':[{'name':'app'}]}"), replica), "containers")).containsExactly("app", "c-a", "c-c",
                    "c-b", "c-d", "c-e");
        }
    }

    /** FR-06. */
    @Test
    void takesTheNamespaceOfTheRequestAndCopesWithoutAnyName() {
        ObjectNode pod = json("{'metadata':{'generateName':'web-','labels':{'app':'x'}},'spec':{'containers':[{'name':'app'}]}}");
        SidecarSet set = set("one",
                "{'namespaceSelector':{'matchLabels':{'kubernetes.io/metadata.name':'n'}},'containers':[{'name':'c'}]}");
        ObjectNode result = injected(pod, index(set));
        assertThat(names(result, "containers")).containsExactly("app", "c");
        assertThat(result.path("metadata").has("namespace")).isFalse();
        assertThat(result.path("metadata").has("name")).isFalse();
    }

    /** FR-23. */
    @ParameterizedTest
    @CsvSource({"UPDATE,''", "DELETE,''", "CONNECT,exec", "CREATE,ephemeralcontainers", "UPDATE,resize", "CREATE,status", "CREATE,eviction",
            "CREATE,binding"})
    void leavesOtherRequestsAlone(String operation, String subResource) {
        InjectRequest request = new InjectRequest(operation, subResource, "n", "p", pod("{'containers':'nonsense'}"), false, false,
                LiveAnswers.NONE, Samples.MOMENT);
        assertThat(Injector.inject(request, index(set("one", LOG)), InjectOptions.PILLION))
                .isEqualTo(new Skip("other-operation", List.of()));
        assertThat(Injector.needs(request, index(set("one", LOG)), InjectOptions.PILLION).isEmpty()).isTrue();
    }

    @Test
    void tellsWhyEachSetWasLeftOut() {
        SetIndex index = index(set("in", LOG), set("base", "{'containers':[{'name':'b'}]}"),
                set("labels", "{'selector':{'matchLabels':{'app':'y'}},'containers':[{'name':'c'}]}"),
                set("ns", "{'namespaceSelector':{'matchLabels':{'kubernetes.io/metadata.name':'m'}},'containers':[{'name':'d'}]}"),
                set("nslabel", "{'namespaceSelector':{'matchLabels':{'env':'prod'}},'containers':[{'name':'e'}]}"),
                set("still", "{'injectionStrategy':{'paused':true},'containers':[{'name':'f'}]}"), canary("base"));
        Injection injection = inject(pod("{'containers':[{'name':'app'}]}"), index, InjectOptions.PILLION.looking(Look.ALL_SETS));
        assertThat(injection.verdicts()).containsExactlyInAnyOrder(new Verdict("in", "injected"), new Verdict("base", "hidden-by-canary"),
                new Verdict("labels", "selector-mismatch"), new Verdict("ns", "namespace-mismatch"),
                new Verdict("nslabel", "namespace-mismatch"), new Verdict("still", "paused"), new Verdict("canary", "injected"));
        assertThat(names(InjectCase.apply(injection, pod("{'containers':[{'name':'app'}]}")), "containers")).doesNotContain("b");
    }

    private static SidecarSet canary(String base) {
        ObjectNode raw = set("canary", "{'containers':[{'name':'can'}]}").raw().deepCopy();
        ((ObjectNode) raw.path("metadata").path("annotations")).put("apps.kruise.io/sidecarset-canary", "true")
                .put("apps.kruise.io/sidecarset-base", base);
        return SidecarSet.of(raw);
    }

    @Test
    void skipsEndedPodsAndPodsOfNobody() {
        ObjectNode ended = pod("{'containers':[{'name':'app'}]}");
        ended.set("status", json("{'phase':'Succeeded'}"));
        assertThat(inject(ended, index(set("one", LOG)))).isEqualTo(new Skip("inactive", List.of()));
        assertThat(inject(pod("{'containers':[{'name':'app'}]}"), index())).isEqualTo(new Skip("no-match", List.of()));
        assertThat(inject(pod("{'containers':[{'name':'app'}]}"), index(set("one", "{}"))))
                .isEqualTo(new Skip("nothing-to-inject", List.of(new Verdict("one", "nothing-to-inject"))));
    }

    /** The same in every process: replicas and restarts must not differ. */
    @Test
    void annotationsAreWrittenInOneOrder() {
        Injection injection = inject(pod("{'containers':[{'name':'app'}]}"), index(set("one", LOG), set("two", LOG)));

        assertThat(InjectCase.apply(injection, pod("{'containers':[{'name':'app'}]}")).path("metadata").path("annotations").propertyNames())
                .containsExactly("kruise.io/sidecarset-hash", "kruise.io/sidecarset-hash-without-image",
                        "kruise.io/sidecarset-injected-list");
    }

    /** Trap 24 and its neighbours: whatever the annotation holds, the answer is an orderly one. */
    @ParameterizedTest
    @ValueSource(strings = {"null", "{", "[]", "1", "\"s\"", "{\"a\":1}", "{\"a\":\"h\"}", "{\"a\":{}}", "{\"a\":null}", "{\"a\":[]}",
            "   ",
            "{\"a\":{\"updateTimestamp\":\"x\"}}", "{\"a\":\"h\",\"b\":{}}", "{}", "\u0000"})
    void survivesAnyBookkeepingAnnotation(String text) {
        for (String key : List.of("kruise.io/sidecarset-hash", "kruise.io/sidecarset-hash-without-image",
                "kruise.io/sidecarset-working-hotupgrade-container", "kruise.io/sidecarset-injected-list",
                "kruise.io/sidecarset-inplace-update-state", "version.sidecarset.kruise.io/log-1")) {
            ObjectNode pod = pod("{'containers':[{'name':'app'}]}");
            ((ObjectNode) pod.path("metadata")).putObject("annotations").put(key, text);
            Injection injection = inject(pod, index(set("one", LOG)));
            if (injection instanceof Injection.Refuse refuse) {
                assertThat(refuse.code()).isEqualTo(422);
                assertThat(refuse.message()).contains(key, "n/p");
            } else {
                assertThat(names(InjectCase.apply(injection, pod), "containers")).containsExactly("log", "app");
            }
        }
    }

    @Test
    void survivesHugeAndDeepAnnotations() {
        for (String text : List.of("[".repeat(100_000), "{\"a\":".repeat(50_000), "x".repeat(1_000_000))) {
            ObjectNode pod = pod("{'containers':[{'name':'app'}]}");
            ((ObjectNode) pod.path("metadata")).putObject("annotations").put("kruise.io/sidecarset-hash", text);
            assertThat(refused(inject(pod, index(set("one", LOG)))).reason()).isEqualTo("annotation-unreadable");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"{'containers':'none'}", "{'containers':[1]}", "{'containers':[{'name':1}]}", "{'containers':[{'env':{}}]}",
            "{'containers':[{'resources':{'limits':{'cpu':'lots'}}}]}", "{'volumes':{}}", "{'nodeSelector':{'a':1}}"})
    void refusesWhatCannotBeDecoded(String spec) {
        assertThat(refused(inject(pod(spec), index(set("one", LOG)))).code()).isEqualTo(400);
    }

    @Test
    void createsParentsThatAreAbsent() {
        SidecarSet all = set("one", "{'containers':[{'name':'log','volumeMounts':[{'name':'v','mountPath':'/v'}]}],"
                + "'initContainers':[{'name':'i'}],'volumes':[{'name':'v'}],'imagePullSecrets':[{'name':'s'}]}");
        for (String spec : List.of("{}", "{'containers':null,'initContainers':null,'volumes':null,'imagePullSecrets':null}")) {
            ObjectNode pod = pod(spec);
            ObjectNode result = injected(pod, index(all));
            assertThat(names(result, "containers")).containsExactly("log");
            assertThat(names(result, "initContainers")).containsExactly("i");
            assertThat(names(result, "volumes")).containsExactly("v");
            assertThat(names(result, "imagePullSecrets")).containsExactly("s");
        }
        ObjectNode bare = json("{'metadata':{'labels':{'app':'x'},'annotations':null}}");
        assertThat(names(injected(bare, index(all)), "containers")).containsExactly("log");
    }

    /** Trap 9. */
    @Test
    void thePodsVolumeWinsWithAWarning() {
        SidecarSet set = set("one",
                "{'containers':[{'name':'log','volumeMounts':[{'name':'v','mountPath':'/v'}]}],'volumes':[{'name':'v','emptyDir':{}}]}");
        Patch patch = (Patch) inject(pod("{'containers':[{'name':'app'}],'volumes':[{'name':'v','hostPath':{'path':'/'}}]}"), index(set));
        assertThat(patch.ops()).noneMatch(op -> op.path().startsWith("/spec/volumes"));
        assertThat(patch.warnings()).singleElement().asString().contains("\"v\"");
    }

    /** FR-17. */
    @Test
    void refusalOfResourcesNamesSetContainerRegexAndContainers() {
        SidecarSet set = set("one", "{'containers':[{'name':'log','resourcesPolicy':{'targetContainersMode':'max',"
                + "'targetContainersNameRegex':'^web','resourcesExpr':{'limits':{'cpu':'cpu'}}}}]}");
        assertThat(refused(inject(pod("{'containers':[{'name':'app'},{'name':'db'}]}"), index(set)))).satisfies(r -> {
            assertThat(r.code()).isEqualTo(422);
            assertThat(r.message()).contains("one", "log", "^web", "app, db", "n/p");
        });
    }

    /** One set's fault names that set; sets that do not take the pod do not matter. */
    @Test
    void faultsOfSetsNameTheSet() {
        String odd = "{'selector':{'matchExpressions':[{'key':'app','operator':'Odd'}]},'containers':[{'name':'o'}]%s}";
        assertThat(refused(inject(pod("{'containers':[{'name':'app'}]}"), index(set("odd", odd.formatted(""))))).message()).contains("odd",
                "spec.selector.matchExpressions[0].operator");
        assertThat(inject(pod("{'containers':[{'name':'app'}]}"),
                index(set("odd", odd.formatted(",'injectionStrategy':{'paused':true}")), set("one", LOG)))).isInstanceOf(Patch.class);
    }

    /** The slow spot of other injectors: the patch must not grow with what is not ours. */
    @Test
    void patchDoesNotGrowWithThePod() {
        SetIndex index = index(set("one", LOG), set("two", "{'containers':[{'name':'mesh','shareVolumePolicy':{'type':'enabled'}}]}"));
        List<PatchOp> small = ((Patch) inject(podWithEnv(10), index)).ops();
        List<PatchOp> large = ((Patch) inject(podWithEnv(1500), index)).ops();
        assertThat(large).isEqualTo(small);
    }

    private static ObjectNode podWithEnv(int count) {
        ObjectNode pod = pod("{'containers':[{'name':'app','env':[]}]}");
        for (int i = 0; i < count; i++) {
            ((tools.jackson.databind.node.ArrayNode) pod.path("spec").path("containers").path(0).path("env")).addObject()
                    .put("name", "E" + i)
                    .put("value", "v" + i);
        }
        return pod;
    }

    @Test
    void looksAtCandidatesOnly() {
        List<SidecarSet> sets = new ArrayList<>();
        for (int i = 0; i < 9_997; i++) {
            sets.add(set("other-" + i, "{'selector':{'matchLabels':{'app':'a" + i + "'}},'containers':[{'name':'c'}]}"));
        }
        for (int i = 0; i < 3; i++) {
            sets.add(set("mine-" + i, "{'containers':[{'name':'c" + i + "'}]}"));
        }
        Injection injection = inject(pod("{'containers':[{'name':'app'}]}"), SetIndex.of(sets, List.of()));
        assertThat(injection.verdicts()).hasSize(3).allMatch(v -> v.reason().equals("injected"));
    }
}
