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

import java.nio.charset.StandardCharsets;
import java.util.List;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import dev.pillion.api.Json;
import dev.pillion.api.MemberTable;
import dev.pillion.api.TypedReader;
import dev.pillion.match.SetIndex;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** What sidecars of every kind take from the pod, and what stays as it was submitted: FR-14, FR-15, FR-17, FR-22 and their neighbours. */
final class FromPodTest {
    private static final String APP = """
            {'initContainers':[{'name':'setup','env':[{'name':'A','value':'init'}],'volumeMounts':[{'name':'x','mountPath':'/init'}]}],
             'containers':[{'name':'app','env':[{'name':'A','valueFrom':{'secretKeyRef':{'name':'s','key':'k','optional':true}}},
               {'name':'DIR','value':'d'}],
               'volumeMounts':[{'name':'data','mountPath':'/data','subPathExpr':'$(DIR)/$(NONE)','readOnly':true},{'name':'own','mountPath':'/own'}],
               'volumeDevices':[{'name':'raw','devicePath':'/dev/a'},{'name':'other','devicePath':'/data'}]},
              {'name':'second','volumeMounts':[{'name':'more','mountPath':'/data'}],'volumeDevices':[{'name':'raw2','devicePath':'/dev/a'}]}]}""";
    private static final String SHARES = "'shareVolumePolicy':{'type':'enabled'},'shareVolumeDevicePolicy':{'type':'enabled'},"
            + "'volumeMounts':[{'name':'mine','mountPath':'/own'}]";

    private static String list(String kind) {
        return kind.equals("containers") ? "containers" : "initContainers";
    }

    /** A set with one container c of the kind: containers, plain or native. */
    private static String spec(String kind, String members) {
        return "{'" + list(kind) + "':[{'name':'c'," + (kind.equals("native") ? "'restartPolicy':'Always'," : "") + members + "}]}";
    }

    private static JsonNode container(JsonNode pod, String list, String name) {
        return pod.path("spec").path(list).valueStream().filter(c -> Parts.name(c).equals(name)).findFirst().orElseThrow();
    }

    private static List<String> values(JsonNode list, String member) {
        return list.valueStream().map(item -> Json.text(item, member)).toList();
    }

    /** FR-14: what a sub-path needs comes along, no path is used twice, init containers share nothing. */
    @ParameterizedTest
    @ValueSource(strings = {"containers", "plain", "native"})
    void sharesMountsAndDevicesWithEveryKindOfSidecar(String kind) {
        JsonNode sidecar = container(injected(pod(APP), index(set("one", spec(kind, SHARES)))), list(kind), "c");

        assertThat(sidecar.path("volumeMounts")).isEqualTo(Json
                .read("""
                        [{"name":"mine","mountPath":"/own"},{"name":"data","mountPath":"/data","subPathExpr":"$(DIR)/$(NONE)","readOnly":true}]"""));
        assertThat(values(sidecar.path("volumeDevices"), "devicePath")).containsExactly("/dev/a");
        assertThat(values(sidecar.path("volumeDevices"), "name")).containsExactly("raw");
        assertThat(values(sidecar.path("env"), "name")).containsExactly("IS_INJECTED", "DIR");
    }

    /** FR-14 for both twins of a hot upgrade. */
    @ParameterizedTest
    @ValueSource(strings = {"containers", "native"})
    void twinsShareAlike(String kind) {
        String hot = SHARES + ",'upgradeStrategy':{'upgradeType':'HotUpgrade','hotUpgradeEmptyImage':'e'}";

        ObjectNode result = injected(pod(APP), index(set("one", spec(kind, hot))));

        assertThat(container(result, list(kind), "c-1").path("volumeMounts")).hasSize(2)
                .isEqualTo(container(result, list(kind), "c-2").path("volumeMounts"));
    }

    /** FR-15: the whole entry, the sidecar's own first, names sorted within an entry, entries in their order. */
    @ParameterizedTest
    @ValueSource(strings = {"containers", "plain", "native"})
    void transfersWholeVariablesToEveryKindOfSidecar(String kind) {
        String transfer = "'env':[{'name':'DIR','value':'own'}],'transferEnv':[{'sourceContainerName':'app','envNames':['GONE','DIR','A']},"
                + "{'sourceContainerName':'setup','envName':'A'},{'sourceContainerName':'nobody','envName':'B'}]";
        ObjectNode pod = pod(APP);

        Injection injection = inject(pod, index(set("one", spec(kind, transfer))),
                InjectOptions.PILLION.looking(InjectOptions.Look.ALL_SETS));

        JsonNode sidecar = container(InjectCase.apply(injection, pod), list(kind), "c");
        assertThat(sidecar.path("env")).isEqualTo(Json.read("""
                [{"name":"DIR","value":"own"},{"name":"IS_INJECTED","value":"true"},
                 {"name":"A","valueFrom":{"secretKeyRef":{"name":"s","key":"k","optional":true}}}]"""));
        assertThat(injection.verdicts().getFirst().notes()).hasSize(3).anyMatch(n -> n.contains("env GONE"))
                .anyMatch(n -> n.contains("\"setup\"") && n.contains("env A")).anyMatch(n -> n.contains("\"nobody\""));
    }

    /** However the pod was read: nameless variables, escapes and characters of several bytes are found alike. */
    @Test
    void aPodReadByItsTypesGivesTheSameVariables() {
        String app = "{'containers':[{'name':'app','env':[{'name':null,'value':'1'},{'name':'\u00e9','value':'2'},"
                + "{'name':'X','value':'3'}]},{'name':'other','env':[{'name':'A\\u0042','value':'4'}]}]}";
        SetIndex sets = index(set("one", "{'containers':[{'name':'c','transferEnv':[{'sourceContainerName':'app',"
                + "'envNames':['','\u00e9','A']},{'sourceContainerName':'other','envNames':['AB','A']}]}]}"));
        ObjectNode plain = pod(app);
        String raw = plain.toString().replace("\"AB\"", "\"A\\u0042\"");
        ObjectNode typed = new TypedReader("Pod", MemberTable.POD).read(raw.getBytes(StandardCharsets.UTF_8)).orElseThrow();

        JsonNode fromPlain = container(injected(plain, sets), "containers", "c").path("env");
        JsonNode fromTyped = container(InjectCase.apply(inject(typed, sets), plain), "containers", "c").path("env");

        assertThat(fromPlain).hasSize(4);
        assertThat(fromTyped).isEqualTo(fromPlain);
    }

    /** FR-17: native sidecars of the pod are targets and therefore named, plain init containers are not. */
    @ParameterizedTest
    @ValueSource(strings = {"containers", "native"})
    void aPolicyWithoutTargetNamesSetContainerRegexAndTargets(String kind) {
        String policy = "'resourcesPolicy':{'targetContainersMode':'max','targetContainersNameRegex':'^(large|huge)$','resourcesExpr':"
                + "{'limits':{'cpu':'cpu'}}}";
        ObjectNode pod = pod(APP.replace("'initContainers':[", "'initContainers':[{'name':'proxy','restartPolicy':'Always'},"));

        Injection.Refuse refuse = refused(inject(pod, index(set("one", spec(kind, policy)))));

        assertThat(refuse.code()).isEqualTo(422);
        assertThat(refuse.reason()).isEqualTo("resources-policy");
        assertThat(refuse.message()).contains("SidecarSet one", "container c", "^(large|huge)$", "n/p", "[proxy, app, second]");
    }

    /** The neighbour of FR-01: one name in both lists is nobody's to replace, and the API server refuses such a pod. */
    @Test
    void oneNameInBothListsIsWarnedOf() {
        SetIndex sets = index(set("one", "{'initContainers':[{'name':'app'}]}"), set("two", "{'containers':[{'name':'setup'}]}"));

        assertThat(((Injection.Patch) inject(pod(APP), sets)).warnings()).satisfiesExactlyInAnyOrder(
                w -> assertThat(w).contains("\"app\"", "n/p", "init container comes from SidecarSet one", "rename"),
                w -> assertThat(w).contains("\"setup\"", "n/p", "the container comes from SidecarSet two", "rename"));
        assertThat(((Injection.Patch) inject(pod(APP.replace("'setup'", "'app'")), index(set("three", "{'containers':[{'name':'c'}]}"))))
                .warnings()).as("the pod's own fault").isEmpty();
    }

    /** FR-22: every init container keeps its restart policy, the pod's own and those that sort in between. */
    @Test
    void everyInitContainerKeepsItsRestartPolicy() {
        ObjectNode pod = pod("{'initContainers':[{'name':'m','restartPolicy':'Always'},{'name':'n'},{'name':'o','restartPolicy':'Never',"
                + "'restartPolicyRules':[{'action':'Restart'}]}],'containers':[{'name':'app'}]}");
        String set = "{'initContainers':[{'name':'z','podInjectPolicy':'BeforeAppContainer'},{'name':'b','restartPolicy':'Always',"
                + "'podInjectPolicy':'BeforeAppContainer'},{'name':'a','restartPolicy':'Always'}]}";

        ObjectNode result = injected(pod, index(set("one", set)));

        assertThat(names(result, "initContainers")).containsExactly("b", "z", "m", "n", "o", "a");
        assertThat(values(result.path("spec").path("initContainers"), "restartPolicy")).containsExactly("Always", "", "Always", "", "Never",
                "Always");
        assertThat(container(result, "initContainers", "o")).isEqualTo(
                json("{'name':'o','restartPolicy':'Never','restartPolicyRules':[{'action':'Restart'}]}"));
    }
}
