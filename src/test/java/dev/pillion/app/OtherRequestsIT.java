package dev.pillion.app;

import static dev.pillion.app.PodApi.containers;
import static dev.pillion.app.PodApi.json;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Locale;
import java.util.concurrent.atomic.AtomicInteger;

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
import dev.pillion.it.TestWebhook;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** Requests that create no Pod, and other webhooks on the same Pods (FR-20, FR-23). */
@OnEveryCluster
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class OtherRequestsIT {
    private static final String CONFIGURATIONS = "/apis/admissionregistration.k8s.io/v1/mutatingwebhookconfigurations";
    private static final String OURS = CONFIGURATIONS + "/pillion-mutating-webhook-configuration";
    private static final List<String> SUB_RESOURCES = List.of("status", "ephemeralcontainers", "resize", "eviction", "binding", "log",
            "exec");

    private static final String REPEATED = "{reason=\"already-injected\",result=\"skipped\"}";

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

    /** The webhook is registered for everything about Pods, as an administrator may do; a set that would refuse each of them matches. */
    @Test
    void everythingAboutAPodButItsCreationIsAdmittedAsItIs() {
        String name = Json.text(api.create("late", "{}").path("metadata"), "name");
        api.set("late", "{'updateStrategy':{'type':'NotUpdate'},'containers':[{'name':'log','image':'i','resourcesPolicy':{"
                + "'targetContainersMode':'sum','targetContainersNameRegex':'^nobody$','resourcesExpr':{'limits':{'cpu':'cpu'}}}}]}");
        String caBundle = Json.text(api.http().get(OURS).body().at("/webhooks/0/clientConfig"), "caBundle");
        register("broad", api.sets().webhookUrl() + "/mutate-pod", caBundle, "'*'", "'pods','pods/*'", "Never");
        Eventually.until("the webhook is asked", () -> api.submit(PodApi.manifest("late", "{}")), a -> a.code() == 422);
        String pod = PodApi.pods(api.namespace()) + "/" + name;

        admitted(api.http().merge(pod, "{\"metadata\":{\"labels\":{\"x\":\"y\"},\"annotations\":{\"a\":\"b\"}}}"));
        admitted(api.http().merge(pod + "/status", "{\"status\":{\"message\":\"m\"}}"));
        admitted(patch(pod + "/ephemeralcontainers", "{'spec':{'ephemeralContainers':[{'name':'debug','image':'i'}]}}"));
        admitted(patch(pod + "/resize", "{'spec':{'containers':[{'name':'app','resources':{'requests':{'cpu':'10m'}}}]}}"));
        admitted(api.http().post(pod + "/binding", json("{'apiVersion':'v1','kind':'Binding','metadata':{'name':'" + name
                + "'},'target':{'apiVersion':'v1','kind':'Node','name':'n'}}").toString()));
        JsonNode stored = api.http().get(pod).body();
        assertThat(containers(stored)).containsExactly("app");
        assertThat(stored.at("/metadata/annotations").propertyNames()).as("no bookkeeping").noneMatch(key -> key.contains("kruise.io"));
        assertThat(Json.text(stored.at("/metadata/annotations"), "a")).isEqualTo("b");
        admitted(api.http().post(pod + "/eviction", json("{'apiVersion':'policy/v1','kind':'Eviction','metadata':{'name':'" + name + "'}}")
                .toString()));
        admitted(api.http().delete(pod));
        assertThat(api.http().delete(CONFIGURATIONS + "/broad").code()).isEqualTo(200);
    }

    private RawHttp.Answer patch(String path, String body) {
        return api.http().send("PATCH", path, "application/strategic-merge-patch+json", json(body).toString());
    }

    /** Whatever else the server says to it, no webhook refused it. */
    private static void admitted(RawHttp.Answer answer) {
        assertThat(answer.message()).doesNotContain("admission webhook", "SidecarSet");
        assertThat(answer.code()).as(answer.message()).isLessThan(500);
    }

    private void register(String name, String url, String caBundle, String operations, String resources, String reinvocation) {
        ObjectNode configuration = json("{'apiVersion':'admissionregistration.k8s.io/v1','kind':'MutatingWebhookConfiguration','metadata':{"
                + "'name':'" + name + "'},'webhooks':[{'name':'" + name
                + ".example.com','admissionReviewVersions':['v1'],'sideEffects':'None',"
                + "'reinvocationPolicy':'" + reinvocation + "','failurePolicy':'Fail','namespaceSelector':{'matchLabels':{"
                + "'kubernetes.io/metadata.name':'" + api.namespace() + "'}},'clientConfig':{'url':'" + url + "','caBundle':'" + caBundle
                + "'},'rules':[{'apiGroups':[''],'apiVersions':['v1'],'operations':[" + operations + "],'resources':[" + resources
                + "]}]}]}");
        RawHttp.Answer answer = api.http().post(CONFIGURATIONS, configuration.toString());
        assertThat(answer.code()).as(answer.message()).isEqualTo(201);
    }

    @Test
    void reviewsOfOtherRequestsGetNoPatch() throws Exception {
        api.set("other", "{'containers':[{'name':'log','image':'i'}]}");
        ObjectNode pod = PodApi.manifest("other", "{}");
        assertThat(api.review(pod).has("patch")).isTrue();
        for (String operation : List.of("CREATE", "UPDATE", "DELETE", "CONNECT")) {
            for (String subResource : SUB_RESOURCES) {
                assertLeftAlone(review(pod, operation).put("subResource", subResource));
            }
            if (!operation.equals("CREATE")) {
                assertLeftAlone(review(pod, operation));
            }
        }
        assertLeftAlone(review(pod, "CREATE").set("resource", json("{'group':'','version':'v1','resource':'podtemplates'}")));
    }

    private ObjectNode review(ObjectNode pod, String operation) {
        ObjectNode request = json("{'uid':'u','kind':{'group':'','version':'v1','kind':'Pod'},'resource':{'group':'','version':'v1',"
                + "'resource':'pods'},'dryRun':false}").put("operation", operation).put("namespace", api.namespace());
        request.set("object", pod);
        request.set("oldObject", pod);
        return request;
    }

    private void assertLeftAlone(ObjectNode request) throws Exception {
        ObjectNode review = json("{'apiVersion':'admission.k8s.io/v1','kind':'AdmissionReview'}");
        review.set("request", request);
        JsonNode response = api.respond(review);
        assertThat(response.path("allowed").booleanValue()).as("%s: %s", request, response).isTrue();
        assertThat(response.has("patch")).as("%s: %s", request, response).isFalse();
    }

    /** FR-20: an injector before us and one behind us, both of which change our containers too; everybody is called again. */
    @Test
    void otherInjectorsAndReinvocation() throws Exception {
        api.set("twice", """
                {'updateStrategy':{'type':'NotUpdate'},'volumes':[{'name':'lv','emptyDir':{}}],'imagePullSecrets':[{'name':'s'}],
                 'initContainers':[{'name':'first','image':'i'}],'containers':[
                  {'name':'log','image':'i','volumeMounts':[{'name':'lv','mountPath':'/lv'}],'env':[{'name':'EMPTY','value':''}]},
                  {'name':'mesh','image':'i','podInjectPolicy':'AfterAppContainer',
                   'upgradeStrategy':{'upgradeType':'HotUpgrade','hotUpgradeEmptyImage':'empty'}}]}""");
        AtomicInteger calls = new AtomicInteger();
        try (TestWebhook before = new TestWebhook(request -> injector((ObjectNode) request.path("object"), "aa"));
                TestWebhook behind = new TestWebhook(request -> {
                    calls.incrementAndGet();
                    return injector((ObjectNode) request.path("object"), "zz");
                })) {
            register("aa", before.url("/"), before.caBundle(), "'CREATE'", "'pods'", "IfNeeded");
            register("zz", behind.url("/"), behind.caBundle(), "'CREATE'", "'pods'", "IfNeeded");
            api.http().send("PATCH", OURS, "application/strategic-merge-patch+json",
                    json("{'webhooks':[{'name':'mpod.kb.io','reinvocationPolicy':'IfNeeded'}]}").toString());
            Eventually.until("both others are asked", () -> containers(api.create("nobody", "{}")),
                    names -> names.containsAll(List.of("aa", "zz")));

            int once = calls.get();
            double repeated = api.injections().getOrDefault(REPEATED, 0.0);

            ObjectNode pod = api.create("twice", "{}");

            assertThat(api.injections()).as("we were called again, and had nothing to do").containsEntry(REPEATED, repeated + 1);
            assertThat(calls.get() - once).isPositive();
            assertThat(containers(pod)).containsExactlyInAnyOrder("aa", "zz", "log", "app", "mesh-1", "mesh-2");
            assertThat(containers(pod)).as("order among ours and the app").containsSubsequence("log", "app", "mesh-1", "mesh-2");
            assertThat(PodApi.names(pod, "initContainers")).containsExactly("first");
            assertThat(PodApi.names(pod, "volumes")).containsOnlyOnce("lv", "aa", "zz");
            assertThat(PodApi.names(pod, "imagePullSecrets")).containsExactly("s");
            for (String ours : List.of("log", "mesh-1", "mesh-2", "app")) {
                assertThat(PodApi.env(pod, ours)).as(ours).doesNotHaveDuplicates().contains("AA", "ZZ");
            }
            assertThat(PodApi.annotation(pod, "aa")).isEqualTo("done");
        } finally {
            api.http().delete(CONFIGURATIONS + "/aa");
            api.http().delete(CONFIGURATIONS + "/zz");
        }
    }

    /** A usual injector: a container in front, a volume, an annotation, an env in every container, each only when it lacks. */
    private static ObjectNode injector(ObjectNode pod, String name) {
        ArrayNode ops = Json.NODES.arrayNode();
        JsonNode containers = pod.path("spec").path("containers");
        for (int i = 0; i < containers.size(); i++) {
            JsonNode env = containers.path(i).path("env");
            if (env.valueStream().noneMatch(e -> Json.text(e, "name").equals(name.toUpperCase(Locale.ROOT)))) {
                String item = "{'name':'" + name.toUpperCase(Locale.ROOT) + "','value':'1'}";
                ops.add(env.isArray()
                        ? json("{'op':'add','path':'/spec/containers/" + i + "/env/0','value':" + item + "}")
                        : json("{'op':'add','path':'/spec/containers/" + i + "/env','value':[" + item + "]}"));
            }
        }
        if (containers.valueStream().noneMatch(c -> Json.text(c, "name").equals(name))) {
            ops.add(json("{'op':'add','path':'/spec/containers/0','value':{'name':'" + name + "','image':'i','env':[{'name':'"
                    + name.toUpperCase(Locale.ROOT) + "','value':'1'}]}}"));
            String volume = "{'name':'" + name + "','emptyDir':{}}";
            ops.add(pod.path("spec").path("volumes").isArray()
                    ? json("{'op':'add','path':'/spec/volumes/0','value':" + volume + "}")
                    : json("{'op':'add','path':'/spec/volumes','value':[" + volume + "]}"));
            ops.add(pod.path("metadata").path("annotations").isObject()
                    ? json("{'op':'add','path':'/metadata/annotations/" + name + "','value':'done'}")
                    : json("{'op':'add','path':'/metadata/annotations','value':{'" + name + "':'done'}}"));
        }
        return TestWebhook.patch(ops.toString());
    }
}
