package dev.pillion.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import io.fabric8.kubernetes.client.KubernetesClient;

/** Server-side apply with several managers, on a custom type and on built-in ones. */
@OnEveryCluster
final class ServerSideApplyIT {
    private static final String GROUP = "apply.pillion.test";
    private static final String WIDGETS = "/apis/" + GROUP + "/v1/widgets";
    private final Cluster cluster;
    private final KubernetesClient client;
    private final RawHttp http;
    private String namespace = "";

    ServerSideApplyIT(Cluster cluster) {
        this.cluster = cluster;
        this.client = cluster.client();
        this.http = new RawHttp(client);
    }

    @BeforeEach
    void serve() {
        Definitions.serve(http, GROUP, "");
        namespace = cluster.newNamespace("apply");
    }

    @AfterEach
    void close() {
        client.close();
    }

    @Test
    void createsNotesFieldsAndRepeatsWithoutTrace() {
        RawHttp.Answer created = apply("noted", "one", "{\"size\":1,\"parts\":[{\"name\":\"a\"}],\"tags\":[\"x\"]}");

        assertThat(created.code()).as(created.message()).isEqualTo(201);
        assertThat(created.body().at("/metadata/managedFields/0/manager").stringValue("")).isEqualTo("one");
        assertThat(created.body().at("/metadata/managedFields/0/operation").stringValue("")).isEqualTo("Apply");
        assertThat(created.body().at("/metadata/managedFields/0/fieldsV1")).isEqualTo(RawHttp.tree("""
                {"f:spec":{"f:size":{},"f:parts":{"k:{\\"name\\":\\"a\\"}":{".":{},"f:name":{}}},"f:tags":{"v:\\"x\\"":{}}}}"""));
        RawHttp.Answer again = apply("noted", "one", "{\"size\":1,\"parts\":[{\"name\":\"a\"}],\"tags\":[\"x\"]}");
        assertThat(again.code()).isEqualTo(200);
        assertThat(again.body().path("metadata")).isEqualTo(created.body().path("metadata"));
    }

    @Test
    void twoManagersShareAListAndEachTakesItsPartBack() {
        apply("shared", "one", "{\"size\":1,\"parts\":[{\"name\":\"a\"},{\"name\":\"b\"}],\"tags\":[\"x\",\"y\"]}");

        RawHttp.Answer second = apply("shared", "two", "{\"parts\":[{\"name\":\"c\",\"weight\":5}],\"tags\":[\"y\",\"z\"]}");

        assertThat(second.code()).as(second.message()).isEqualTo(200);
        assertThat(second.body().at("/spec/parts").toString())
                .isEqualTo("[{\"name\":\"a\",\"weight\":1},{\"name\":\"b\",\"weight\":1},{\"name\":\"c\",\"weight\":5}]");
        RawHttp.Answer less = apply("shared", "one", "{\"size\":1,\"parts\":[{\"name\":\"b\"}]}");
        assertThat(less.body().at("/spec/parts").toString()).isEqualTo("[{\"name\":\"b\",\"weight\":1},{\"name\":\"c\",\"weight\":5}]");
        assertThat(less.body().at("/spec/tags").toString()).isEqualTo("[\"y\",\"z\"]");
    }

    @Test
    void conflictsNameTheManagerAndTheFieldAndForceTakesIt() {
        apply("contested", "one", "{\"size\":1,\"colour\":\"red\"}");

        RawHttp.Answer one = apply("contested", "two", "{\"size\":2}");

        assertThat(one.code()).isEqualTo(409);
        assertThat(one.reason()).isEqualTo("Conflict");
        assertThat(one.message()).isEqualTo("Apply failed with 1 conflict: conflict with \"one\": .spec.size");
        assertThat(one.causes()).containsExactly("FieldManagerConflict .spec.size: conflict with \"one\"");
        RawHttp.Answer two = apply("contested", "two", "{\"size\":2,\"colour\":\"green\"}");
        assertThat(two.message()).isEqualTo("Apply failed with 2 conflicts: conflicts with \"one\":\n- .spec.colour\n- .spec.size");
        RawHttp.Answer equal = apply("contested", "two", "{\"size\":1}");
        assertThat(equal.code()).isEqualTo(200);
        RawHttp.Answer forced = http.force(WIDGETS + "/contested", "two", widget("contested", "{\"size\":3}"));
        assertThat(forced.body().at("/spec/size").intValue()).isEqualTo(3);
        RawHttp.Answer back = apply("contested", "one", "{\"colour\":\"red\"}");
        assertThat(back.body().at("/spec/size").intValue()).isEqualTo(3);
    }

    @Test
    void anUpdateTakesFieldsAndMakesConflicts() {
        apply("updated", "one", "{\"size\":1}");
        http.merge(WIDGETS + "/updated?fieldManager=hand", "{\"spec\":{\"size\":4}}");

        RawHttp.Answer answer = apply("updated", "one", "{\"size\":1}");

        assertThat(answer.code()).isEqualTo(409);
        assertThat(answer.message())
                .matches("Apply failed with 1 conflict: conflict with \"hand\" using " + GROUP + "/v1( at [0-9TZ:-]+)?: .spec.size");
    }

    @Test
    void takesYaml() {
        String yaml = "# a comment\napiVersion: " + GROUP + "/v1\nkind: Widget\nmetadata:\n  name: %s\nspec: {size: 2}\n";

        RawHttp.Answer applied = http.apply(WIDGETS + "/yaml", "one", yaml.formatted("yaml"));
        RawHttp.Answer posted = http.send("POST", WIDGETS, "application/yaml", yaml.formatted("yaml-posted"));

        assertThat(applied.code()).as(applied.message()).isEqualTo(201);
        assertThat(applied.body().at("/spec/size").intValue()).isEqualTo(2);
        assertThat(posted.code()).as(posted.message()).isEqualTo(201);
        assertThat(posted.body().at("/spec/size").intValue()).isEqualTo(2);
        assertThat(http.apply(WIDGETS + "/yaml", "one", "a: [").code()).isEqualTo(400);
    }

    /** What a webhook or a default puts back is no change, although the writer's entry would get a new time. */
    @Test
    void aWriteThatOnlyRenewsATimeIsNoWrite() {
        http.post(WIDGETS, widget("renewed", "{\"size\":1,\"colour\":\"red\"}"));
        String before = http.get(WIDGETS + "/renewed").body().at("/metadata/resourceVersion").stringValue("");
        Eventually.until("the second has changed", () -> (http.post(WIDGETS, widget("clock", "{\"size\":1}")).code() == 201
                && !times("clock").equals(times("renewed"))) || http.delete(WIDGETS + "/clock").code() == 0);

        RawHttp.Answer patched = http.merge(WIDGETS + "/renewed", "{\"spec\":{\"colour\":null}}");

        assertThat(patched.body().at("/spec/colour").stringValue("")).isEqualTo("red");
        assertThat(patched.body().at("/metadata/resourceVersion").stringValue("")).isEqualTo(before);
    }

    private String times(String name) {
        return http.get(WIDGETS + "/" + name).body().at("/metadata/managedFields/0/time").stringValue("");
    }

    @Test
    void keepsStatusOwnersApart() {
        apply("status", "one", "{\"size\":1}");

        RawHttp.Answer status = http.apply(WIDGETS + "/status/status", "two",
                "{\"apiVersion\":\"" + GROUP + "/v1\",\"kind\":\"Widget\",\"metadata\":{\"name\":\"status\"},\"status\":{\"ready\":1}}");

        assertThat(status.code()).as(status.message()).isEqualTo(200);
        assertThat(status.body().at("/status/ready").intValue()).isEqualTo(1);
        assertThat(status.body().at("/spec/size").intValue()).isEqualTo(1);
        assertThat(apply("status", "one", "{\"size\":2}").body().at("/status/ready").intValue()).isEqualTo(1);
    }

    @Test
    void configMapsByKubectl() {
        assumeTrue(Kubectl.present());
        String manifest = """
                apiVersion: v1
                kind: ConfigMap
                metadata: {name: settings, namespace: %s}
                data: {a: "1", b: "2"}
                """.formatted(namespace);
        Kubectl kubectl = cluster.kubectl();

        assertThat(kubectl.with(manifest, "apply", "-f", "-").ok()).contains("configmap/settings created");
        assertThat(kubectl.with(manifest.replace("b: \"2\"", "b: \"3\""), "apply", "-f", "-").ok())
                .contains("configmap/settings configured");
        Kubectl.Answer other = kubectl.with(manifest.replace("b: \"2\"", "b: \"4\""), "apply", "--server-side", "--field-manager=other",
                "-f", "-");
        assertThat(other.code()).isEqualTo(1);
        assertThat(other.err()).contains("Apply failed with 1 conflict: conflict with \"kubectl-client-side-apply\" using v1", ".data.b");
        kubectl.with(manifest.replace("b: \"2\"", "b: \"4\""), "apply", "--server-side", "--force-conflicts", "--field-manager=other", "-f",
                "-").ok();
        assertThat(kubectl.run("get", "configmap", "settings", "-n", namespace, "-o", "jsonpath={.data}").ok())
                .isEqualTo("{\"a\":\"1\",\"b\":\"4\"}");
        kubectl.with(manifest.replace("b: \"2\"", "c: \"5\""), "apply", "--server-side", "--field-manager=other", "-f", "-").ok();
        assertThat(kubectl.run("get", "configmap", "settings", "-n", namespace, "-o", "jsonpath={.data}").ok())
                .isEqualTo("{\"a\":\"1\",\"c\":\"5\"}");
    }

    @Test
    void migratesFromClientSideToServerSideApply() {
        assumeTrue(Kubectl.present());
        String manifest = Definitions.widget(GROUP, "v1", "migrated", "{\"size\":1,\"tags\":[\"x\"]}");
        Kubectl kubectl = cluster.kubectl();
        kubectl.with(manifest, "apply", "-f", "-").ok();

        kubectl.with(manifest.replace("\"tags\":[\"x\"]", "\"code\":\"abc\""), "apply", "--server-side", "-f", "-").ok();

        assertThat(kubectl.run("get", "widgets." + GROUP, "migrated", "-o", "jsonpath={.spec.code} {.spec.tags}").ok().strip())
                .isEqualTo("abc");
    }

    @Test
    void webhookConfigurationsMergeByName() {
        String path = "/apis/admissionregistration.k8s.io/v1/mutatingwebhookconfigurations/apply-it";
        String entry = "{\"name\":\"%s.pillion.test\",\"sideEffects\":\"None\",\"admissionReviewVersions\":[\"v1\"],\"clientConfig\":{\"url\":\"https://127.0.0.1/x\"}}";
        String head = "{\"apiVersion\":\"admissionregistration.k8s.io/v1\",\"kind\":\"MutatingWebhookConfiguration\",\"metadata\":{\"name\":\"apply-it\"},\"webhooks\":[";
        RawHttp.Answer created = http.apply(path, "owner", head + entry.formatted("a") + "," + entry.formatted("b") + "]}");
        assertThat(created.code()).as(created.message()).isEqualTo(201);

        RawHttp.Answer bundle = http.apply(path, "bundle",
                head + "{\"name\":\"b.pillion.test\",\"clientConfig\":{\"caBundle\":\"" + "LS0t" + "\"}}]}");

        assertThat(bundle.code()).as(bundle.message()).isEqualTo(200);
        assertThat(bundle.body().at("/webhooks/1/clientConfig/caBundle").stringValue("")).isEqualTo("LS0t");
        assertThat(bundle.body().at("/webhooks/1/clientConfig/url").stringValue("")).isEqualTo("https://127.0.0.1/x");
        RawHttp.Answer less = http.apply(path, "owner", head + entry.formatted("b") + "]}");
        assertThat(less.body().path("webhooks")).hasSize(1);
        // The other manager co-owns the entry: without its owner it lacks what makes it valid.
        RawHttp.Answer dropped = http.apply(path, "owner", head + entry.formatted("a") + "]}");
        assertThat(dropped.code()).isEqualTo(422);
        http.delete(path);
    }

    @Test
    void aPodsContainersMergeByName() {
        String path = "/api/v1/namespaces/" + namespace + "/pods/merged";
        String pod = "{\"apiVersion\":\"v1\",\"kind\":\"Pod\",\"metadata\":{\"name\":\"merged\"},\"spec\":{\"containers\":[%s]}}";
        String app = "{\"name\":\"app\",\"image\":\"app:1\",\"ports\":[{\"containerPort\":80}]}";
        RawHttp.Answer created = http.apply(path, "one", pod.formatted(app));
        assertThat(created.code()).as(created.message()).isEqualTo(201);

        RawHttp.Answer label = http.apply(path, "two",
                "{\"apiVersion\":\"v1\",\"kind\":\"Pod\",\"metadata\":{\"name\":\"merged\",\"labels\":{\"a\":\"b\"}}}");
        assertThat(label.code()).as(label.message()).isEqualTo(200);
        RawHttp.Answer image = http.apply(path, "two", pod.formatted("{\"name\":\"app\",\"image\":\"app:2\"}"));

        assertThat(image.code()).isEqualTo(409);
        assertThat(image.causes()).containsExactly("FieldManagerConflict .spec.containers[name=\"app\"].image: conflict with \"one\"");
        RawHttp.Answer again = http.apply(path, "one", pod.formatted(app.replace("app:1", "app:2")));
        assertThat(again.body().at("/spec/containers/0/image").stringValue("")).isEqualTo("app:2");
        assertThat(again.body().at("/metadata/labels/a").stringValue("")).isEqualTo("b");
    }

    private RawHttp.Answer apply(String name, String manager, String spec) {
        return http.apply(WIDGETS + "/" + name, manager, widget(name, spec));
    }

    private static String widget(String name, String spec) {
        return Definitions.widget(GROUP, "v1", name, spec);
    }
}
