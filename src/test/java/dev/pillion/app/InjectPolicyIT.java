package dev.pillion.app;

import static dev.pillion.app.PodApi.annotation;
import static dev.pillion.app.PodApi.container;
import static dev.pillion.app.PodApi.containers;
import static dev.pillion.app.PodApi.json;
import static dev.pillion.app.PodApi.manifest;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.util.List;
import java.util.Map;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.AfterParameterizedClassInvocation;
import org.junit.jupiter.params.BeforeParameterizedClassInvocation;
import org.junit.jupiter.params.Parameter;

import io.fabric8.kubernetes.api.model.ConfigMapBuilder;

import dev.pillion.api.Json;
import dev.pillion.it.Cluster;
import dev.pillion.it.Eventually;
import dev.pillion.it.OnEveryCluster;
import dev.pillion.it.RawHttp;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** Patched annotations, computed resources, quotas, and dry runs that leave no trace (injection.md 8, 9; FR-10, FR-17, FR-19, FR-24). */
@OnEveryCluster
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class InjectPolicyIT {
    private static final String WHITELIST = "SidecarSet_PatchPodMetadata_WhiteList";
    private static final String LOG = "{'name':'log','image':'log:1','podInjectPolicy':'AfterAppContainer'}";

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

    /** FR-10: without a whitelist, with a broken and with a narrow one the set is refused; as soon as it is corrected Pods are patched. */
    @Test
    void metadataIsPatchedAsSoonAsTheWhitelistAllows() {
        ObjectNode set = json("{'apiVersion':'apps.kruise.io/v1beta1','kind':'SidecarSet','metadata':{'name':'meta'},'spec':{"
                + "'selector':{'matchLabels':{'app':'meta'}},'updateStrategy':{'type':'NotUpdate'},'containers':[" + LOG + "],"
                + "'patchPodMetadata':[{'patchPolicy':'Retain','annotations':{'shop.io/kept':'set','shop.io/new':'set'}},"
                + "{'patchPolicy':'Overwrite','annotations':{'shop.io/over':'set'}},"
                + "{'patchPolicy':'MergePatchJson','annotations':{'shop.io/json':'{\\u0022log\\u0022:1,\\u0022old\\u0022:null}'}}]}}");
        for (String broken : new String[]{"{", "{'rules':[{'allowedAnnotationKeyExprs':['^shop.io/kept$']}]}"}) {
            whitelist(broken);
            RawHttp.Answer refused = Eventually.until("the whitelist counts", () -> submit(set), a -> broken.equals("{")
                    ? a.message().contains("JSON")
                    : a.message().contains("not on the whitelist"));
            assertThat(refused.code()).isEqualTo(422);
        }

        whitelist("{'rules':[{'allowedAnnotationKeyExprs':['^shop.io/.*$']}]}");
        Eventually.until("the set is accepted", () -> submit(set), a -> a.code() == 201);
        api.sets().settled("meta");

        JsonNode bare = api.create("meta", "{}");
        assertThat(shop(bare)).isEqualTo(
                json("{'kept':'set','new':'set','over':'set','json':'{\\u0022log\\u0022:1,\\u0022old\\u0022:null}'}"));
        ObjectNode manifest = manifest("meta", "{}");
        manifest.withObject("/metadata").set("annotations", json("{'shop.io/kept':'','shop.io/over':'user',"
                + "'shop.io/json':'{\\u0022old\\u0022:1, \\u0022app\\u0022:{\\u0022b\\u0022:1,\\u0022a\\u0022:2}}','mine':'as it is'}"));
        JsonNode own = api.create(manifest);
        assertThat(shop(own)).isEqualTo(json("{'kept':'','new':'set','over':'set',"
                + "'json':'{\\u0022app\\u0022:{\\u0022b\\u0022:1,\\u0022a\\u0022:2},\\u0022log\\u0022:1}'}"));
        assertThat(annotation(own, "mine")).isEqualTo("as it is");

        manifest.withObject("/metadata/annotations").put("shop.io/json", "no JSON");
        RawHttp.Answer refused = api.submit(manifest);
        assertThat(refused.code()).isEqualTo(422);
        assertThat(refused.message()).contains("SidecarSet meta", "shop.io/json", "meta-");
        whitelist("{'rules':[]}");
        assertThat(shop(api.create("meta", "{}"))).as("the whitelist guards sets, not Pods").isNotEmpty();
    }

    private RawHttp.Answer submit(ObjectNode set) {
        return api.http().post(SetApi.path(SetApi.BETA), set.toString());
    }

    private static ObjectNode shop(JsonNode pod) {
        ObjectNode shop = Json.object();
        pod.at("/metadata/annotations").properties().stream().filter(e -> e.getKey().startsWith("shop.io/"))
                .forEach(e -> shop.set(e.getKey().substring("shop.io/".length()), e.getValue()));
        return shop;
    }

    private void whitelist(String text) {
        api.sets().client().resource(new ConfigMapBuilder().withNewMetadata().withNamespace(api.sets().ownNamespace())
                .withName("kruise-configuration").endMetadata().withData(Map.of(WHITELIST, text.replace('\'', '"'))).build())
                .createOr(r -> r.update());
    }

    private static String policy(String name, String mode, String regex, String expressions) {
        return "{'name':'" + name + "','image':'i','podInjectPolicy':'AfterAppContainer','resourcesPolicy':{'targetContainersMode':'" + mode
                + "','targetContainersNameRegex':'" + regex + "','resourcesExpr':" + expressions + "}}";
    }

    @Test
    void resourcesFollowTheAppContainers() {
        String half = "{'limits':{'cpu':'cpu*50%','memory':'max(memory*50%, 64Mi)'},'requests':{'cpu':'cpu*10%'}}";
        api.set("resources", "{'updateStrategy':{'type':'NotUpdate'},'containers':[" + policy("all", "sum", ".*", half) + ","
                + policy("most", "max", "^app", half) + "]}");

        ObjectNode pod = api.create("resources",
                """
                        {'initContainers':[{'name':'app-native','image':'i','restartPolicy':'Always','resources':{'limits':{'cpu':'500m','memory':'1Gi'}}},
                          {'name':'app-init','image':'i','resources':{'limits':{'cpu':'8','memory':'8Gi'}}}],
                         'containers':[{'name':'app','image':'i','resources':{'limits':{'cpu':'2','memory':'100Mi'},'requests':{'cpu':'1'}}},
                          {'name':'web','image':'i','resources':{'limits':{'cpu':'500m','memory':'100Mi'}}}]}""");
        assertThat(container(pod, "all").path("resources"))
                .isEqualTo(json("{'limits':{'cpu':'1500m','memory':'612Mi'},'requests':{'cpu':'200m','memory':'612Mi'}}"));
        assertThat(container(pod, "most").path("resources"))
                .isEqualTo(json("{'limits':{'cpu':'1','memory':'512Mi'},'requests':{'cpu':'100m','memory':'512Mi'}}"));

        ObjectNode unlimited = api.create("resources", "{'containers':[{'name':'app','image':'i','resources':{'requests':{'cpu':'1'}}}]}");
        assertThat(container(unlimited, "all").path("resources")).isEqualTo(json("{'requests':{'cpu':'100m'}}"));
    }

    /** FR-17: refused with everything needed to mend it, and counted. */
    @Test
    void aPolicyThatMatchesNoContainer() throws Exception {
        api.set("matchless", "{'updateStrategy':{'type':'NotUpdate'},'containers':["
                + policy("log", "sum", "^main$", "{'limits':{'cpu':'cpu'}}") + "]}");
        String counter = "{reason=\"resources-policy\",result=\"refused\"}";
        double before = api.injections().getOrDefault(counter, 0.0);

        RawHttp.Answer refused = api
                .submit(manifest("matchless", "{'containers':[{'name':'app','image':'i'},{'name':'web','image':'i'}]}"));

        assertThat(refused.code()).isEqualTo(422);
        assertThat(refused.message()).contains("SidecarSet matchless", "container log", "^main$", "app", "web");
        assertThat(api.injections()).containsEntry(counter, before + 1);
        assertThat(containers(api.create("matchless", "{'containers':[{'name':'main','image':'i'}]}"))).containsExactly("main", "log");
    }

    /** FR-24: the same answer; no counter, no event, no write. */
    @Test
    void aDryRunLeavesNoTrace() throws Exception {
        api.set("dry", "{'updateStrategy':{'type':'NotUpdate'},'containers':[" + LOG + "]}");
        api.set("dry-gone", "{'updateStrategy':{'type':'NotUpdate'},'containers':[" + LOG + "]}");
        String revision = api.sets().settled("dry-gone").at("/status/latestRevision").stringValue();
        api.change("dry-gone", "{'injectionStrategy':{'revision':{'revisionName':'" + revision + "'}}}");
        api.http().delete("/apis/apps/v1/namespaces/" + api.sets().ownNamespace() + "/controllerrevisions/" + revision);
        Eventually.until("Pods are refused", () -> dryRun("dry-gone").code(), code -> code == 422);
        api.create("nobody", "{}");
        Eventually.until("the status of both is written", () -> api.sets().settled("dry"), _ -> true);
        Map<String, Double> counted = api.injections();
        List<String> written = writes();

        RawHttp.Answer dry = dryRun("dry");
        RawHttp.Answer refused = dryRun("dry-gone");

        assertThat(containers(PodApi.created(dry))).containsExactly("app", "log");
        assertThat(refused.code()).isEqualTo(422);
        assertThat(api.injections()).isEqualTo(counted);
        assertThat(containers(api.create("dry", "{}"))).as("as the dry run said").containsExactly("app", "log");
        assertThat(api.injections()).as("a real one is counted").isNotEqualTo(counted);
        assertThat(writes()).isEqualTo(written);
        assertThat(api.http().get("/apis/events.k8s.io/v1/namespaces/default/events").body().path("items").valueStream()
                .filter(e -> Json.text(e.path("regarding"), "name").equals("dry-gone"))).as("events").isEmpty();
    }

    private RawHttp.Answer dryRun(String app) {
        return api.http().post(PodApi.pods(api.namespace()) + "?dryRun=All", manifest(app, "{}").toString());
    }

    /** Writes in the audit log that belong to the two sets, dry runs and the user's own apart. */
    private List<String> writes() {
        return cluster.auditLines().stream().filter(line -> line.at("/objectRef/name").asString("").startsWith("dry")
                && line.at("/objectRef/resource").asString("").matches("sidecarsets|controllerrevisions|events"))
                .map(line -> line.path("verb").asString("") + " " + line.path("requestURI").asString("")).toList();
    }

    /** FR-19: what a sidecar without resources meets in a namespace with a quota, and what a LimitRange does for it. */
    @Test
    void quotaAndDefaults() {
        ObjectNode set = json("{'apiVersion':'apps.kruise.io/v1beta1','kind':'SidecarSet','metadata':{'name':'quota'},'spec':{"
                + "'selector':{'matchLabels':{'app':'quota'}},'updateStrategy':{'type':'NotUpdate'},'containers':[" + LOG + "]}}");
        RawHttp.Answer written = submit(set);
        assertThat(written.warnings()).anyMatch(w -> w.contains("sets no resources") && w.contains("quota"));
        api.sets().settled("quota");
        String namespace = cluster.newNamespace("quota");
        String quotas = "/api/v1/namespaces/" + namespace + "/resourcequotas";
        ObjectNode quota = json(
                "{'apiVersion':'v1','kind':'ResourceQuota','metadata':{'name':'q'},'spec':{'hard':{'requests.cpu':'250m'}}}");
        RawHttp.Answer made = api.http().post(quotas, quota.toString());
        assumeTrue(made.code() == 201, "this server knows no quotas");
        // No controller runs here that would copy the limits into the status, which is what counts.
        ObjectNode status = ((ObjectNode) made.body()).set("status", json("{'hard':{'requests.cpu':'250m'},'used':{'requests.cpu':'0'}}"));
        assertThat(api.http().put(quotas + "/q/status", status.toString()).code()).isEqualTo(200);
        String app = "{'containers':[{'name':'app','image':'i','resources':{'requests':{'cpu':'100m'}}}]}";

        RawHttp.Answer refused = Eventually.until("the quota counts",
                () -> api.http().post(PodApi.pods(namespace) + "?dryRun=All", manifest("quota", app).toString()), a -> a.code() == 403);
        assertThat(refused.message()).contains("must specify requests.cpu for: log");

        api.http().post("/api/v1/namespaces/" + namespace + "/limitranges",
                json("{'apiVersion':'v1','kind':'LimitRange','metadata':{'name':'l'},'spec':{'limits':[{'type':'Container',"
                        + "'default':{'cpu':'100m','memory':'64Mi'},'defaultRequest':{'cpu':'25m'}}]}}").toString());
        ObjectNode pod = PodApi.created(Eventually.until("the limit range counts",
                () -> api.http().post(PodApi.pods(namespace), manifest("quota", app).toString()), a -> a.code() == 201));
        assertThat(container(pod, "log").path("resources"))
                .isEqualTo(json("{'limits':{'cpu':'100m','memory':'64Mi'},'requests':{'cpu':'25m','memory':'64Mi'}}"));
        assertThat(api.http().get(quotas + "/q").body().at("/status/used/requests.cpu").stringValue()).isEqualTo("125m");
        PodApi.created(api.http().post(PodApi.pods(namespace), manifest("quota", app).toString()));
        RawHttp.Answer third = api.http().post(PodApi.pods(namespace), manifest("quota", app).toString());
        assertThat(third.code()).isEqualTo(403);
        assertThat(third.message()).contains("exceeded quota: q", "requested: requests.cpu=125m");
    }
}
