package dev.pillion.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import tools.jackson.databind.JsonNode;

final class InjectCommandTest {
    private static final String POD = """
            apiVersion: v1
            kind: Pod
            metadata: {name: web, labels: {app: web}}
            spec:
              containers:
              - name: app
                image: app:1
                inventedByTheFuture: 1
                env: [{name: TOKEN, value: s3cret}]
            """;
    private static final String LOGS = """
            apiVersion: apps.kruise.io/v1beta1
            kind: SidecarSet
            metadata: {name: logs}
            spec:
              selector: {matchLabels: {app: web}}
              containers: [{name: log, image: "log:1"}]
            """;

    @TempDir
    private Path folder;
    private String pod = "";
    private String sets = "";

    @BeforeEach
    void write() throws IOException {
        pod = file("pod.yaml", POD);
        sets = file("sets.yaml", LOGS);
    }

    private String file(String name, String text) throws IOException {
        return Files.writeString(folder.resolve(name), text).toString();
    }

    private static JsonNode object(String yaml) {
        try {
            return YamlDocuments.read(yaml, "out").getFirst();
        } catch (InputFault e) {
            throw new AssertionError(e);
        }
    }

    @Test
    void printsThePodWithItsMembersInTheirOrder() {
        CommandRun run = CommandRun.of("inject", "-f", pod, "-s", sets);

        assertThat(run.code()).as(run.err()).isZero();
        assertThat(run.out()).startsWith("apiVersion: v1\nkind: Pod\nmetadata:\n  name: web\n  labels:\n    app: web\n  annotations:\n");
        assertThat(object(run.out()).at("/spec/containers").valueStream().map(c -> c.path("name").stringValue()))
                .containsExactly("log", "app");
        assertThat(object(run.out()).at("/spec/containers/1/inventedByTheFuture").intValue()).isEqualTo(1);
        assertThat(run.out()).contains("2026-03-01T12:00:00Z").contains("sidecarset-injected-list: logs");
        assertThat(run.err()).isEmpty();
    }

    @Test
    void whatItPrintsNeedsNothingMore() throws IOException {
        String injected = file("injected.yaml", CommandRun.of("inject", "-f", pod, "-s", sets).out());

        CommandRun again = CommandRun.of("inject", "-f", injected, "-s", sets);

        assertThat(again.code()).isEqualTo(2);
        assertThat(again.err()).contains("default/web", "already-injected");
        assertThat(object(again.out())).isEqualTo(object(Files.readString(Path.of(injected))));
    }

    @Test
    void aSkippedPodIsPrintedAsItIsAndTheReasonIsToldBesides() throws IOException {
        String other = file("other.yaml", POD.replace("app: web}", "app: api}"));

        CommandRun run = CommandRun.of("inject", "-f", other, "-s", sets);

        assertThat(run.code()).isEqualTo(2);
        assertThat(object(run.out())).isEqualTo(object(POD.replace("app: web}", "app: api}")));
        assertThat(run.err()).contains("no-match", "--explain");
    }

    @Test
    void aRefusalNamesPodSetFieldAndWayOutAndPrintsNoPod() throws IOException {
        String bad = file("bad.yaml", LOGS.replace("image: \"log:1\"", "image: \"log:1\", resourcesPolicy: {targetContainersMode: sum, "
                + "targetContainersNameRegex: none, resourcesExpr: {limits: {cpu: cpu*50%}}}"));

        CommandRun run = CommandRun.of("inject", "-f", pod, "-s", bad, "--explain");

        assertThat(run.code()).isEqualTo(1);
        assertThat(run.out()).isEmpty();
        assertThat(run.err()).contains(pod + ": document 1", "default/web", "SidecarSet logs", "targetContainersNameRegex", "correct",
                "resources-policy");
    }

    @Test
    void explainsEverySetAndNeverTellsAValue() throws IOException {
        String canary = "{name: canary, annotations: {apps.kruise.io/sidecarset-canary: 'true', apps.kruise.io/sidecarset-base: logs}}";
        String many = file("many.yaml", String.join("---\n", LOGS,
                LOGS.replace("name: logs", "name: labels").replace("app: web", "app: api"),
                LOGS.replace("name: logs", "name: exists")
                        .replace("{matchLabels: {app: web}}", "{matchExpressions: [{key: tier, operator: Exists}]}"),
                LOGS.replace("name: logs", "name: bound") + "  namespaceSelector: {matchLabels: {kubernetes.io/metadata.name: shop}}\n",
                LOGS.replace("name: logs", "name: team") + "  namespaceSelector: {matchLabels: {team: a}}\n",
                LOGS.replace("name: logs", "name: paused") + "  injectionStrategy: {paused: true}\n",
                LOGS.replace("{name: logs}", canary),
                LOGS.replace("name: log,", "name: more, transferEnv: [{sourceContainerName: app, envNames: [TOKEN, GONE]}],")
                        .replace("name: logs", "name: more")));

        CommandRun run = CommandRun.of("inject", "-f", pod, "-s", many, "--explain");

        assertThat(run.code()).isZero();
        assertThat(run.err()).containsPattern("logs +left out +hidden-by-canary +its canary canary takes its place")
                .containsPattern("labels +left out +selector-mismatch +spec.selector wants app=api; the Pod has app=web")
                .containsPattern("exists +left out +selector-mismatch +spec.selector wants label tier; the Pod has no label tier")
                .containsPattern("bound +left out +namespace-mismatch +spec.namespaceSelector wants namespace shop; the Pod is in default")
                .containsPattern(
                        "team +left out +namespace-mismatch +spec.namespaceSelector wants team=a; namespace default has no label team")
                .containsPattern("paused +left out +paused +spec.injectionStrategy.paused is true")
                .containsPattern("canary +injected +injected +adds container log").contains("env GONE")
                .contains("note: Namespace default is in no file").doesNotContain("s3cret");
        assertThat(run.out()).contains("s3cret");
    }

    @Test
    void namespacesRevisionsAndListsCount() throws IOException {
        String set = LOGS + """
                  namespaceSelector: {matchLabels: {team: a}}
                  injectionStrategy: {revision: {revisionName: logs-1}}
                """;
        String revision = """
                apiVersion: apps/v1
                kind: ControllerRevision
                metadata: {name: logs-1, namespace: kruise-system, labels: {kruise.io/sidecarset-name: logs}}
                revision: 1
                data: {spec: {$patch: replace, containers: [{name: log, image: "log:0"}], volumes: null}}
                """;
        String all = "{apiVersion: v1, kind: List, items: [{apiVersion: v1, kind: Namespace, metadata: {name: shop, labels: {team: a}}}]}\n";

        CommandRun found = CommandRun.of("inject", "-f", pod, "-n", "shop", "-s", file("s.yaml", set + "---\n" + revision),
                "--namespace-labels", file("ns.yaml", all), "--explain");
        CommandRun lacking = CommandRun.of("inject", "-f", pod, "-n", "shop", "-s", file("t.yaml", set + "---\n" + all));
        CommandRun elsewhere = CommandRun.of("inject", "-f", pod, "-n", "shop", "-s",
                file("u.yaml", set + "---\n" + all + "---\n" + revision.replace("kruise-system", "other")));

        assertThat(found.out()).contains("image: log:0").contains("controllerRevision\\\":\\\"logs-1");
        assertThat(found.err()).contains("adds container log of revision logs-1");
        assertThat(lacking.code()).isEqualTo(1);
        assertThat(lacking.err()).contains("revision-not-found", "logs-1");
        assertThat(elsewhere.code()).isEqualTo(1);
        assertThat(elsewhere.err()).contains("namespace other", "kruise-system");
    }

    /** Both versions lead to one stored set, so to one hash. */
    @Test
    void oldVersionsAreConvertedAndDefaultedAsByTheWebhook() throws IOException {
        String alpha = file("alpha.yaml", LOGS.replace("v1beta1", "v1alpha1") + "  namespace: default\n");

        CommandRun old = CommandRun.of("inject", "-f", pod, "-s", alpha);
        CommandRun present = CommandRun.of("inject", "-f", pod, "-s", sets);

        assertThat(old.code()).isZero();
        assertThat(old.out()).isEqualTo(present.out());
        assertThat(CommandRun.of("inject", "-f", pod, "-n", "other", "-s", alpha).code()).isEqualTo(2);
    }

    @ParameterizedTest
    @CsvSource({"Deployment,apps/v1,", "StatefulSet,apps/v1,", "DaemonSet,apps/v1,", "ReplicaSet,apps/v1,", "Job,batch/v1,",
            "CronJob,batch/v1,jobTemplate", "CloneSet,apps.kruise.io/v1alpha1,"})
    void workloadsStandForThePodOfTheirTemplate(String kind, String version, String wrapper) throws IOException {
        String template = "{template: {metadata: {labels: {app: web}}, spec: {containers: [{name: app, image: a}]}}}";
        String spec = wrapper == null ? template : "{jobTemplate: {spec: " + template + "}}";
        String file = file("w.yaml", "{apiVersion: " + version + ", kind: " + kind + ", metadata: {name: shop, namespace: eu}, spec: "
                + spec + "}\n---\n{apiVersion: v1, kind: Service, metadata: {name: s}}\n");

        CommandRun run = CommandRun.of("inject", "-f", file, "-s", sets);

        assertThat(run.code()).as(run.err()).isZero();
        JsonNode result = object(run.out());
        assertThat(result.path("kind").stringValue()).isEqualTo("Pod");
        assertThat(result.at("/metadata/generateName").stringValue()).isEqualTo("shop-");
        assertThat(result.at("/metadata/namespace").stringValue()).isEqualTo("eu");
        assertThat(result.at("/metadata").has("ownerReferences")).isFalse();
        assertThat(result.at("/spec/containers")).hasSize(2);
        assertThat(result.path("spec").has("readinessGates")).isEqualTo(kind.equals("CloneSet"));
    }

    @Test
    void severalPodsGiveOneCodeAndOneList() throws IOException {
        String two = file("two.yaml", POD + "---\n" + POD.replace("app: web}", "app: api}"));

        CommandRun yaml = CommandRun.of("inject", "-f", two, "-s", sets);
        CommandRun json = CommandRun.of("inject", "-f", two, "-s", sets, "-o", "json");

        assertThat(yaml.code()).isZero();
        assertThat(yaml.out()).contains("\n---\n");
        assertThat(object(json.out()).path("items")).hasSize(2);
        String broken = file("broken.yaml", POD + "---\n" + POD.replace("spec:", "spec:\n  priority: high"));
        CommandRun one = CommandRun.of("inject", "-f", broken, "-s", sets);
        assertThat(one.code()).isEqualTo(1);
        assertThat(one.err()).contains("broken.yaml: document 2", "spec.priority", "undecodable");
        assertThat(object(one.out()).path("kind").stringValue()).isEqualTo("Pod");
    }

    @Test
    void theInputMayHoldEverything() {
        CommandRun run = CommandRun.withInput(POD + "---\n" + LOGS, "inject", "-f", "-");

        assertThat(run.code()).as(run.err()).isZero();
        assertThat(run.out()).contains("name: log");
    }

    @Test
    void whatCannotBeUsedEndsWithItsPlaceAndACodeOfItsOwn() throws IOException {
        assertThat(CommandRun.of("inject", "-f", pod).err()).contains("no SidecarSet", "-s");
        assertThat(CommandRun.of("inject", "-f", sets, "-s", sets).err()).contains("also in");
        assertThat(CommandRun.of("inject", "-f", file("empty.yaml", "# nothing\n"), "-s", sets).err()).contains("no Pod and no workload");
        assertThat(CommandRun.of("inject", "-f", pod, "-s", file("t.yaml", LOGS.replace("containers: [", "containers: [7, "))).err())
                .contains("t.yaml: document 1", "logs", "spec.containers[0]");
        assertThat(CommandRun.of("inject", "-f", pod, "-s", file("v.yaml", LOGS.replace("v1beta1", "v1"))).err())
                .contains("v.yaml: document 1", "apps.kruise.io/v1 SidecarSet", "v1alpha1");
        assertThat(CommandRun.of("inject", "-f", pod, "-s", file("n.yaml", LOGS.replace("name: logs", "x: y"))).err())
                .contains("metadata.name");
        for (String[] wrong : new String[][]{{"inject"}, {"inject", "-f", pod, "-s", "/none.yaml"},
                {"inject", "-f", pod, "-s", sets, "-o", "xml"}, {"inject", "-f", pod, "-s", sets, "--no-such"}}) {
            CommandRun run = CommandRun.of(wrong);
            assertThat(run.code()).as(String.join(" ", wrong)).isEqualTo(64);
            assertThat(run.out()).isEmpty();
        }
    }

    /** What a cluster would not store cannot inject there either: the answer is given, with a warning. */
    @Test
    void setsThatWouldNotBeStoredAreWarnedOf() throws IOException {
        String clash = file("clash.yaml", LOGS + "---\n" + LOGS.replace("name: logs", "name: twin"));

        CommandRun run = CommandRun.of("inject", "-f", pod, "-s", clash);

        assertThat(run.code()).isZero();
        assertThat(run.err()).contains("warning: " + clash + ": document 1: SidecarSet logs would be refused", "SidecarSet \"twin\"");
    }
}
