package dev.pillion.app;

import static dev.pillion.app.PodApi.annotation;
import static dev.pillion.app.PodApi.container;
import static dev.pillion.app.PodApi.containers;
import static dev.pillion.app.PodApi.env;
import static dev.pillion.app.PodApi.json;
import static dev.pillion.app.PodApi.manifest;
import static dev.pillion.app.PodApi.names;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.AfterParameterizedClassInvocation;
import org.junit.jupiter.params.BeforeParameterizedClassInvocation;
import org.junit.jupiter.params.Parameter;

import dev.pillion.api.Json;
import dev.pillion.it.Cluster;
import dev.pillion.it.Eventually;
import dev.pillion.it.OnEveryCluster;
import dev.pillion.it.RawHttp;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** What goes into Pods and where, through the API server (injection.md 6, 7; FR-03, FR-13, FR-14, FR-15). */
@OnEveryCluster
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class InjectContentIT {

    @Parameter
    @SuppressWarnings("NullAway.Init") // set by JUnit
    private Cluster cluster;
    @SuppressWarnings("NullAway.Init") // set by start()
    private PodApi api;

    @BeforeParameterizedClassInvocation
    void start() throws Exception {
        api = PodApi.start(cluster);
    }

    @AfterParameterizedClassInvocation
    void stop() throws Exception {
        api.close();
    }

    /** The example of injection.md 7.7, without the mount that no API server takes. */
    @Test
    void theExampleOfTheDescription() {
        api.set("example",
                """
                        {'updateStrategy':{'type':'NotUpdate'},'containers':[
                          {'name':'log','image':'log:1','podInjectPolicy':'BeforeAppContainer','shareVolumePolicy':{'type':'enabled'},
                           'env':[{'name':'X','value':'y'}],'volumeMounts':[{'name':'lv','mountPath':'/lv'}],'transferEnv':[
                             {'sourceContainerNameFrom':{'fieldRef':{'fieldPath':'metadata.labels[\\u0027main\\u0027]'}},'envName':'POD','envNames':['Z','A']}],
                           'resourcesPolicy':{'targetContainersMode':'sum','targetContainersNameRegex':'.*','resourcesExpr':{
                             'limits':{'cpu':'max(cpu*50%, 50m)','memory':'memory*33%'},'requests':{'cpu':'cpu*20%'}}}},
                          {'name':'mesh','image':'mesh:1','podInjectPolicy':'AfterAppContainer',
                           'upgradeStrategy':{'upgradeType':'HotUpgrade','hotUpgradeEmptyImage':'empty:1'}}],
                         'initContainers':[{'name':'zz','image':'zz:1'},
                          {'name':'native','image':'native:1','restartPolicy':'Always','podInjectPolicy':'BeforeAppContainer',
                           'upgradeStrategy':{'upgradeType':'HotUpgrade','hotUpgradeEmptyImage':'empty:1'}}],
                         'volumes':[{'name':'lv','emptyDir':{}},{'name':'unused','emptyDir':{}}],
                         'imagePullSecrets':[{'name':'s1'},{'name':'s2'}]}""");
        ObjectNode manifest = manifest("example", """
                {'imagePullSecrets':[{'name':'s1'},{'name':'s1'}],'volumes':[{'name':'data','emptyDir':{}}],
                 'containers':[{'name':'app','image':'app:1','env':[{'name':'A','value':'1'},{'name':'POD','value':'pp'}],
                  'volumeMounts':[{'name':'data','mountPath':'/data','subPathExpr':'x/$(POD)'}],
                  'resources':{'limits':{'cpu':'300m','memory':'100Mi'},'requests':{'cpu':'100m','memory':'100Mi'}}}]}""");
        manifest.withObject("/metadata/labels").put("main", "app");

        ObjectNode pod = api.create(manifest);

        assertThat(names(pod, "initContainers")).containsExactly("native-1", "native-2", "zz");
        assertThat(containers(pod)).containsExactly("log", "app", "mesh-1", "mesh-2");
        assertThat(env(pod, "log")).containsExactly("X", "IS_INJECTED", "A", "POD");
        assertThat(mounts(pod, "log")).containsExactly("/lv", "/data");
        assertThat(container(pod, "log").path("resources"))
                .isEqualTo(json("{'limits':{'cpu':'150m','memory':'33Mi'},'requests':{'cpu':'20m','memory':'33Mi'}}"));
        assertThat(names(pod, "volumes")).containsExactly("data", "lv");
        assertThat(names(pod, "imagePullSecrets")).containsExactly("s1", "s2");
        assertThat(image(pod, "native-1")).isEqualTo("native:1");
        assertThat(List.of(image(pod, "mesh-1"), image(pod, "mesh-2"), image(pod, "native-2"))).containsExactly("mesh:1", "empty:1",
                "empty:1");
        assertThat(annotation(pod, "kruise.io/sidecarset-working-hotupgrade-container"))
                .isEqualTo("{\"mesh\":\"mesh-1\",\"native\":\"native-1\"}");
        for (String twin : List.of("mesh-1 1 0", "mesh-2 0 1", "native-1 1 0", "native-2 0 1")) {
            String[] want = twin.split(" ", -1);
            assertThat(annotation(pod, "version.sidecarset.kruise.io/" + want[0])).as(twin).isEqualTo(want[1]);
            assertThat(annotation(pod, "versionalt.sidecarset.kruise.io/" + want[0])).as(twin).isEqualTo(want[2]);
            assertThat(env(pod, want[0])).containsExactly("IS_INJECTED", "SIDECARSET_VERSION", "SIDECARSET_VERSION_ALT");
            assertThat(container(pod, want[0]).at("/env/1/valueFrom/fieldRef/fieldPath").stringValue())
                    .isEqualTo("metadata.annotations['version.sidecarset.kruise.io/" + want[0] + "']");
        }
        assertThat(container(pod, "native-2").path("restartPolicy").stringValue()).isEqualTo("Always");
        assertThat(annotation(pod, "kruise.io/sidecarset-injected-list")).isEqualTo("example");
        assertThat(Json.read(annotation(pod, "kruise.io/sidecarset-hash")).at("/example/sidecarList"))
                .isEqualTo(Json.read("[\"log\",\"mesh\",\"native\"]"));
    }

    private static List<String> mounts(JsonNode pod, String container) {
        return container(pod, container).path("volumeMounts").valueStream().map(m -> Json.text(m, "mountPath"))
                .filter(path -> !path.startsWith("/var/run/secrets")).toList();
    }

    private static String image(JsonNode pod, String container) {
        return Json.text(container(pod, container), "image");
    }

    /** Both lists, every policy, several sets; the Pod's own order stays. */
    @Test
    void placement() {
        for (String set : List.of("place-b", "place-a")) {
            String n = set.substring(6);
            api.set(set, """
                    {'selector':{'matchLabels':{'app':'place'}},'updateStrategy':{'type':'NotUpdate'},
                     'containers':[{'name':'%1$s1','image':'i','podInjectPolicy':'AfterAppContainer'},{'name':'%1$s2','image':'i'},
                      {'name':'%1$s3','image':'i','podInjectPolicy':'BeforeAppContainer'}],
                     'initContainers':[{'name':'i%1$s2','image':'i'},{'name':'i%1$s1','image':'i','restartPolicy':'Always'},
                      {'name':'i%1$s0','image':'i','podInjectPolicy':'BeforeAppContainer'}]}""".formatted(n));
        }

        ObjectNode pod = api.create("place", "{'containers':[{'name':'z','image':'i'},{'name':'y','image':'i'}],"
                + "'initContainers':[{'name':'zi','image':'i'},{'name':'yi','image':'i'}]}");

        assertThat(containers(pod)).containsExactly("a2", "a3", "b2", "b3", "z", "y", "a1", "b1");
        assertThat(names(pod, "initContainers")).containsExactly("ia0", "ib0", "zi", "yi", "ia1", "ia2", "ib1", "ib2");
        assertThat(container(pod, "ia1").path("restartPolicy").stringValue()).isEqualTo("Always");
    }

    /** FR-14: mounts and devices of the app containers come along, none twice, no two on one path; those of init containers do not. */
    @Test
    void sharedMountsAndDevices() {
        String shares = "'shareVolumePolicy':{'type':'enabled'},'shareVolumeDevicePolicy':{'type':'enabled'}";
        api.set("shares", """
                {'updateStrategy':{'type':'NotUpdate'},'containers':[{'name':'all','image':'i','podInjectPolicy':'AfterAppContainer',%1$s,
                  'volumeMounts':[{'name':'own','mountPath':'/one'},{'name':'mine','mountPath':'/own'}],
                  'volumeDevices':[{'name':'ownblock','devicePath':'/dev/one'}]},
                  {'name':'none','image':'i','podInjectPolicy':'AfterAppContainer'}],
                 'initContainers':[{'name':'first','image':'i',%1$s}],
                 'volumes':[{'name':'own','emptyDir':{}},{'name':'mine','emptyDir':{'medium':'Memory'}},
                  {'name':'ownblock','persistentVolumeClaim':{'claimName':'c'}}]}""".formatted(shares));
        RawHttp.Answer answer = api.submit(manifest("shares", """
                {'volumes':[{'name':'one','emptyDir':{}},{'name':'two','emptyDir':{}},{'name':'mine','hostPath':{'path':'/mine'}},
                  {'name':'block','persistentVolumeClaim':{'claimName':'d'}},{'name':'block2','persistentVolumeClaim':{'claimName':'e'}}],
                 'initContainers':[{'name':'setup','image':'i','volumeMounts':[{'name':'two','mountPath':'/setup'}]}],
                 'containers':[{'name':'app','image':'i','env':[{'name':'A','value':'1'},{'name':'B','value':'2'}],
                   'volumeMounts':[{'name':'one','mountPath':'/one'},{'name':'two','mountPath':'/two','subPathExpr':'$(B)/$(NONE)x'}],
                   'volumeDevices':[{'name':'block','devicePath':'/dev/one'},{'name':'block2','devicePath':'/dev/two'}]},
                  {'name':'marked','image':'i','env':[{'name':'IS_INJECTED','value':'true'}],
                   'volumeMounts':[{'name':'one','mountPath':'/hidden'}]}]}"""));
        ObjectNode pod = PodApi.created(answer);

        assertThat(mounts(pod, "all")).containsExactly("/one", "/own", "/two");
        assertThat(container(pod, "all").at("/volumeMounts/2/subPathExpr").stringValue()).isEqualTo("$(B)/$(NONE)x");
        assertThat(env(pod, "all")).containsExactly("IS_INJECTED", "B");
        assertThat(devices(pod, "all")).containsExactly("ownblock:/dev/one", "block2:/dev/two");
        assertThat(mounts(pod, "first")).containsExactly("/one", "/two");
        assertThat(devices(pod, "first")).containsExactly("block:/dev/one", "block2:/dev/two");
        assertThat(mounts(pod, "none")).isEmpty();
        assertThat(names(pod, "volumes")).containsExactly("one", "two", "mine", "block", "block2", "own", "ownblock");
        assertThat(pod.at("/spec/volumes/2/hostPath/path").stringValue()).as("the Pod's own volume wins").isEqualTo("/mine");
        assertThat(answer.warnings()).anyMatch(w -> w.contains("volume \\\"mine\\\"") || w.contains("volume \"mine\""));
    }

    private static List<String> devices(JsonNode pod, String container) {
        return container(pod, container).path("volumeDevices").valueStream()
                .map(d -> Json.text(d, "name") + ":" + Json.text(d, "devicePath")).toList();
    }

    /** FR-15: every form of a source, values and references, the sidecar's own first; what is not there is left out. */
    @Test
    void transferredEnv() {
        api.set("transfers", """
                {'updateStrategy':{'type':'NotUpdate'},'containers':[{'name':'log','image':'i','podInjectPolicy':'AfterAppContainer',
                 'env':[{'name':'OWN','value':'mine'}],'transferEnv':[
                  {'sourceContainerName':'app','envName':'Z','envNames':['REF','OWN','A']},
                  {'sourceContainerName':'app','envName':'NONE'},
                  {'sourceContainerName':'nobody','envName':'A'},
                  {'sourceContainerName':'setup','envName':'INIT'},
                  {'sourceContainerNameFrom':{'fieldRef':{'fieldPath':'metadata.annotations[\\u0027main\\u0027]'}},'envName':'SECOND'},
                  {'sourceContainerName':'app','sourceContainerNameFrom':{'fieldRef':{'fieldPath':'metadata.labels[\\u0027none\\u0027]'}},
                   'envName':'TWICE'},
                  {'sourceContainerName':'app','envNames':['TWICE']}]}]}""");
        ObjectNode manifest = manifest("transfers", """
                {'initContainers':[{'name':'setup','image':'i','env':[{'name':'INIT','value':'1'}]}],
                 'containers':[{'name':'app','image':'i','env':[{'name':'A','value':'1'},{'name':'OWN','value':'theirs'},
                   {'name':'Z','value':''},{'name':'REF','valueFrom':{'secretKeyRef':{'name':'s','key':'k','optional':false}}},
                   {'name':'TWICE','value':'1'},{'name':'TWICE','value':'2'}]},
                  {'name':'web','image':'i','env':[{'name':'SECOND','valueFrom':{'fieldRef':{'fieldPath':'status.podIP'}}}]}]}""");
        manifest.withObject("/metadata").putObject("annotations").put("main", "web");

        ObjectNode pod = api.create(manifest);

        assertThat(env(pod, "log")).containsExactly("OWN", "IS_INJECTED", "A", "REF", "Z", "SECOND", "TWICE");
        JsonNode env = container(pod, "log").path("env");
        assertThat(Json.text(env.path(0), "value")).isEqualTo("mine");
        assertThat(env.path(3).path("valueFrom")).isEqualTo(json("{'secretKeyRef':{'name':'s','key':'k','optional':false}}"));
        assertThat(env.at("/5/valueFrom/fieldRef/fieldPath").stringValue()).isEqualTo("status.podIP");
        assertThat(Json.text(env.path(6), "value")).isEqualTo("2");
    }

    /** FR-03: with sidecars in front, members that the product's tables lack stay with their container; invented ones as the server has it. */
    @Test
    void membersOfNewerServersStay() {
        api.set("newer", "{'updateStrategy':{'type':'NotUpdate'},'containers':[{'name':'log','image':'i'}],"
                + "'initContainers':[{'name':'first','image':'i','podInjectPolicy':'BeforeAppContainer'}]}");
        String spec = """
                {'os':{'name':'linux'},'inventedSpec':{'a':[1]},'hostnameOverride':'shop','initContainers':[{'name':'setup','image':'i','inventedInit':1}],
                 'containers':[{'name':'app','image':'i','inventedApp':{'b':[null]},'lifecycle':{'stopSignal':'SIGUSR1'},
                   'restartPolicy':'Never','restartPolicyRules':[{'action':'Restart','exitCodes':{'operator':'In','values':[7]}}]},
                  {'name':'web','image':'i','inventedWeb':2}]}""";
        ObjectNode bare = api.create("nobody", spec);

        ObjectNode pod = api.create("newer", spec);

        assertThat(containers(pod)).containsExactly("log", "app", "web");
        assertThat(names(pod, "initContainers")).containsExactly("first", "setup");
        for (String name : List.of("app", "web", "setup")) {
            assertThat(withoutToken(container(pod, name))).as(name).isEqualTo(withoutToken(container(bare, name)));
        }
        for (String member : List.of("os", "inventedSpec", "hostnameOverride")) {
            assertThat(pod.path("spec").path(member)).as(member).isEqualTo(bare.path("spec").path(member));
        }
        assertThat(container(pod, "log").propertyNames()).as("trap 1").doesNotContain("restartPolicyRules", "restartPolicy", "inventedApp");
    }

    private static JsonNode withoutToken(JsonNode container) {
        return ((ObjectNode) container.deepCopy()).without("volumeMounts");
    }

    /** FR-02, FR-20: what the server stored of the Pod finds nothing to do, and a copy of it has everything once. */
    @Test
    void aDumpComesBackAsItWas() throws Exception {
        api.set("dumped",
                """
                        {'updateStrategy':{'type':'NotUpdate'},'volumes':[{'name':'lv','emptyDir':{}}],'imagePullSecrets':[{'name':'s'}],
                         'initContainers':[{'name':'first','image':'i','env':[{'name':'EMPTY','value':''}],'shareVolumePolicy':{'type':'enabled'}},
                          {'name':'native','image':'i','restartPolicy':'Always','tty':false,
                           'upgradeStrategy':{'upgradeType':'HotUpgrade','hotUpgradeEmptyImage':'empty'}}],
                         'containers':[{'name':'log','image':'i','shareVolumePolicy':{'type':'enabled'},'inventedByTomorrow':{'x':1},
                           'env':[{'name':'EMPTY','value':''},{'name':'KRUISE_CONTAINER_PRIORITY','value':'1'},{'name':'LIMIT',
                            'valueFrom':{'resourceFieldRef':{'resource':'limits.cpu'}}}],
                           'volumeMounts':[{'name':'lv','mountPath':'/lv','readOnly':false,'subPath':''}],'ports':[{'containerPort':80,'hostPort':0}],
                           'livenessProbe':{'httpGet':{'port':80},'initialDelaySeconds':0},'command':[],
                           'resources':{'limits':{'cpu':'0.5','memory':'1024Mi'}}},
                          {'name':'mesh','image':'i','upgradeStrategy':{'upgradeType':'HotUpgrade','hotUpgradeEmptyImage':'empty'},
                           'resourcesPolicy':{'targetContainersMode':'sum','targetContainersNameRegex':'.*',
                            'resourcesExpr':{'limits':{'cpu':'cpu/3','memory':'memory*0.33'},'requests':{'cpu':'cpu*10%'}}}}]}""");
        ObjectNode submitted = manifest("dumped",
                """
                        {'volumes':[{'name':'data','emptyDir':{}}],'containers':[{'name':'app','image':'i','env':[{'name':'A','value':'1'}],
                          'volumeMounts':[{'name':'data','mountPath':'/data','subPathExpr':'$(A)'}],'resources':{'limits':{'cpu':'1','memory':'1Mi'}}},
                         {'name':'web','image':'i','resources':{'limits':{'cpu':'100m','memory':'643216000'}}}]}""");
        // The set's own status, which a Pod's entry names, comes a moment after the set.
        ObjectNode stored = Eventually.until("a Pod tells the revision", () -> api.create(submitted),
                p -> annotation(p, "kruise.io/sidecarset-hash").contains("\"controllerRevision\":\"dumped-"));
        assertThat(containers(stored)).containsExactly("log", "mesh-1", "mesh-2", "app", "web");

        JsonNode second = api.review(stored);
        assertThat(second.path("allowed").booleanValue()).isTrue();
        assertThat(second.has("patch")).as("a patch: %s", second).isFalse();
        ObjectNode copy = stored.deepCopy();
        copy.withObject("/metadata").retain("labels", "annotations").put("name", "copy");
        copy.withObject("/spec").remove("nodeName");
        copy.remove("status");
        ObjectNode again = api.create(copy);
        assertThat(containers(again)).isEqualTo(containers(stored));
        for (String list : List.of("volumes", "initContainers", "imagePullSecrets")) {
            assertThat(again.path("spec").path(list)).as(list).isEqualTo(stored.path("spec").path(list));
        }
        assertThat(again.path("metadata").path("annotations")).isEqualTo(stored.path("metadata").path("annotations"));
        for (String name : containers(again)) {
            assertThat(env(again, name)).as("env of %s", name).doesNotHaveDuplicates();
            assertThat(container(again, name).toString()).doesNotContain(Json.text(stored.path("metadata"), "name"));
        }
    }

    /** FR-01, trap 7: replaced where it stands, with a warning for each; a container that was injected before is no reason for one. */
    @Test
    void aContainerOfTheSameNameIsReplacedWithAWarning() {
        api.set("same", "{'updateStrategy':{'type':'NotUpdate'},'containers':[{'name':'log','image':'log:2'}],"
                + "'initContainers':[{'name':'first','image':'first:2'}]}");

        RawHttp.Answer answer = api.submit(manifest("same",
                """
                        {'initContainers':[{'name':'setup','image':'i'},{'name':'first','image':'mine'}],'containers':[
                          {'name':'app','image':'i'},{'name':'log','image':'mine','env':[{'name':'MINE','value':'1'}]},{'name':'web','image':'i'}]}"""));

        ObjectNode pod = PodApi.created(answer);
        assertThat(containers(pod)).containsExactly("app", "log", "web");
        assertThat(names(pod, "initContainers")).containsExactly("setup", "first");
        assertThat(List.of(image(pod, "log"), image(pod, "first"))).containsExactly("log:2", "first:2");
        assertThat(env(pod, "log")).containsExactly("IS_INJECTED");
        assertThat(answer.warnings()).filteredOn(w -> w.contains("SidecarSet same")).hasSize(2)
                .anyMatch(w -> w.contains("spec.containers[1]"))
                .anyMatch(w -> w.contains("spec.initContainers[1]"));
        RawHttp.Answer marked = api.submit(manifest("same", "{'containers':[{'name':'app','image':'i'},"
                + "{'name':'log','image':'log:1','env':[{'name':'IS_INJECTED','value':'true'}]}]}"));
        assertThat(image(PodApi.created(marked), "log")).isEqualTo("log:2");
        assertThat(marked.warnings()).isEmpty();
    }
}
