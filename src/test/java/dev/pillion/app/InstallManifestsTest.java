package dev.pillion.app;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import org.junit.jupiter.api.Test;

import dev.pillion.api.Json;
import dev.pillion.config.Config;
import dev.pillion.config.ConfigReader;
import dev.pillion.config.Reading;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;
import tools.jackson.dataformat.yaml.YAMLMapper;

/** The manifests fit each other and the program: names, ports, paths, settings, security. */
final class InstallManifestsTest {
    private static final Set<String> CLUSTER_WIDE = Set.of("Namespace", "CustomResourceDefinition", "ClusterRole", "ClusterRoleBinding",
            "MutatingWebhookConfiguration", "ValidatingWebhookConfiguration");
    private final Install install = Install.base();
    private final Config defaults = config("");

    private static Config config(String yaml) {
        return switch (ConfigReader.read(Map.of(), Map.of("POD_NAMESPACE", Install.NAMESPACE), "the manifests", yaml)) {
            case Reading.Loaded(Config config) -> config;
            case Reading.Rejected(List<Reading.Problem> problems) -> throw new AssertionError(problems.toString());
        };
    }

    private static JsonNode settingsOf(ObjectNode configMap) {
        return configMap.at("/data/pillion.yaml");
    }

    @Test
    void everyFileOfAFolderIsPartOfItsKustomization() throws IOException {
        try (Stream<Path> folders = Files.walk(Install.FOLDER)) {
            for (Path folder : folders.filter(f -> Files.exists(f.resolve("kustomization.yaml"))).toList()) {
                try (Stream<Path> files = Files.list(folder)) {
                    List<String> there = files.filter(Files::isRegularFile).map(f -> f.getFileName().toString())
                            .filter(n -> !n.equals("kustomization.yaml")).sorted().toList();
                    List<String> named = Install.kustomization(folder).path("resources").valueStream().map(JsonNode::stringValue)
                            .filter(n -> n.endsWith(".yaml")).sorted().toList();
                    assertThat(named).as(folder.toString()).isEqualTo(there);
                }
            }
        }
    }

    @Test
    void everyObjectIsOursOnceAndInOneNamespace() {
        assertThat(install.objects().stream().map(o -> Json.text(o, "kind") + " " + Install.name(o)).toList()).doesNotHaveDuplicates();
        for (ObjectNode object : install.objects()) {
            String what = Json.text(object, "kind") + " " + Install.name(object);
            boolean inNamespace = !CLUSTER_WIDE.contains(Json.text(object, "kind"));
            assertThat(Install.namespace(object)).as(what).isEqualTo(inNamespace ? Install.NAMESPACE : "");
            if (!Set.of("Namespace", "CustomResourceDefinition").contains(Json.text(object, "kind"))) {
                assertThat(object.at("/metadata/labels/app.kubernetes.io~1name").stringValue("")).as(what).isEqualTo("pillion");
            }
        }
        assertThat(Install.name(install.get("Namespace", Install.NAMESPACE))).isEqualTo(defaults.namespace());
    }

    @Test
    void everyContainerIsLockedUp() {
        assertThat(install.pod().at("/spec/securityContext").toString())
                .isEqualTo("{\"runAsNonRoot\":true,\"seccompProfile\":{\"type\":\"RuntimeDefault\"}}");
        List<JsonNode> containers = Stream.of("containers", "initContainers", "ephemeralContainers")
                .flatMap(list -> install.pod().path("spec").path(list).valueStream()).toList();
        assertThat(containers).isNotEmpty();
        for (JsonNode container : containers) {
            assertThat(container.path("securityContext").toString()).isEqualTo("{\"allowPrivilegeEscalation\":false,"
                    + "\"readOnlyRootFilesystem\":true,\"runAsNonRoot\":true,\"capabilities\":{\"drop\":[\"ALL\"]}}");
            assertThat(container.at("/resources/requests").propertyNames()).containsExactlyInAnyOrder("cpu", "memory");
            assertThat(container.at("/resources/limits").propertyNames()).as("throttling slows down every pod").containsExactly("memory");
        }
        for (String host : List.of("hostNetwork", "hostPID", "hostIPC")) {
            assertThat(install.pod().path("spec").has(host)).as(host).isFalse();
        }
        assertThat(install.pod().at("/spec/volumes").valueStream().filter(v -> v.has("hostPath"))).isEmpty();
        assertThat(install.pod().at("/spec/enableServiceLinks").booleanValue(true)).isFalse();
    }

    @Test
    void whatTheProcessWritesToIsAVolume() {
        List<String> writable = install.container().path("volumeMounts").valueStream().filter(m -> !m.path("readOnly").booleanValue(false))
                .map(m -> m.path("mountPath").stringValue()).toList();
        assertThat(writable).containsExactly("/tmp");
        assertThat(install.pod().at("/spec/volumes").valueStream().map(v -> v.path("name").stringValue()))
                .containsExactlyElementsOf(
                        install.container().path("volumeMounts").valueStream().map(m -> m.path("name").stringValue()).toList());
    }

    @Test
    void portsAreTheProgramsAndServicesFindThem() {
        assertThat(port("webhook")).isEqualTo(defaults.admission().port());
        assertThat(port("management")).isEqualTo(defaults.metrics().port());
        JsonNode labels = install.pod().at("/metadata/labels");
        assertThat(install.get("Deployment", "pillion").at("/spec/selector/matchLabels")).isEqualTo(labels);
        install.all("Service").forEach(s -> {
            assertThat(s.at("/spec/selector")).isEqualTo(labels);
            s.at("/spec/ports").forEach(p -> assertThat(port(p.path("targetPort").stringValue())).isPositive());
        });
        ObjectNode webhooks = install.get("Service", Controller.SERVICE);
        assertThat(webhooks.at("/spec/ports/0/port").intValue()).isEqualTo(443);
        assertThat(webhooks.at("/spec/ports/0/targetPort").stringValue()).isEqualTo("webhook");
        assertThat(install.get("PodDisruptionBudget", "pillion").at("/spec/selector/matchLabels")).isEqualTo(labels);
        ObjectNode network = install.get("NetworkPolicy", "pillion");
        assertThat(network.at("/spec/podSelector/matchLabels")).isEqualTo(labels);
        assertThat(network.at("/spec/ingress").valueStream().flatMap(i -> i.path("ports").valueStream())
                .map(p -> p.path("port").stringValue())).containsExactly("webhook", "management");
        assertThat(install.pod().at("/spec/affinity/podAntiAffinity/preferredDuringSchedulingIgnoredDuringExecution/0/podAffinityTerm"
                + "/labelSelector/matchLabels")).isEqualTo(labels);
        assertThat(install.pod().at("/spec/topologySpreadConstraints/0/labelSelector/matchLabels")).isEqualTo(labels);
    }

    private int port(String name) {
        return install.container().path("ports").valueStream().filter(p -> p.path("name").stringValue().equals(name))
                .mapToInt(p -> p.path("containerPort").intValue()).findFirst().orElseThrow(() -> new AssertionError("no port " + name));
    }

    @Test
    void probesAskTheManagementEndpoint() {
        for (Map.Entry<String, String> probe : Map.of("startupProbe", "/healthz", "livenessProbe", "/healthz", "readinessProbe", "/readyz")
                .entrySet()) {
            JsonNode asked = install.container().path(probe.getKey()).path("httpGet");
            assertThat(asked.path("path").stringValue()).as(probe.getKey()).isEqualTo(probe.getValue());
            assertThat(asked.path("port").stringValue()).as(probe.getKey()).isEqualTo("management");
        }
    }

    @Test
    void aReplicaHasTimeToSayFarewellAndToDrain() {
        Duration grace = Duration.ofSeconds(install.pod().at("/spec/terminationGracePeriodSeconds").intValue());
        assertThat(grace).isGreaterThan(Controller.FAREWELL.plus(Controller.STOP_STEP.multipliedBy(2)));
        assertThat(install.get("Deployment", "pillion").at("/spec/replicas").intValue()).isEqualTo(2);
        assertThat(install.get("Deployment", "pillion").at("/spec/strategy/rollingUpdate").toString())
                .isEqualTo("{\"maxUnavailable\":0,\"maxSurge\":1}");
    }

    @Test
    void theSettingsFileIsMountedReadAndAllowed() {
        List<String> arguments = install.container().path("args").valueStream().map(JsonNode::stringValue).toList();
        Main.commands(Map.of()).parseArgs(arguments.toArray(String[]::new));
        assertThat(arguments).containsExactly("run", "--config=/etc/pillion/settings/pillion.yaml");
        assertThat(install.container().at("/volumeMounts/0/mountPath").stringValue()).isEqualTo("/etc/pillion/settings");
        assertThat(install.pod().at("/spec/volumes/0/configMap/name").stringValue()).isEqualTo("pillion-settings");
        assertThat(install.container().at("/env/0/name").stringValue()).isEqualTo("POD_NAMESPACE");

        Config config = config(settingsOf(install.get("ConfigMap", "pillion-settings")).stringValue());

        assertThat(config.namespace()).as("follows the pod's namespace").isEqualTo(Install.NAMESPACE);
        assertThat(config.injection()).isEqualTo(defaults.injection());
        install.webhooks().forEach(w -> assertThat(config.admission().deadline()).as(Json.text(w, "name"))
                .isLessThan(Duration.ofSeconds(w.path("timeoutSeconds").intValue())));
    }

    @Test
    void rightsAreBoundToTheAccountThatRunsAndNameWhatTheyGive() {
        assertThat(install.pod().at("/spec/serviceAccountName").stringValue()).isEqualTo("pillion");
        Install all = new Install(Stream.concat(install.objects().stream(),
                Install.resources(Install.FOLDER.resolve("components").resolve("outside")).stream()).toList());
        Stream.concat(all.all("RoleBinding"), all.all("ClusterRoleBinding")).forEach(binding -> {
            assertThat(binding.path("subjects").toString()).isEqualTo(
                    "[{\"kind\":\"ServiceAccount\",\"name\":\"pillion\",\"namespace\":\"" + Install.NAMESPACE + "\"}]");
            all.get(binding.at("/roleRef/kind").stringValue(), binding.at("/roleRef/name").stringValue());
        });
        Stream.concat(all.all("Role"), all.all("ClusterRole")).flatMap(r -> r.path("rules").valueStream()).forEach(rule -> {
            assertThat(rule.toString()).doesNotContain("*", "escalate", "impersonate", "deletecollection", "nonResourceURLs");
            if (rule.path("resources").toString().contains("secrets")) {
                assertThat(rule.has("resourceNames") || rule.path("verbs").toString().equals("[\"create\"]")).as(rule.toString()).isTrue();
            }
        });
        assertThat(all.all("ClusterRole").flatMap(r -> r.path("rules").valueStream()).map(r -> r.path("resources").toString()))
                .noneMatch(r -> r.contains("secrets"));
    }

    @Test
    void conversionAndWebhooksCallTheService() {
        Stream<JsonNode> callers = Stream.concat(install.webhooks().map(w -> w.path("clientConfig")),
                Stream.of(install.get("CustomResourceDefinition", "sidecarsets.apps.kruise.io")
                        .at("/spec/conversion/webhook/clientConfig")));
        assertThat(callers).allSatisfy(c -> {
            assertThat(c.propertyNames()).as("caBundle is the controller's").containsExactly("service");
            assertThat(c.at("/service/name").stringValue()).isEqualTo(Controller.SERVICE);
            assertThat(c.at("/service/namespace").stringValue()).isEqualTo(Install.NAMESPACE);
        });
    }

    @Test
    void componentsTakeAFeatureAndItsRightsAway() {
        Config without = config(component("no-launch-priority"), "pillion-launch-priority", "ClusterRole", "ClusterRoleBinding");
        assertThat(without.injection().launchPriority()).isEqualTo(Config.LaunchPriority.OFF);

        List<ObjectNode> external = component("external-certs");
        Config elsewhere = config(external, "pillion-certificates", "ClusterRole", "ClusterRoleBinding", "Role", "RoleBinding");
        assertThat(elsewhere.certs().source()).isEqualTo(Config.Source.EXTERNAL);
        JsonNode pod = deployment(external).at("/spec/template/spec");
        assertThat(pod.at("/containers/0/volumeMounts/0/mountPath").stringValue()).isEqualTo(elsewhere.certs().directory().toString());
        assertThat(pod.at("/volumes/0/name")).isEqualTo(pod.at("/containers/0/volumeMounts/0/name"));
    }

    private static List<ObjectNode> component(String name) {
        return Install.kustomization(Install.FOLDER.resolve("components").resolve(name)).path("patches").valueStream()
                .map(p -> Json.text(p, "patch")).map(InstallManifestsTest::yaml).toList();
    }

    private static ObjectNode deployment(List<ObjectNode> patches) {
        return patches.stream().filter(p -> Json.text(p, "kind").equals("Deployment")).findFirst().orElseThrow();
    }

    /** The settings that a component's variables lead to, after it has deleted these kinds of that name, which are there. */
    private Config config(List<ObjectNode> patches, String name, String... kinds) {
        List<ObjectNode> deleted = patches.stream().filter(p -> Json.text(p, "$patch").equals("delete")).toList();
        assertThat(deleted.stream().map(p -> Json.text(p, "kind"))).containsExactlyInAnyOrder(kinds);
        assertThat(deleted).allSatisfy(p -> {
            assertThat(Install.name(p)).isEqualTo(name);
            assertThat(Install.namespace(p)).isEqualTo(Install.namespace(install.get(Json.text(p, "kind"), name)));
        });
        Map<String, String> environment = deployment(patches).at("/spec/template/spec/containers/0/env").valueStream()
                .collect(Collectors.toMap(e -> Json.text(e, "name"), e -> Json.text(e, "value")));
        String file = settingsOf(install.get("ConfigMap", "pillion-settings")).stringValue();
        return ((Reading.Loaded) ConfigReader.read(Map.of(), environment, "pillion.yaml", file)).config();
    }

    private static ObjectNode yaml(String text) {
        return (ObjectNode) YAMLMapper.shared().readTree(text);
    }

    @Test
    void theMonitorSelectsTheMetricsService() {
        ObjectNode monitor = Install.resources(Install.FOLDER.resolve("components").resolve("monitoring")).getFirst();
        JsonNode metrics = install.get("Service", "pillion-metrics");
        assertThat(metrics.at("/metadata/labels").properties()).containsAll(monitor.at("/spec/selector/matchLabels").properties());
        assertThat(monitor.at("/spec/endpoints/0/port")).isEqualTo(metrics.at("/spec/ports/0/name"));
        assertThat(install.get("Service", Controller.SERVICE).at("/metadata/labels").has("app.kubernetes.io/component"))
                .as("one Service only, else everything is scraped twice").isFalse();
        assertThat(Install.namespace(monitor)).isEqualTo(Install.NAMESPACE);
    }
}
