package dev.pillion.sim;

import java.io.ByteArrayInputStream;
import java.time.Clock;
import java.time.temporal.ChronoUnit;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

import io.fabric8.kubernetes.api.model.BindingBuilder;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.DeleteOptions;
import io.fabric8.kubernetes.api.model.DeleteOptionsBuilder;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.http.HttpClient;
import io.fabric8.kubernetes.client.http.HttpRequest;
import io.fabric8.kubernetes.client.http.HttpResponse;

import dev.pillion.sim.SimPod.ConfigKey;

/** The requests of the simulators that need an exact form. Blocking. */
final class SimApi {
    private static final int NOT_FOUND = 404;
    private static final int CONFLICT = 409;
    private static final String STRATEGIC = "application/strategic-merge-patch+json";

    private final KubernetesClient client;
    private final Clock clock;

    SimApi(KubernetesClient client, Clock clock) {
        this.client = client;
        this.clock = clock;
    }

    KubernetesClient client() {
        return client;
    }

    /** The time as Kubernetes writes it. */
    String now() {
        return clock.instant().truncatedTo(ChronoUnit.SECONDS).toString();
    }

    void bind(SimPod pod, String node) {
        var binding = new BindingBuilder().withNewMetadata().withName(pod.name()).withNamespace(pod.namespace()).withUid(pod.uid())
                .endMetadata().withNewTarget().withApiVersion("v1").withKind("Node").withName(node).endTarget().build();
        client.raw(path(pod.namespace(), pod.name()) + "/binding", "POST", binding);
    }

    Pod patchStatus(SimPod pod) {
        String body = client.getKubernetesSerialization().asJson(PodStatusPatch.of(pod));
        byte[] answer = patch(path(pod.namespace(), pod.name()) + "/status", body);
        return client.getKubernetesSerialization().unmarshal(new ByteArrayInputStream(answer), Pod.class);
    }

    /** The client's own patch reads the object first, which doubles the server's work. */
    private byte[] patch(String path, String body) {
        HttpClient http = client.getHttpClient();
        String server = client.getMasterUrl().toString().replaceAll("/$", "");
        HttpRequest request = http.newHttpRequestBuilder().uri(server + path).method("PATCH", STRATEGIC, body)
                .timeout(client.getConfiguration().getRequestTimeout(), TimeUnit.MILLISECONDS).build();
        try {
            HttpResponse<byte[]> answer = http.sendAsync(request, byte[].class).get(2L * client.getConfiguration().getRequestTimeout(),
                    TimeUnit.MILLISECONDS);
            if (!answer.isSuccessful()) {
                throw new KubernetesClientException("PATCH " + path + ": HTTP " + answer.code(), answer.code(), null);
            }
            return answer.body();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new KubernetesClientException("interrupted", e);
        } catch (ExecutionException | TimeoutException e) {
            throw new KubernetesClientException("PATCH " + path + " failed: " + e, e);
        }
    }

    /** Those of the keys that a ConfigMap of the namespace has. */
    Set<ConfigKey> configured(String namespace, Set<ConfigKey> keys) {
        Map<String, Set<String>> read = new HashMap<>();
        Set<ConfigKey> found = new HashSet<>(keys);
        found.removeIf(k -> !read.computeIfAbsent(k.configMap(), name -> keysOf(namespace, name)).contains(k.key()));
        return found;
    }

    private Set<String> keysOf(String namespace, String name) {
        ConfigMap map = client.configMaps().inNamespace(namespace).withName(name).get();
        return map == null || map.getData() == null ? Set.of() : map.getData().keySet();
    }

    /** Removes a Pod whose containers have ended. */
    void remove(SimPod pod) {
        delete(path(pod.namespace(), pod.name()), options(pod.uid()).withGracePeriodSeconds(0L).build());
    }

    /** Deletes an object, if it is still the one of that uid. Whoever is gone already is fine. */
    void delete(String path, String uid) {
        delete(path, options(uid).withPropagationPolicy("Background").build());
    }

    private void delete(String path, DeleteOptions options) {
        try {
            client.raw(path, "DELETE", options);
        } catch (KubernetesClientException e) {
            if (!isGone(e)) {
                throw e;
            }
        }
    }

    private static DeleteOptionsBuilder options(String uid) {
        return new DeleteOptionsBuilder().withNewPreconditions().withUid(uid).endPreconditions();
    }

    /** The object is not there, or is another of the same name. */
    static boolean isGone(KubernetesClientException e) {
        return e.getCode() == NOT_FOUND || e.getCode() == CONFLICT;
    }

    static String path(String namespace, String pod) {
        return "/api/v1/namespaces/" + namespace + "/pods/" + pod;
    }
}
