package dev.pillion.app;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Base64;
import java.util.HashMap;
import java.util.Map;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import io.fabric8.kubernetes.client.Config;

import dev.pillion.it.Cluster;
import dev.pillion.it.Eventually;
import dev.pillion.it.OnEveryCluster;
import dev.pillion.sandbox.FreePorts;

/**
 * Without a kubeconfig the controller takes what a Pod is given: address and port in variables, token and CA as files, its namespace, and
 * a variable for each Service of the namespace, which are no settings. Only where the files lie is told, as tests cannot put them there.
 */
@OnEveryCluster
final class InClusterIT {
    private final Cluster cluster;
    @TempDir
    private Path folder;

    InClusterIT(Cluster cluster) {
        this.cluster = cluster;
    }

    @Test
    void aPodNeedsNoKubeconfig() throws Exception {
        Scenario.prepare(cluster);
        String own = cluster.newNamespace("own");
        Config account = Config.fromKubeconfig(cluster.controllerKubeconfig(own).toFile());
        URI server = URI.create(account.getMasterUrl());
        Path token = Files.writeString(folder.resolve("token"), String.valueOf(account.getAutoOAuthToken()));
        Path authority = Files.write(folder.resolve("ca.crt"), Base64.getDecoder().decode(account.getCaCertData()));
        Map<String, String> pod = new HashMap<>();
        pod.put("KUBERNETES_SERVICE_HOST", server.getHost());
        pod.put("KUBERNETES_SERVICE_PORT", Integer.toString(server.getPort()));
        pod.put("POD_NAMESPACE", own);
        pod.put("PILLION_WEBHOOK_SERVICE_SERVICE_HOST", "10.96.0.7");
        pod.put("PILLION_WEBHOOK_SERVICE_PORT", "tcp://10.96.0.7:443");
        pod.put("PILLION_METRICS_PORT_8080_TCP_ADDR", "10.96.0.8");
        pod.put("HOME", folder.toString());
        pod.put("KUBECONFIG", folder.resolve("none").toString());
        pod.put("JDK_JAVA_OPTIONS", "-Dkubernetes.auth.serviceAccount.token=" + token + " -Dkubernetes.certs.ca.file=" + authority
                + " -Duser.home=" + folder);
        Path settings = Files.writeString(folder.resolve("pillion.yaml"), Install.base().get("ConfigMap", "pillion-settings")
                .at("/data/pillion.yaml").stringValue());

        try (PillionProcess controller = PillionProcess.start(pod, "run", "--config=" + settings,
                "--admission.port=" + FreePorts.next(), "--metrics.port=0"); var users = cluster.client()) {
            controller.awaitOutput("Pillion is ready");

            Eventually.until("the certificate lies in the pod's namespace",
                    () -> users.secrets().inNamespace(own).withName("pillion-webhook-certs").get() != null);
            assertThat(controller.terminate()).as(controller.output()).isZero();
        }
    }
}
