package dev.pillion.app;

import static dev.pillion.app.PodApi.containers;
import static dev.pillion.app.PodApi.json;
import static dev.pillion.app.PodApi.manifest;
import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.AfterParameterizedClassInvocation;
import org.junit.jupiter.params.BeforeParameterizedClassInvocation;
import org.junit.jupiter.params.Parameter;

import dev.pillion.api.Json;
import dev.pillion.it.Cluster;
import dev.pillion.it.OnEveryCluster;
import dev.pillion.it.RawHttp;

import tools.jackson.databind.node.ObjectNode;

/** Which Pods a set takes, through the API server (injection.md 2, 4; FR-06). */
@OnEveryCluster
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class InjectMatchingIT {
    private static final String LOG = "'containers':[{'name':'log','image':'registry.example/log:1','podInjectPolicy':'AfterAppContainer'}]";

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

    private ObjectNode labelled(String labels) {
        ObjectNode pod = manifest("nobody", "{}");
        pod.withObject("/metadata").set("labels", json(labels));
        return api.create(pod);
    }

    @Test
    void labelsDecide() {
        api.set("expressions", "{'selector':{'matchLabels':{'team':'shop'},'matchExpressions':["
                + "{'key':'tier','operator':'In','values':['front','back']},{'key':'legacy','operator':'DoesNotExist'},"
                + "{'key':'owner','operator':'Exists'},{'key':'stage','operator':'NotIn','values':['dev']}]}," + LOG + "}");

        assertThat(containers(labelled("{'team':'shop','tier':'back','owner':''}"))).containsExactly("app", "log");
        assertThat(containers(labelled("{'team':'shop','tier':'front','owner':'o','stage':'prod'}"))).containsExactly("app", "log");
        for (String other : new String[]{"{'team':'bank','tier':'back','owner':''}", "{'team':'shop','tier':'middle','owner':''}",
                "{'team':'shop','tier':'back','owner':'','legacy':''}", "{'team':'shop','tier':'back'}",
                "{'team':'shop','tier':'back','owner':'','stage':'dev'}", "{}"}) {
            assertThat(containers(labelled(other))).as(other).containsExactly("app");
        }
    }

    /** FR-06: a generated name, and no namespace in the object; the request's counts. */
    @Test
    void aPodWithoutNameAndNamespace() {
        api.set("generated", "{'namespaceSelector':{'matchLabels':{'kubernetes.io/metadata.name':'" + api.namespace() + "'}}," + LOG + "}");
        ObjectNode manifest = manifest("generated", "{}");
        assertThat(manifest.path("metadata").has("namespace") || manifest.path("metadata").has("name")).isFalse();

        ObjectNode pod = api.create(manifest);

        assertThat(containers(pod)).containsExactly("app", "log");
        assertThat(Json.text(pod.path("metadata"), "name")).startsWith("generated-");
        assertThat(Json.text(pod.path("metadata"), "generateName")).isEqualTo("generated-");
    }

    @Test
    void namesOfNamespaces() {
        String other = cluster.newNamespace("other");
        String third = cluster.newNamespace("third");
        api.set("bound",
                "{'namespaceSelector':{'matchExpressions':[{'key':'kubernetes.io/metadata.name','operator':'In','values':['" + other
                        + "','" + third + "']}]}," + LOG + "}");

        assertThat(containers(api.create("bound", "{}"))).containsExactly("app");
        for (String namespace : new String[]{other, third}) {
            assertThat(containers(createIn(namespace, "bound"))).containsExactly("app", "log");
        }
    }

    @Test
    void theNamespaceOfTheOldVersion() {
        String other = cluster.newNamespace("other");
        api.sets().create(SetApi.ALPHA, json("{'apiVersion':'apps.kruise.io/v1alpha1','kind':'SidecarSet','metadata':{'name':'alpha'},"
                + "'spec':{'namespace':'" + other + "','selector':{'matchLabels':{'app':'alpha'}}," + LOG + "}}").toString());
        api.sets().settled("alpha");

        assertThat(containers(createIn(other, "alpha"))).containsExactly("app", "log");
        assertThat(containers(api.create("alpha", "{}"))).containsExactly("app");
    }

    private ObjectNode createIn(String namespace, String app) {
        return PodApi.created(api.http().post(PodApi.pods(namespace), manifest(app, "{}").toString()));
    }

    /** A label that comes, changes and goes counts for the Pods created after it. */
    @Test
    void aRelabelledNamespace() {
        api.set("relabelled", "{'namespaceSelector':{'matchLabels':{'team':'a'}}," + LOG + "}");
        api.set("unlabelled", "{'namespaceSelector':{'matchExpressions':[{'key':'team','operator':'DoesNotExist'}]}," + LOG + "}");
        api.awaitContainers("relabelled", "app");
        api.awaitContainers("unlabelled", "app", "log");

        label("'a'");
        api.awaitContainers("relabelled", "app", "log");
        api.awaitContainers("unlabelled", "app");

        label("'b'");
        api.awaitContainers("relabelled", "app");
        api.awaitContainers("unlabelled", "app");

        label("null");
        api.awaitContainers("relabelled", "app");
        api.awaitContainers("unlabelled", "app", "log");
    }

    private void label(String value) {
        RawHttp.Answer answer = api.http().merge("/api/v1/namespaces/" + api.namespace(),
                json("{'metadata':{'labels':{'team':" + value + "}}}").toString());
        assertThat(answer.code()).as(answer.message()).isEqualTo(200);
    }

    /** Trap 3: the watch may not have brought the Namespace yet. */
    @Test
    void aPodRightAfterItsNamespace() {
        api.set("fresh", "{'namespaceSelector':{'matchLabels':{'born':'now'}}," + LOG + "}");
        for (int i = 0; i < 10; i++) {
            RawHttp.Answer born = api.http().post("/api/v1/namespaces",
                    json("{'apiVersion':'v1','kind':'Namespace','metadata':{'generateName':'born-','labels':{'born':'now'}}}").toString());
            assertThat(born.code()).isEqualTo(201);

            assertThat(containers(createIn(Json.text(born.body().path("metadata"), "name"), "fresh"))).containsExactly("app", "log");
        }
    }

    /** Namespaces with a label control-plane, and the own one, are not sent (injection.md 1.1). */
    @Test
    void namespacesOfTheControlPlaneAreLeftAlone() {
        api.set("everywhere", "{" + LOG + "}");
        String plane = cluster.newNamespace("plane");
        api.http().merge("/api/v1/namespaces/" + plane, json("{'metadata':{'labels':{'control-plane':'x'}}}").toString());

        assertThat(containers(api.create("everywhere", "{}"))).containsExactly("app", "log");
        assertThat(containers(createIn(plane, "everywhere"))).containsExactly("app");
        assertThat(containers(createIn(api.sets().ownNamespace(), "everywhere"))).containsExactly("app");
    }

    @Test
    void aPausedSetLeavesNewPodsAlone() {
        api.set("pausing", "{'injectionStrategy':{'paused':true}," + LOG + "}");
        assertThat(containers(api.create("pausing", "{}"))).containsExactly("app");

        api.change("pausing", "{'injectionStrategy':{'paused':false}}");
        ObjectNode injected = api.create("pausing", "{}");
        api.change("pausing", "{'injectionStrategy':{'paused':true}}");

        assertThat(containers(injected)).containsExactly("app", "log");
        assertThat(containers(api.create("pausing", "{}"))).containsExactly("app");
    }

    /** A pod of the canary gets only the canary; a paused canary gives the base back (trap 27). */
    @Test
    void aCanaryStandsInForItsBase() {
        api.set("base", "{" + LOG + "}");
        api.set("canary", "{'annotations':{'apps.kruise.io/sidecarset-canary':'true','apps.kruise.io/sidecarset-base':'base'}}",
                "{'updateStrategy':{'type':'NotUpdate'},'selector':{'matchLabels':{'app':'base','ring':'canary'}},"
                        + "'containers':[{'name':'log','image':'registry.example/log:2','podInjectPolicy':'AfterAppContainer'}]}");

        assertThat(image(ring("canary"))).isEqualTo("registry.example/log:2");
        assertThat(PodApi.annotation(ring("canary"), "kruise.io/sidecarset-injected-list")).isEqualTo("canary");
        assertThat(image(ring("main"))).isEqualTo("registry.example/log:1");

        api.change("canary", "{'injectionStrategy':{'paused':true}}");
        ObjectNode back = ring("canary");
        assertThat(image(back)).isEqualTo("registry.example/log:1");
        assertThat(PodApi.annotation(back, "kruise.io/sidecarset-injected-list")).isEqualTo("base");
    }

    private ObjectNode ring(String ring) {
        ObjectNode pod = labelled("{'app':'base','ring':'" + ring + "'}");
        assertThat(containers(pod)).containsExactly("app", "log");
        return pod;
    }

    private static String image(ObjectNode pod) {
        return Json.text(PodApi.container(pod, "log"), "image");
    }

    @Test
    void aDeletedSetIsForgotten() {
        api.set("deleted", "{" + LOG + "}");
        assertThat(containers(api.create("deleted", "{}"))).containsExactly("app", "log");

        assertThat(api.http().delete(SetApi.path(SetApi.BETA, "deleted")).code()).isEqualTo(200);

        api.awaitContainers("deleted", "app");
    }
}
