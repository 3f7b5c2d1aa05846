package dev.pillion.inject;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import dev.pillion.api.Json;
import dev.pillion.api.Revision;
import dev.pillion.api.SidecarSet;
import dev.pillion.api.Wire;
import dev.pillion.match.SetIndex;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** Whatever a pod's annotations or a stored set hold, the answer is an orderly one and other sets go on. */
final class OddInputTest {
    private static final List<String> TEXTS = List.of("", " ", "null", "true", "1", "-", "1e999999999", "[]", "{}", "[null]", "\"x\"",
            "{\"one\":null}",
            "{\"one\":{}}", "{\"one\":[]}", "{\"one\":1}", "{\"one\":\"h\"}", "{\"one\":\"h\",\"two\":null}", "{\"one\":{\"hash\":1}}",
            "{\"one\":{\"hash\":null,\"sidecarList\":{}}}", "{\"one\":{\"hash\":\"h\",\"sidecarList\":[1,null,\"log\"]}}",
            "{\"one\":{\"updateTimestamp\":\"9999-99-99T99:99:99Z\"}}",
            "{\"one\":{\"updateTimestamp\":\"0001-01-01T00:00:00Z\",\"hash\":\"h\"}}",
            "{\"one\":{\"updateTimestamp\":\"2026-01-01T00:00:00.123456789+05:00\"}}", "{\"ONE\":{\"HASH\":\"h\"}}",
            "{\"one\":{\"hash\":\"h\"",
            "{\"one\":{\"hash\":\"h\"}}{}", "{\"one\":1,\"one\":{\"hash\":\"h\"}}", "{'one':{}}", "\uFEFF{}", "\u0000",
            "{\"\":{\"hash\":\"h\"}}",
            "{\"a\":1e400,\"b\":[1.50,-0]}", "{\"\\ud800\":\"\\udfff\"}", "\ud800", ",", ",,a,", "one,one, one", "Ordered", "Ordered ",
            "[".repeat(5000), "{\"a\":".repeat(2000) + "1" + "}".repeat(2000), "x".repeat(200_000),
            "{\"one\":\"" + "y".repeat(200_000) + "\"}");
    private static final List<JsonNode> VALUES = List.of(Json.NODES.nullNode(), Json.read("true"), Json.read("-1"), Json.read("1e400"),
            Json.read("\"\""), Json.read("\"$(x)%[']\""), Json.read("[]"), Json.read("[null]"), Json.read("[[1]]"), Json.read("{}"),
            Json.read("{\"name\":1,\"x\":null}"), Json.read("[{\"name\":[]},{}]"));
    private static final String FULL = """
            {'namespaceSelector':{'matchLabels':{'kubernetes.io/metadata.name':'n'},'matchExpressions':[
               {'key':'kubernetes.io/metadata.name','operator':'In','values':['n']}]},
             'containers':[{'name':'log','image':'log:1','podInjectPolicy':'BeforeAppContainer','shareVolumePolicy':{'type':'enabled'},
               'shareVolumeDevicePolicy':{'type':'enabled'},'env':[{'name':'X','value':'1'}],'volumeMounts':[{'name':'lv','mountPath':'/lv'}],
               'volumeDevices':[{'name':'lb','devicePath':'/lb'}],'upgradeStrategy':{'upgradeType':'HotUpgrade','hotUpgradeEmptyImage':'e'},
               'transferEnv':[{'sourceContainerName':'app','sourceContainerNameFrom':{'fieldRef':{'apiVersion':'v1','fieldPath':'metadata.name'}},
                'envName':'A','envNames':['B']}],
               'resourcesPolicy':{'targetContainersMode':'sum','targetContainersNameRegex':'.*',
                'resourcesExpr':{'limits':{'cpu':'cpu*50%','memory':'memory'},'requests':{'cpu':'cpu'}}}}],
             'initContainers':[{'name':'native','restartPolicy':'Always','image':'n'}],
             'volumes':[{'name':'lv','emptyDir':{}}],'imagePullSecrets':[{'name':'s'}],
             'patchPodMetadata':[{'patchPolicy':'MergePatchJson','annotations':{'k':'{}'}}],
             'injectionStrategy':{'paused':false,'revision':{'policy':'Partial','revisionName':'rev','customVersion':'v'}},
             'updateStrategy':{'type':'RollingUpdate','paused':false,'selector':{'matchLabels':{'app':'x'}},'partition':'50%'}}""";

    private static ObjectNode app() {
        return Samples.pod("{'containers':[{'name':'app','env':[{'name':'A','value':'1'}],'volumeMounts':[{'name':'d','mountPath':'/d',"
                + "'subPathExpr':'$(A)'}],'resources':{'limits':{'cpu':'1'}}},{'name':'web','env':[{'name':'KRUISE_CONTAINER_BARRIER','value':'x'}]}]}");
    }

    @ParameterizedTest
    @ValueSource(strings = {Wire.HASH, Wire.HASH_WITHOUT_IMAGE, Wire.WORKING_HOT_UPGRADE, Wire.INJECTED_LIST, "k",
            "apps.kruise.io/container-launch-priority", "kruise.io/sidecarset-inplace-update-state", "version.sidecarset.kruise.io/log-1"})
    void anyTextInAnAnnotation(String key) {
        SetIndex index = Samples.index(Samples.set("one", FULL.replace("'injectionStrategy'", "'ignored'")), good());
        for (String text : TEXTS) {
            ObjectNode pod = app();
            ((ObjectNode) pod.path("metadata")).putObject("annotations").put(key, text);

            Injection injection = Samples.inject(pod, index);

            if (injection instanceof Injection.Refuse refuse) {
                assertThat(refuse.code()).as("%s: %.60s", key, text).isEqualTo(422);
                assertThat(refuse.message()).as("%s: %.60s", key, text).contains("n/p", key);
            } else {
                JsonNode result = InjectCase.apply(injection, pod);
                assertThat(Samples.names(result, "containers")).as("%s: %.60s", key, text).containsExactly("log-1", "log-2", "app", "web",
                        "good");
                assertThat(Samples.inject((ObjectNode) result, index)).as("%s: %.60s", key, text).isInstanceOf(Injection.Skip.class);
            }
        }
    }

    private static SidecarSet good() {
        return Samples.set("two", "{'containers':[{'name':'good','podInjectPolicy':'AfterAppContainer'}]}");
    }

    /** An odd set takes its own pods with it at most, and only with a refusal that names it. */
    @Test
    void anyValueInAnyMemberOfASet() {
        ObjectNode whole = Samples.set("one", FULL).raw().deepCopy();
        List<ObjectNode> odd = new ArrayList<>();
        collect(whole, whole, odd);
        assertThat(odd).hasSizeGreaterThan(800);
        for (ObjectNode raw : odd) {
            Injection injection = Samples.inject(app(), index(raw));

            if (injection instanceof Injection.Refuse refuse) {
                assertThat(refuse.message()).as("%s", raw).contains("SidecarSet");
            } else {
                assertThat(Samples.names(InjectCase.apply(injection, app()), "containers")).as("%s", raw).contains("app", "web", "good");
            }
            ObjectNode other = app();
            ((ObjectNode) other.path("metadata").path("labels")).put("app", "y");
            assertThat(Samples.inject(other, index(raw))).as("%s", raw).isNotInstanceOf(Injection.Refuse.class);
        }
    }

    private static SetIndex index(ObjectNode odd) {
        Revision revision = new Revision("rev", "", "", 1, "", java.util.Map.of("kruise.io/sidecarset-name", "one"), java.util.Map.of(),
                Json.write(odd), Optional.empty());
        return SetIndex.of(new SetIndex.Content(List.of(SidecarSet.of(odd), good()), List.of(Samples.NAMESPACE), List.of(revision),
                Optional.empty()));
    }

    /** Adds the whole with each member and element below the node changed to each odd value, but not the set's name. */
    private static void collect(ObjectNode whole, JsonNode node, List<ObjectNode> odd) {
        if (node instanceof ObjectNode object) {
            for (String name : List.copyOf(object.propertyNames())) {
                JsonNode before = object.path(name);
                for (JsonNode value : VALUES) {
                    object.set(name, value);
                    if (Json.text(whole.path("metadata"), "name").equals("one")) {
                        odd.add(whole.deepCopy());
                    }
                }
                object.set(name, before);
                collect(whole, before, odd);
            }
        } else if (node instanceof ArrayNode array) {
            for (int i = 0; i < array.size(); i++) {
                JsonNode before = array.path(i);
                for (JsonNode value : VALUES) {
                    array.set(i, value);
                    odd.add(whole.deepCopy());
                }
                array.set(i, before);
                collect(whole, before, odd);
            }
        }
    }
}
