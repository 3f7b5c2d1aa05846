package dev.pillion.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import io.fabric8.kubernetes.client.KubernetesClient;

/** What {@code kubectl get} shows: the server makes its columns. */
@OnEveryCluster
final class TablesIT {
    private static final String GROUP = "tables.pillion.test";
    private static final String AGE = "[0-9]+[smh][0-9smh]*";
    private final Cluster cluster;
    private final KubernetesClient client;
    private final RawHttp http;
    private String namespace = "";

    TablesIT(Cluster cluster) {
        this.cluster = cluster;
        this.client = cluster.client();
        this.http = new RawHttp(client);
    }

    @BeforeEach
    void namespace() {
        assumeTrue(Kubectl.present());
        namespace = cluster.newNamespace("tables");
    }

    @AfterEach
    void close() {
        client.close();
    }

    @Test
    void podsInEveryState() {
        pod("created", "{}");
        pod("running", """
                {"phase":"Running","podIP":"10.1.2.3","conditions":[{"type":"Ready","status":"True"}],
                 "containerStatuses":[{"name":"a","ready":true,"restartCount":2,"image":"i","imageID":"","state":{"running":{}},
                   "lastState":{"terminated":{"exitCode":1,"finishedAt":"2020-01-01T00:00:00Z"}}}]}""");
        pod("crashing", """
                {"phase":"Running","containerStatuses":[{"name":"a","ready":false,"restartCount":7,"image":"i","imageID":"",
                  "state":{"waiting":{"reason":"CrashLoopBackOff"}}}]}""");
        pod("completed", """
                {"phase":"Succeeded","containerStatuses":[{"name":"a","ready":false,"restartCount":0,"image":"i","imageID":"",
                  "state":{"terminated":{"exitCode":0,"reason":"Completed"}}}]}""");
        pod("failed", """
                {"phase":"Failed","containerStatuses":[{"name":"a","ready":false,"restartCount":0,"image":"i","imageID":"",
                  "state":{"terminated":{"exitCode":3}}}]}""");
        pod("evicted", "{\"phase\":\"Failed\",\"reason\":\"Evicted\"}");

        List<String> lines = lines("get", "pods", "-n", namespace);

        assertThat(lines.getFirst().split("  +")).containsExactly("NAME", "READY", "STATUS", "RESTARTS", "AGE");
        assertThat(lines).anySatisfy(line -> assertThat(line).matches("completed +0/1 +Completed +0 +" + AGE));
        assertThat(lines).anySatisfy(line -> assertThat(line).matches("crashing +0/1 +CrashLoopBackOff +7 +" + AGE));
        assertThat(lines).anySatisfy(line -> assertThat(line).matches("created +0/1 +Pending +0 +" + AGE));
        assertThat(lines).anySatisfy(line -> assertThat(line).matches("evicted +0/1 +Evicted +0 +" + AGE));
        assertThat(lines).anySatisfy(line -> assertThat(line).matches("failed +0/1 +ExitCode:3 +0 +" + AGE));
        assertThat(lines).anySatisfy(line -> assertThat(line).matches("running +1/1 +Running +2 \\([0-9]+y[0-9]*d? ago\\) +" + AGE));
        assertThat(lines("get", "pods", "-n", namespace, "-o", "wide")).anySatisfy(
                line -> assertThat(line).matches("running +1/1 +Running +2 \\(.* ago\\) +" + AGE + " +10.1.2.3 +node-1 +<none> +<none> *"));
    }

    @Test
    void podsWithInitContainersAndSidecars() {
        String pods = "/api/v1/namespaces/" + namespace + "/pods";
        http.post(pods,
                """
                        {"apiVersion":"v1","kind":"Pod","metadata":{"name":"init"},"spec":{"containers":[{"name":"a","image":"i"}],
                         "initContainers":[{"name":"one","image":"i"},{"name":"side","image":"i","restartPolicy":"Always"},{"name":"two","image":"i"}]}}""");
        assertThat(row("pods", "init")).matches("init +0/2 +Pending +0 +" + AGE);
        status(pods + "/init",
                """
                        {"phase":"Pending","initContainerStatuses":[
                          {"name":"one","ready":true,"restartCount":0,"image":"i","imageID":"","state":{"terminated":{"exitCode":0,"reason":"Completed"}}},
                          {"name":"side","ready":true,"started":true,"restartCount":1,"image":"i","imageID":"","state":{"running":{}}},
                          {"name":"two","ready":false,"restartCount":0,"image":"i","imageID":"","state":{"waiting":{"reason":"PodInitializing"}}}]}""");
        assertThat(row("pods", "init")).matches("init +1/2 +Init:2/3 +1 +" + AGE);
        status(pods + "/init",
                """
                        {"phase":"Running","conditions":[{"type":"Initialized","status":"True"},{"type":"Ready","status":"True"}],"initContainerStatuses":[
                          {"name":"one","ready":true,"restartCount":0,"image":"i","imageID":"","state":{"terminated":{"exitCode":0,"reason":"Completed"}}},
                          {"name":"side","ready":true,"started":true,"restartCount":1,"image":"i","imageID":"","state":{"running":{}}},
                          {"name":"two","ready":true,"restartCount":0,"image":"i","imageID":"","state":{"terminated":{"exitCode":0,"reason":"Completed"}}}],
                         "containerStatuses":[{"name":"a","ready":true,"restartCount":0,"image":"i","imageID":"","state":{"running":{}}}]}""");
        assertThat(row("pods", "init")).matches("init +2/2 +Running +1 +" + AGE);
    }

    @Test
    void workloads() {
        String spec = "{\"replicas\":3,\"selector\":{\"matchLabels\":{\"app\":\"x\"}},\"template\":{\"metadata\":{\"labels\":{\"app\":\"x\"}},"
                + "\"spec\":{\"containers\":[{\"name\":\"a\",\"image\":\"i:1\"},{\"name\":\"b\",\"image\":\"j:1\"}]}}}";
        String path = "/apis/apps/v1/namespaces/" + namespace;
        assertThat(http.post(path + "/deployments", object("apps/v1", "Deployment", "x", spec)).code()).isEqualTo(201);
        assertThat(http.post(path + "/replicasets", object("apps/v1", "ReplicaSet", "x", spec)).code()).isEqualTo(201);
        status(path + "/deployments/x",
                "{\"replicas\":3,\"readyReplicas\":1,\"updatedReplicas\":2,\"availableReplicas\":1,\"unavailableReplicas\":2}");

        assertThat(lines("get", "deployments", "-n", namespace, "-o", "wide").getFirst().split("  +")).containsExactly("NAME", "READY",
                "UP-TO-DATE",
                "AVAILABLE", "AGE", "CONTAINERS", "IMAGES", "SELECTOR");
        assertThat(lines("get", "deployments", "-n", namespace, "-o", "wide").get(1))
                .matches("x +1/3 +2 +1 +" + AGE + " +a,b +i:1,j:1 +app=x");
        assertThat(row("deployments", "x")).matches("x +1/3 +2 +1 +" + AGE);
        assertThat(row("replicasets", "x")).matches("x +3 +0 +0 +" + AGE);
    }

    @Test
    void customTypesByTheirPrinterColumns() {
        Definitions.serve(http, GROUP, "");
        http.post("/apis/" + GROUP + "/v1/widgets", Definitions.widget(GROUP, "v1", "a", "{\"size\":3,\"free\":{\"k\":[1]}}"));
        status("/apis/" + GROUP + "/v1/widgets/a",
                "{\"conditions\":[{\"type\":\"Other\",\"status\":\"False\"},{\"type\":\"Ready\",\"status\":\"True\"}]}");

        assertThat(lines("get", "widgets." + GROUP)).first().asString().matches("NAME +SIZE +COLOUR +READY +AGE");
        assertThat(lines("get", "wd." + GROUP, "a").get(1)).matches("a +3 +red +True +" + AGE);
        assertThat(lines("get", "widgets." + GROUP, "-o", "wide").get(1)).matches("a +3 +red +True +\\{\"k\":\\[1]} +" + AGE);
        assertThat(lines("get", "widgets.v1alpha1." + GROUP).getFirst()).matches("NAME +AGE");
        assertThat(lines("get", "crd", "widgets." + GROUP).get(1)).matches("widgets." + GROUP + " +20[0-9-]+T[0-9:]+Z");
        assertThat(cluster.kubectl().run("explain", "widgets.spec.size", "--api-version=" + GROUP + "/v1").ok()).contains("<integer>");
    }

    @Test
    void otherKinds() {
        http.post("/api/v1/namespaces/" + namespace + "/configmaps",
                "{\"apiVersion\":\"v1\",\"kind\":\"ConfigMap\",\"metadata\":{\"name\":\"c\"},\"data\":{\"a\":\"1\",\"b\":\"2\"}}");
        http.post("/api/v1/nodes", "{\"apiVersion\":\"v1\",\"kind\":\"Node\",\"metadata\":{\"name\":\"n-" + namespace
                + "\",\"labels\":{\"node-role.kubernetes.io/worker\":\"\"}}}");
        http.post("/apis/admissionregistration.k8s.io/v1/validatingwebhookconfigurations",
                "{\"apiVersion\":\"admissionregistration.k8s.io/v1\",\"kind\":\"ValidatingWebhookConfiguration\",\"metadata\":{\"name\":\"tables-it\"}}");
        http.post("/api/v1/namespaces/" + namespace + "/events",
                """
                        {"apiVersion":"v1","kind":"Event","metadata":{"name":"e"},"involvedObject":{"kind":"Pod","name":"p","namespace":"%s"},
                         "type":"Normal","reason":"Tested","message":"all is well","source":{"component":"it"},"firstTimestamp":"2020-01-01T00:00:00Z",
                         "lastTimestamp":"2020-01-01T00:00:00Z","count":4}"""
                        .formatted(namespace));

        assertThat(row("configmaps", "c")).matches("c +2 +" + AGE);
        assertThat(lines("get", "nodes", "n-" + namespace).get(1)).matches("n-" + namespace + " +Unknown +worker +" + AGE + " *");
        assertThat(lines("get", "namespaces", namespace).get(1)).matches(namespace + " +Active +" + AGE);
        assertThat(lines("get", "validatingwebhookconfigurations", "tables-it").get(1)).matches("tables-it +0 +" + AGE);
        assertThat(lines("get", "events", "-n", namespace).get(1)).matches("[0-9]+y[0-9]*d? +Normal +Tested +pod/p +all is well");
        http.delete("/apis/admissionregistration.k8s.io/v1/validatingwebhookconfigurations/tables-it");
    }

    @Test
    void watchesShowRowsToo() throws IOException, InterruptedException {
        pod("watched", "{}");
        Process watch = cluster.kubectl().start("get", "pods", "-w", "-n", namespace);
        List<String> lines = new CopyOnWriteArrayList<>();
        Thread.ofVirtual().start(() -> {
            try (BufferedReader reader = new BufferedReader(new InputStreamReader(watch.getInputStream(), StandardCharsets.UTF_8))) {
                reader.lines().forEach(lines::add);
            } catch (IOException _) {
                // the process is gone
            }
        });
        try {
            Eventually.until("the first row is shown", () -> lines.size() >= 2);

            status("/api/v1/namespaces/" + namespace + "/pods/watched", "{\"phase\":\"Failed\",\"reason\":\"Evicted\"}");

            Eventually.until("the change is shown", () -> lines, shown -> shown.getLast().matches("watched +0/1 +Evicted +0 +" + AGE));
        } finally {
            watch.destroy();
            watch.waitFor();
        }
    }

    private void pod(String name, String status) {
        String path = "/api/v1/namespaces/" + namespace + "/pods";
        RawHttp.Answer answer = http.post(path,
                object("v1", "Pod", name, "{\"nodeName\":\"node-1\",\"containers\":[{\"name\":\"a\",\"image\":\"i\"}]}"));
        assertThat(answer.code()).as(answer.message()).isEqualTo(201);
        if (!status.equals("{}")) {
            status(path + "/" + name, status);
        }
    }

    private void status(String path, String status) {
        RawHttp.Answer answer = http.merge(path + "/status", "{\"status\":" + status + "}");
        assertThat(answer.code()).as(answer.message()).isEqualTo(200);
    }

    private static String object(String apiVersion, String kind, String name, String spec) {
        return "{\"apiVersion\":\"" + apiVersion + "\",\"kind\":\"" + kind + "\",\"metadata\":{\"name\":\"" + name + "\"},\"spec\":" + spec
                + "}";
    }

    private String row(String resource, String name) {
        return lines("get", resource, name, "-n", namespace).get(1);
    }

    private List<String> lines(String... arguments) {
        return cluster.kubectl().run(arguments).ok().lines().map(String::stripTrailing).toList();
    }
}
