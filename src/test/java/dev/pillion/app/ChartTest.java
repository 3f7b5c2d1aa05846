package dev.pillion.app;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import dev.pillion.api.Json;
import dev.pillion.cli.Manifests;
import dev.pillion.config.Config;
import dev.pillion.config.ConfigReader;
import dev.pillion.config.Reading;
import dev.pillion.config.Setting;
import dev.pillion.config.Settings;
import dev.pillion.it.Helm;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;
import tools.jackson.dataformat.yaml.YAMLMapper;

/** The Helm chart: with its defaults the base, and each value does what it says. */
final class ChartTest {
    private static final String CHART = Install.FOLDER.resolve("chart").toString();
    private static final Optional<Helm> HELM = Helm.find();

    @TempDir
    private Path folder;

    @BeforeEach
    void helmIsThere() {
        assumeTrue(HELM.isPresent(), "there is no helm 3");
    }

    private static Helm.Answer helm(String... arguments) {
        return HELM.orElseThrow().run(arguments);
    }

    /** The chart rendered into a namespace with values as for --set. */
    private static Install render(String namespace, String... values) {
        List<String> command = new ArrayList<>(List.of("template", "any-release", CHART, "--namespace", namespace));
        for (String value : values) {
            command.addAll(List.of("--set", value));
        }
        return read(helm(command.toArray(String[]::new)).ok());
    }

    private static Install read(String rendered) {
        try {
            return new Install(Manifests.read(new ByteArrayInputStream(rendered.getBytes(StandardCharsets.UTF_8)), "the chart"));
        } catch (IOException e) {
            throw new AssertionError(rendered, e);
        }
    }

    private static Config config(Install install) {
        String yaml = Json.text(install.get("ConfigMap", "pillion-settings").path("data"), "pillion.yaml");
        return switch (ConfigReader.read(Map.of(), Map.of(), "pillion.yaml", yaml)) {
            case Reading.Loaded(Config config) -> config;
            case Reading.Rejected(List<Reading.Problem> problems) -> throw new AssertionError(problems + " in " + yaml);
        };
    }

    @Test
    void withDefaultsItIsTheBase() {
        Map<String, JsonNode> base = byName(Install.base());
        base.remove("Namespace " + Install.NAMESPACE);

        assertThat(byName(render(Install.NAMESPACE))).isEqualTo(base);
    }

    /** By kind and name, without what Helm itself is known by, and without the trigger of restarts. */
    private static Map<String, JsonNode> byName(Install install) {
        Map<String, JsonNode> named = new TreeMap<>();
        for (ObjectNode object : install.objects()) {
            ObjectNode plain = object.deepCopy();
            ObjectNode metadata = plain.withObjectProperty("metadata");
            ObjectNode labels = metadata.withObjectProperty("labels");
            labels.remove(List.of("app.kubernetes.io/managed-by", "helm.sh/chart"));
            metadata.withObjectProperty("annotations").remove("helm.sh/resource-policy");
            if (Json.text(plain, "kind").equals("CustomResourceDefinition")) {
                labels.remove("app.kubernetes.io/name");
            }
            if (Json.text(plain, "kind").equals("Deployment")) {
                plain.withObject("/spec/template/metadata/annotations").remove("checksum/settings");
            }
            named.put(Json.text(plain, "kind") + " " + Install.name(plain), plain);
        }
        return named;
    }

    @Test
    void lintHasNothingToSay() {
        assertThat(helm("lint", "--strict", "--quiet", CHART, "--namespace", Install.NAMESPACE).code()).isZero();
    }

    @Test
    void everyValueIsDescribedBySchemaAndSettingsAreThePrograms() throws IOException {
        JsonNode schema = Json.read(Files.readAllBytes(Path.of(CHART, "values.schema.json")));
        JsonNode values = YAMLMapper.shared().readTree(Files.readString(Path.of(CHART, "values.yaml")));
        assertThat(new TreeSet<>(schema.path("properties").propertyNames())).containsAll(values.propertyNames());

        Set<String> sections = Settings.all().stream().map(Setting::key).map(k -> k.contains(".") ? k.substring(0, k.indexOf('.')) : k)
                .collect(Collectors.toCollection(TreeSet::new));
        sections.remove("namespace");
        assertThat(new TreeSet<>(schema.at("/properties/settings/properties").propertyNames())).isEqualTo(sections);
        assertThat(Json.text(YAMLMapper.shared().readTree(Files.readString(Path.of(CHART, "Chart.yaml"))),
                "appVersion")).isEqualTo(Main.commands(Map.of()).getCommandSpec().version()[0].replace("pillion ", ""));
    }

    @ParameterizedTest
    @ValueSource(strings = {"replica=3", "webhooks.failurePolicy=Maybe", "webhooks.timeoutSeconds=31", "webhook.failurePolicy=Fail",
            "launchPriority=perhaps", "readinessGate=some", "settings.rolout.budget=strict", "settings.namespace=other",
            "image.repository="})
    void amissValuesAreRefused(String value) {
        Helm.Answer answer = helm("template", "any-release", CHART, "--set", value);

        assertThat(answer.code()).isNotZero();
        assertThat(answer.err()).contains("don't meet the specifications of the schema");
    }

    @Test
    void anotherNamespaceIsTheOneEverywhere() {
        Install install = render("sidecars");

        assertThat(install.objects().stream().map(Json::write).filter(o -> o.contains(Install.NAMESPACE))).isEmpty();
        assertThat(install.get("CustomResourceDefinition", "sidecarsets.apps.kruise.io")
                .at("/spec/conversion/webhook/clientConfig/service/namespace").stringValue()).isEqualTo("sidecars");
        assertThat(excluded(install)).containsExactly("kube-system", "sidecars");
        assertThat(excluded(render("kube-system"))).containsExactly("kube-system");
    }

    private static List<String> excluded(Install install) {
        return expressions(install).get(1).path("values").valueStream().map(JsonNode::stringValue).toList();
    }

    private static List<JsonNode> expressions(Install install) {
        return install.get("MutatingWebhookConfiguration", "pillion-mutating-webhook-configuration")
                .at("/webhooks/0/namespaceSelector/matchExpressions").valueStream().toList();
    }

    @Test
    void webhooksAreAsTheValuesSay() {
        Install install = render(Install.NAMESPACE, "webhooks.failurePolicy=Ignore", "webhooks.timeoutSeconds=5",
                "webhooks.excludedNamespaces={kube-system,monitoring}", "webhooks.namespaceSelector[0].key=sidecars",
                "webhooks.namespaceSelector[0].operator=Exists", "webhooks.annotations.cert-manager\\.io/inject-ca-from=a/b");

        assertThat(install.webhooks()).hasSize(3).allSatisfy(w -> {
            assertThat(Json.text(w, "failurePolicy")).isEqualTo("Ignore");
            assertThat(w.path("timeoutSeconds").intValue()).isEqualTo(5);
        });
        assertThat(excluded(install)).containsExactly("kube-system", "monitoring", Install.NAMESPACE);
        assertThat(expressions(install).getLast().toString()).isEqualTo("{\"key\":\"sidecars\",\"operator\":\"Exists\"}");
        assertThat(install.objects().stream().filter(o -> Json.text(o, "kind").endsWith("WebhookConfiguration")))
                .allSatisfy(c -> assertThat(c.at("/metadata/annotations").toString())
                        .isEqualTo("{\"cert-manager.io/inject-ca-from\":\"a/b\"}"));
    }

    @Test
    void launchPriorityIsASettingAndARight() {
        Install off = render(Install.NAMESPACE, "launchPriority=false");

        assertThat(config(off).injection().launchPriority()).isEqualTo(Config.LaunchPriority.OFF);
        assertThat(off.objects().stream().map(Install::name)).doesNotContain("pillion-launch-priority");
        assertThat(config(render(Install.NAMESPACE)).injection().launchPriority()).isEqualTo(Config.LaunchPriority.ON);
    }

    @Test
    void settingsReachTheProgram() throws IOException {
        Path values = Files.writeString(folder.resolve("values.yaml"), """
                readinessGate: "off"
                externalCerts: true
                settings:
                  workers: 8
                  admission: {port: 10250, body-limit: 8388608, deadline: 4s}
                  metrics: {port: 9090, per-set-limit: 20}
                  queue: {burst: 1000000}
                  rollout: {budget: strict}
                  log: {format: text}
                """);
        Install install = read(helm("template", "any-release", CHART, "-f", values.toString()).ok());

        Config config = config(install);
        assertThat(config.injection().readinessGate()).isEqualTo(Config.ReadinessGate.OFF);
        assertThat(config.certs().source()).isEqualTo(Config.Source.EXTERNAL);
        assertThat(config.workers()).isEqualTo(8);
        assertThat(config.admission().bodyLimit()).isEqualTo(8_388_608);
        assertThat(config.queue().burst()).isEqualTo(1_000_000);
        assertThat(config.rollout().budget()).isEqualTo(Config.Budget.STRICT);
        assertThat(config.log().format()).isEqualTo(Config.Format.TEXT);
        assertThat(install.container().path("ports").toString()).isEqualTo(
                "[{\"name\":\"webhook\",\"containerPort\":10250},{\"name\":\"management\",\"containerPort\":9090}]");
        assertThat(install.get("Service", "pillion-metrics").at("/spec/ports/0/port").intValue()).isEqualTo(9090);
    }

    @Test
    void externalCertificatesAreMountedAndNothingOfThemIsWritten() {
        Install install = render(Install.NAMESPACE, "externalCerts=true", "externalCertsSecret=tls", "crd.annotations.a=b");

        assertThat(config(install).certs().source()).isEqualTo(Config.Source.EXTERNAL);
        assertThat(install.container().at("/volumeMounts/1/mountPath").stringValue())
                .isEqualTo(config(install).certs().directory().toString());
        assertThat(install.pod().at("/spec/volumes/1/secret/secretName").stringValue()).isEqualTo("tls");
        assertThat(install.objects().stream().map(Install::name)).doesNotContain("pillion-certificates");
        assertThat(install.objects().stream().filter(o -> Json.text(o, "kind").endsWith("Role")).map(Json::write))
                .noneMatch(r -> r.contains("secrets") || r.contains("webhookconfigurations") || r.contains("customresourcedefinitions"));
        assertThat(install.get("CustomResourceDefinition", "sidecarsets.apps.kruise.io").at("/metadata/annotations").toString())
                .isEqualTo("{\"a\":\"b\",\"helm.sh/resource-policy\":\"keep\"}");
    }

    @Test
    void changedSettingsRestartThePods() {
        String checksum = "/metadata/annotations/checksum~1settings";
        JsonNode before = render(Install.NAMESPACE).pod().at(checksum);

        assertThat(before.stringValue("")).hasSize(64);
        assertThat(render(Install.NAMESPACE, "replicas=3").pod().at(checksum)).isEqualTo(before);
        assertThat(render(Install.NAMESPACE, "settings.workers=5").pod().at(checksum)).isNotEqualTo(before);
    }

    @Test
    void podsAreAsTheValuesSay() {
        Install install = render(Install.NAMESPACE, "replicas=3", "image.repository=registry.example/pillion", "image.tag=1@sha256:ab",
                "imagePullSecrets[0].name=registry", "priorityClassName=", "jvmOptions=", "nodeSelector.pool=system",
                "tolerations[0].operator=Exists", "podLabels.team=platform", "podAnnotations.note=yes", "resources.limits.memory=2Gi");

        assertThat(install.get("Deployment", "pillion").at("/spec/replicas").intValue()).isEqualTo(3);
        JsonNode spec = install.pod().path("spec");
        assertThat(Json.text(install.container(), "image")).isEqualTo("registry.example/pillion:1@sha256:ab");
        assertThat(spec.at("/imagePullSecrets/0/name").stringValue()).isEqualTo("registry");
        assertThat(spec.has("priorityClassName")).isFalse();
        assertThat(install.container().path("env")).hasSize(1);
        assertThat(spec.at("/nodeSelector/pool").stringValue()).isEqualTo("system");
        assertThat(spec.at("/tolerations/0/operator").stringValue()).isEqualTo("Exists");
        assertThat(install.container().at("/resources/limits/memory").stringValue()).isEqualTo("2Gi");
        assertThat(install.pod().at("/metadata/labels/team").stringValue()).isEqualTo("platform");
        assertThat(install.get("Deployment", "pillion").at("/spec/selector/matchLabels").has("team")).isFalse();
    }

    @Test
    void partsCanBeLeftOut() {
        Install install = render(Install.NAMESPACE, "crd.install=false", "podDisruptionBudget.enabled=false",
                "networkPolicy.enabled=false");
        assertThat(install.objects().stream().map(o -> Json.text(o, "kind"))).doesNotContain("CustomResourceDefinition",
                "PodDisruptionBudget", "NetworkPolicy", "ServiceMonitor");

        ObjectNode monitor = render(Install.NAMESPACE, "serviceMonitor.enabled=true", "serviceMonitor.labels.release=prometheus")
                .get("ServiceMonitor", "pillion");
        assertThat(monitor.at("/metadata/labels/release").stringValue()).isEqualTo("prometheus");
        ObjectNode shipped = Install.resources(Install.FOLDER.resolve("components").resolve("monitoring")).getFirst();
        assertThat(monitor.path("spec")).isEqualTo(shipped.path("spec"));
    }
}
