package dev.pillion.app;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.charset.StandardCharsets;
import java.security.SecureRandom;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Optional;

import org.junit.jupiter.api.Test;

import dev.pillion.certs.CertMaker;
import dev.pillion.it.Cluster;
import dev.pillion.it.Helm;
import dev.pillion.it.Kubectl;
import dev.pillion.it.OnEveryCluster;

/** A release from its install to its end. No pod runs here, so webhooks that nobody answers are ignored where a set is written. */
@OnEveryCluster
final class HelmIT {
    private static final String SET = """
            apiVersion: apps.kruise.io/v1beta1
            kind: SidecarSet
            metadata: {name: kept}
            spec:
              selector: {matchLabels: {app: kept}}
              containers: [{name: log, image: "registry.example/log:1"}]
            """;
    private static final List<String> CONFIGURATIONS = List.of("mutatingwebhookconfiguration/pillion-mutating-webhook-configuration",
            "validatingwebhookconfiguration/pillion-validating-webhook-configuration");

    private final Cluster cluster;
    private final Kubectl kubectl;

    HelmIT(Cluster cluster) {
        this.cluster = cluster;
        this.kubectl = cluster.kubectl();
    }

    private Helm.Answer helm(String... arguments) {
        List<String> command = new ArrayList<>(List.of("--kubeconfig", cluster.kubeconfig().toString(), "-n", Install.NAMESPACE));
        command.addAll(List.of(arguments));
        return Helm.find().orElseThrow().run(command.toArray(String[]::new));
    }

    @Test
    void aReleaseKeepsWhatTheControllerWroteAndLeavesTheSets() {
        Optional<Helm> helm = Helm.find();
        assumeTrue(helm.isPresent() && Kubectl.present(), "helm or kubectl lacks");
        String chart = Install.FOLDER.resolve("chart").toString();
        Helm.Answer installed = helm("install", "pillion", chart, "--create-namespace", "--set", "webhooks.failurePolicy=Ignore", "--set",
                "webhooks.timeoutSeconds=1");
        assumeTrue(!installed.err().contains("unknown format"), "the sandbox takes no protobuf, which helm sends");
        assertThat(installed.ok()).contains("is installed in namespace kruise-system", "failurePolicy is Ignore");
        kubectl.with(SET, "apply", "-f", "-").ok();
        String caBundle = writeCaBundles();

        helm("upgrade", "pillion", chart, "--set", "replicas=3").ok();

        assertThat(read("deployment/pillion", "{.spec.replicas}")).isEqualTo("3");
        for (String configuration : CONFIGURATIONS) {
            assertThat(read(configuration, "{.webhooks[*].failurePolicy}").split(" ", -1)).as(configuration).containsOnly("Fail");
            assertThat(read(configuration, "{.webhooks[*].clientConfig.caBundle}").split(" ", -1)).as(configuration)
                    .containsOnly(caBundle);
        }
        assertThat(read("crd/sidecarsets.apps.kruise.io", "{.spec.conversion.webhook.clientConfig.caBundle}")).isEqualTo(caBundle);

        helm("uninstall", "pillion").ok();

        assertThat(kubectl.run("get", "sidecarset", "kept", "-o", "name").ok()).contains("kept");
        assertThat(kubectl.run("get", "deployment,service,configmap,serviceaccount,role,rolebinding,poddisruptionbudget,networkpolicy,"
                + "mutatingwebhookconfiguration,validatingwebhookconfiguration,clusterrole,clusterrolebinding", "-n", Install.NAMESPACE,
                "-l",
                "app.kubernetes.io/name=pillion", "-o", "name").ok()).isEmpty();
    }

    private String read(String object, String path) {
        return kubectl.run("-n", Install.NAMESPACE, "get", object, "-o", "jsonpath=" + path).ok();
    }

    /** As the controller does. */
    private String writeCaBundles() {
        String pem = new CertMaker(new SecureRandom(), List.of("localhost")).fresh(Instant.now()).authority().certificatePem();
        String caBundle = Base64.getEncoder().encodeToString(pem.getBytes(StandardCharsets.US_ASCII));
        String entry = "{\"name\":\"%s\",\"clientConfig\":{\"caBundle\":\"" + caBundle + "\"}}";
        kubectl.run("patch", CONFIGURATIONS.get(0), "--type=strategic", "-p",
                "{\"webhooks\":[" + entry.formatted("mpod.kb.io") + "," + entry.formatted("msidecarset.kb.io") + "]}").ok();
        kubectl.run("patch", CONFIGURATIONS.get(1), "--type=strategic", "-p",
                "{\"webhooks\":[" + entry.formatted("vsidecarset.kb.io") + "]}").ok();
        kubectl.run("patch", "crd/sidecarsets.apps.kruise.io", "--type=merge", "-p",
                "{\"spec\":{\"conversion\":{\"webhook\":{\"clientConfig\":{\"caBundle\":\"" + caBundle + "\"}}}}}").ok();
        return caBundle;
    }
}
