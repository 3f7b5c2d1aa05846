package dev.pillion.inject;

import static dev.pillion.inject.Samples.index;
import static dev.pillion.inject.Samples.injected;
import static dev.pillion.inject.Samples.json;
import static dev.pillion.inject.Samples.names;
import static dev.pillion.inject.Samples.pod;
import static dev.pillion.inject.Samples.set;
import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;

import org.junit.jupiter.api.Test;

import dev.pillion.api.Json;
import dev.pillion.api.SidecarSet;
import dev.pillion.match.SetIndex;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** Pods that were here before: second calls and dumps (FR-02, FR-20, traps 32, 33). */
final class RepeatTest {
    private static final String FULL = """
            {'containers':[
              {'name':'log','image':'log:1','podInjectPolicy':'BeforeAppContainer','env':[{'name':'KRUISE_CONTAINER_PRIORITY','value':'1'}],
               'shareVolumePolicy':{'type':'enabled'},'volumeMounts':[{'name':'lv','mountPath':'/lv'}],'resources':{},
               'transferEnv':[{'sourceContainerName':'mesh-1','envName':'IS_INJECTED'},{'sourceContainerName':'app','envName':'A'}]},
              {'name':'mesh','image':'mesh:1','podInjectPolicy':'AfterAppContainer',
               'upgradeStrategy':{'upgradeType':'HotUpgrade','hotUpgradeEmptyImage':'empty'},
               'resourcesPolicy':{'targetContainersMode':'sum','targetContainersNameRegex':'.*','resourcesExpr':{'limits':{'cpu':'cpu*50%'}}}}],
             'initContainers':[{'name':'prepare','image':'i'},{'name':'native','restartPolicy':'Always','image':'n'}],
             'volumes':[{'name':'lv','emptyDir':{}}],'imagePullSecrets':[{'name':'s'}],
             'patchPodMetadata':[{'patchPolicy':'MergePatchJson','annotations':{'k':'{\\u0022b\\u0022:2,\\u0022a\\u0022:null}'}}]}""";

    private static ObjectNode app() {
        return pod("{'containers':[{'name':'app','env':[{'name':'A','value':'1'}],'volumeMounts':[{'name':'d','mountPath':'/d'}],"
                + "'resources':{'limits':{'cpu':'1'}}}],'volumes':[{'name':'d','emptyDir':{}}]}");
    }

    private static Injection later(ObjectNode pod, SetIndex index) {
        return Injector.inject(InjectRequest.create("n", "", pod, new Moment(Instant.parse("2040-01-01T00:00:00Z"), 0.5, "zzzzz")), index,
                InjectOptions.PILLION);
    }

    @Test
    void secondCallIsEmptyAlsoAfterTheServersDefaults() {
        SetIndex index = index(set("one", FULL));
        ObjectNode once = injected(app(), index);
        assertThat(later(once, index)).isInstanceOfSatisfying(Injection.Skip.class,
                s -> assertThat(s.reason()).isEqualTo("already-injected"));
        for (JsonNode container : once.path("spec").path("containers")) {
            ((ObjectNode) container).put("terminationMessagePath", "/dev/termination-log").put("imagePullPolicy", "IfNotPresent");
            ((ObjectNode) container).withArray("volumeMounts").addObject().put("name", "token").put("mountPath", "/token");
            if (container.path("resources").has("limits")) {
                ((ObjectNode) container.path("resources")).set("requests", container.path("resources").path("limits"));
            }
        }
        assertThat(later(once, index)).isInstanceOf(Injection.Skip.class);
    }

    /** Another injector put its container in front: nothing of ours moves or doubles, the new one gets its barrier. */
    @Test
    void afterSomebodyPutAContainerInFrontOnlyWhatIsNeeded() {
        SetIndex index = index(set("one", FULL));
        ObjectNode once = injected(app(), index);
        ((ArrayNode) once.path("spec").path("containers")).insert(0, json("{'name':'istio','env':[{'name':'B','value':'2'}]}"));
        Injection second = later(once, index);
        assertThat(((Injection.Patch) second).ops()).singleElement().satisfies(op -> {
            assertThat(op.op()).isEqualTo("add");
            assertThat(op.path()).isEqualTo("/spec/containers/0/env/-");
        });
        ObjectNode result = (ObjectNode) InjectCase.apply(second, once);
        assertThat(names(result, "containers")).containsExactly("istio", "log", "app", "mesh-1", "mesh-2");
        assertThat(later(result, index)).isInstanceOf(Injection.Skip.class);
    }

    /** FR-02: a dump of an injected pod, submitted after the set changed. */
    @Test
    void dumpGetsEachThingOnceAndTrueBookkeeping() {
        ObjectNode dump = injected(app(), index(set("one", FULL)));
        SidecarSet changed = changed();
        Injection injection = later(dump, index(changed));
        ObjectNode result = (ObjectNode) InjectCase.apply(injection, dump);
        assertThat(names(result, "containers")).containsExactly("log", "app", "mesh-1", "mesh-2");
        assertThat(names(result, "initContainers")).containsExactly("native", "prepare");
        assertThat(names(result, "volumes")).containsExactly("d", "lv");
        assertThat(names(result, "imagePullSecrets")).containsExactly("s");
        assertThat(result.path("spec").path("containers").path(0).path("image").stringValue()).isEqualTo("log:2");
        assertThat(Json.text(result.path("metadata").path("annotations"), "kruise.io/sidecarset-hash")).contains("\"hash\":\"h2\"",
                "2040-01-01");
        assertThat(((Injection.Patch) injection).warnings()).isEmpty();
        assertThat(later(result, index(changed))).isInstanceOf(Injection.Skip.class);
    }

    private static SidecarSet changed() {
        ObjectNode raw = set("one", FULL.replace("log:1", "log:2")).raw().deepCopy();
        ((ObjectNode) raw.path("metadata").path("annotations")).put("kruise.io/sidecarset-hash", "h2");
        return SidecarSet.of(raw);
    }

    /** One set changed, the other did not: only the changed one's time moves. */
    @Test
    void onlyTheChangedSetGetsANewTime() {
        SidecarSet two = set("two", "{'containers':[{'name':'other'}]}");
        ObjectNode once = injected(app(), index(set("one", FULL), two));
        ObjectNode result = (ObjectNode) InjectCase.apply(later(once, index(changed(), two)), once);
        String hashes = Json.text(result.path("metadata").path("annotations"), "kruise.io/sidecarset-hash");
        assertThat(hashes).contains("\"one\":{\"updateTimestamp\":\"2040-01-01T00:00:00Z\"",
                "\"two\":{\"updateTimestamp\":\"2031-07-08T09:10:11Z\"");
    }

    /** Trap 33, also for a set that leaves no mark on the pod. */
    @Test
    void mergedMetadataIsNotMergedAgain() {
        SetIndex index = index(set("one", FULL), set("two",
                "{'patchPodMetadata':[{'patchPolicy':'MergePatchJson','annotations':{'m':'{\\u0022z\\u0022:1,\\u0022a\\u0022:null}'}}]}"));
        ObjectNode once = injected(app(), index);
        assertThat(Json.text(once.path("metadata").path("annotations"), "k")).isEqualTo("{\"b\":2,\"a\":null}");
        assertThat(later(once, index)).isInstanceOf(Injection.Skip.class);
    }

    /** A new revision with the same hash patches other metadata (api.md trap 9), so a dump gets it. */
    @Test
    void newRevisionWithTheSameHashPatchesMetadataAgain() {
        ObjectNode once = injected(app(), index(set("one", FULL)));
        ObjectNode raw = set("one", FULL.replace("MergePatchJson", "Overwrite").replace("\\u0022b\\u0022:2", "\\u0022b\\u0022:3")).raw()
                .deepCopy();
        ((ObjectNode) raw.path("status")).put("latestRevision", "r2");
        JsonNode annotations = InjectCase.apply(later(once, index(SidecarSet.of(raw))), once).path("metadata").path("annotations");
        assertThat(Json.text(annotations, "k")).isEqualTo("{\"b\":3,\"a\":null}");
        assertThat(Json.text(annotations, "kruise.io/sidecarset-hash")).contains("\"controllerRevision\":\"r2\"", "2040-01-01");
    }

    /** A container of ours that somebody changed is put right again. */
    @Test
    void changedContainerIsWrittenOver() {
        SetIndex index = index(set("one", FULL));
        ObjectNode once = injected(app(), index);
        ((ObjectNode) once.path("spec").path("containers").path(0)).put("image", "evil");
        ObjectNode result = (ObjectNode) InjectCase.apply(later(once, index), once);
        assertThat(result.path("spec").path("containers").path(0).path("image").stringValue()).isEqualTo("log:1");
        assertThat(names(result, "containers")).containsExactly("log", "app", "mesh-1", "mesh-2");
    }

    /** The barrier that the first call added is nothing that the second may transfer: an init container would wait for it for ever. */
    @Test
    void barrierOfTheFirstCallIsNotTransferred() {
        SetIndex index = index(set("one", """
                {'containers':[{'name':'log','env':[{'name':'KRUISE_CONTAINER_PRIORITY','value':'1'}]}],
                 'initContainers':[{'name':'prepare','transferEnv':[{'sourceContainerName':'app','envName':'KRUISE_CONTAINER_BARRIER'}],
                  'shareVolumePolicy':{'type':'enabled'}}]}"""));
        ObjectNode pod = pod("{'containers':[{'name':'app','volumeMounts':[{'name':'d','mountPath':'/d',"
                + "'subPathExpr':'$(KRUISE_CONTAINER_BARRIER)'}]}]}");
        ObjectNode once = injected(pod, index);
        assertThat(once.path("spec").path("containers").toString()).contains("KRUISE_CONTAINER_BARRIER");

        assertThat(later(once, index)).isInstanceOf(Injection.Skip.class);
    }

    /** Somebody took annotations away that only the first injection wrote; the working twin is the one with the image. */
    @Test
    void bookkeepingOfTwinsIsMadeWholeAgain() {
        SetIndex index = index(set("one", FULL));
        ObjectNode once = injected(app(), index);
        ObjectNode damaged = once.deepCopy();
        ((ObjectNode) damaged.path("metadata").path("annotations")).remove("kruise.io/sidecarset-injected-list");
        ((ObjectNode) damaged.path("metadata").path("annotations")).remove("versionalt.sidecarset.kruise.io/mesh-2");
        ((ObjectNode) damaged.path("metadata").path("annotations")).put("version.sidecarset.kruise.io/mesh-1", "1234")
                .put("kruise.io/sidecarset-working-hotupgrade-container", "{\"mesh\":\"mesh-2\",\"other\":\"other-1\"}");

        JsonNode annotations = InjectCase.apply(later(damaged, index), damaged).path("metadata").path("annotations");

        assertThat(annotations).isEqualTo(((ObjectNode) once.path("metadata").path("annotations").deepCopy())
                .put("version.sidecarset.kruise.io/mesh-1", "1234")
                .put("kruise.io/sidecarset-working-hotupgrade-container", "{\"mesh\":\"mesh-1\",\"other\":\"other-1\"}"));
    }
}
