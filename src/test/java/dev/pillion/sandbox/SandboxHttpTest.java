package dev.pillion.sandbox;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import io.fabric8.kubernetes.api.model.NamespaceBuilder;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.informers.ResourceEventHandler;

import dev.pillion.it.Eventually;

import tools.jackson.databind.JsonNode;

/** What only the sandbox can be asked: forgotten history, delays, bookmarks on demand, large numbers, HTTPS, the audit file. */
class SandboxHttpTest {
    private static final String PODS = "/api/v1/namespaces/default/pods";
    private final HttpClient http = HttpClient.newHttpClient();

    private HttpResponse<String> get(Sandbox sandbox, String path) throws Exception {
        return http.send(HttpRequest.newBuilder(URI.create(sandbox.url() + path)).build(), HttpResponse.BodyHandlers.ofString());
    }

    private static KubernetesClient client(Sandbox sandbox) {
        Config config = Config.fromKubeconfig(sandbox.kubeconfig("tester"));
        config.setRequestRetryBackoffLimit(0);
        return new KubernetesClientBuilder().withConfig(config).build();
    }

    private static Pod pod(String name) {
        return new PodBuilder().withNewMetadata().withName(name).withNamespace("default").endMetadata().withNewSpec().addNewContainer()
                .withName("main").withImage("nginx:1").endContainer().endSpec().build();
    }

    @Test
    void forgottenHistoryIsAnErrorEventForWatchesAnd410ForLists() throws Exception {
        try (Sandbox sandbox = Sandbox.start(SandboxOptions.defaults()); KubernetesClient client = client(sandbox)) {
            for (int i = 0; i < 3; i++) {
                client.resource(pod("p" + i)).create();
            }
            JsonNode page = Trees.MAPPER.readTree(get(sandbox, PODS + "?limit=1").body());
            String old = Trees.text(page, "metadata", "resourceVersion");
            client.resource(pod("p9")).create();
            sandbox.forgetHistory("pods");

            HttpResponse<String> watch = get(sandbox, PODS + "?watch=1&resourceVersion=" + old);
            HttpResponse<String> exact = get(sandbox, PODS + "?resourceVersionMatch=Exact&resourceVersion=" + old);
            HttpResponse<String> next = get(sandbox, PODS + "?limit=1&continue=" + Trees.text(page, "metadata", "continue"));

            assertThat(watch.statusCode()).isEqualTo(200);
            JsonNode event = Trees.MAPPER.readTree(watch.body());
            assertThat(Trees.text(event, "type")).isEqualTo("ERROR");
            assertThat(Trees.at(event, "object", "code").intValue()).isEqualTo(410);
            assertThat(List.of(exact.statusCode(), next.statusCode())).containsExactly(410, 410);
            String fresh = Trees.text(Trees.MAPPER.readTree(next.body()), "metadata", "continue");
            JsonNode rest = Trees.MAPPER.readTree(get(sandbox, PODS + "?continue=" + fresh).body());
            assertThat(rest.path("items").size()).isEqualTo(3);
        }
    }

    @Test
    void bookmarksComeWhenSomethingMovedAndHaveNullContainers() throws Exception {
        try (Sandbox sandbox = Sandbox.start(SandboxOptions.defaults()); KubernetesClient client = client(sandbox)) {
            String start = client.resource(pod("a")).create().getMetadata().getResourceVersion();
            client.configMaps().inNamespace("default").resource(new io.fabric8.kubernetes.api.model.ConfigMapBuilder().withNewMetadata()
                    .withName("other").endMetadata().build()).create();
            String query = "?watch=1&timeoutSeconds=3&resourceVersion=";

            List<String> moved = get(sandbox, PODS + query + start + "&allowWatchBookmarks=true&fieldSelector=metadata.name%3Dnone").body()
                    .lines().toList();

            assertThat(moved).hasSize(1);
            JsonNode bookmark = Trees.MAPPER.readTree(moved.getFirst());
            assertThat(Trees.text(bookmark, "type")).isEqualTo("BOOKMARK");
            assertThat(Trees.at(bookmark, "object", "spec", "containers").isNull()).isTrue();
            assertThat(Long.parseLong(Trees.text(bookmark, "object", "metadata", "resourceVersion"))).isGreaterThan(Long.parseLong(start));
        }
    }

    @Test
    void holdsBackWatchEvents() throws Exception {
        SandboxOptions slow = SandboxOptions.defaults().withWatchDelay(Duration.ofMinutes(5));
        try (Sandbox sandbox = Sandbox.start(slow); KubernetesClient client = client(sandbox)) {
            String before = client.namespaces().withName("default").get().getMetadata().getResourceVersion();
            client.resource(pod("a")).create();

            assertThat(get(sandbox, PODS + "?watch=1&timeoutSeconds=1&resourceVersion=" + before).body()).isEmpty();
            assertThat(Trees.MAPPER.readTree(get(sandbox, PODS).body()).path("items").size()).isEqualTo(1);
        }
    }

    @Test
    void tenThousandPodsReachAnInformerAndPages() throws Exception {
        int pods = 10_000;
        try (Sandbox sandbox = Sandbox.start(SandboxOptions.defaults().withAuditLimit(10)); KubernetesClient client = client(sandbox)) {
            try (var threads = java.util.concurrent.Executors.newThreadPerTaskExecutor(Thread.ofVirtual().factory())) {
                for (int worker = 0; worker < 8; worker++) {
                    int first = worker;
                    threads.execute(() -> {
                        for (int i = first; i < pods; i += 8) {
                            client.resource(pod("p" + i)).create();
                        }
                    });
                }
            }
            ConcurrentHashMap<String, String> seen = new ConcurrentHashMap<>();
            try (var informer = client.pods().inNamespace("default").withLimit(500L).inform(new ResourceEventHandler<Pod>() {
                @Override
                public void onAdd(Pod pod) {
                    seen.put(pod.getMetadata().getName(), pod.getMetadata().getResourceVersion());
                }

                @Override
                public void onUpdate(Pod old, Pod pod) {
                    onAdd(pod);
                }

                @Override
                public void onDelete(Pod pod, boolean unknown) {
                    seen.remove(pod.getMetadata().getName());
                }
            })) {
                assertThat(informer.hasSynced()).isTrue();
                Eventually.until("the informer has all pods", () -> seen.size() == pods);
            }
            assertThat(sandbox.audit().count()).isEqualTo(pods);
            assertThat(sandbox.audit().lines()).hasSize(10);
            assertThat(client.pods().inNamespace("default").list().getItems()).hasSize(pods);
        }
    }

    @Test
    void theAuditFileNamesUserVerbAndObjects(@TempDir Path folder) throws Exception {
        Path file = folder.resolve("audit.log");
        SandboxOptions options = SandboxOptions.defaults().withTransport(SandboxOptions.Transport.HTTPS).withAuditFile(file);
        try (Sandbox sandbox = Sandbox.start(options); KubernetesClient client = client(sandbox)) {
            client.resource(pod("a")).create();
            assertThat(sandbox.url()).startsWith("https://127.0.0.1:");
        }
        JsonNode event = Trees.MAPPER.readTree(Files.readAllLines(file).getLast());
        assertThat(Trees.text(event, "apiVersion") + " " + Trees.text(event, "level") + " " + Trees.text(event, "stage"))
                .isEqualTo("audit.k8s.io/v1 RequestResponse ResponseComplete");
        assertThat(Trees.text(event, "user", "username")).isEqualTo("tester");
        assertThat(
                Trees.text(event, "verb") + " " + Trees.text(event, "objectRef", "resource") + " " + Trees.text(event, "objectRef", "name"))
                .isEqualTo("create pods a");
        assertThat(Trees.at(event, "responseStatus", "code").intValue()).isEqualTo(201);
        assertThat(Trees.text(event, "requestObject", "metadata", "uid")).isEmpty();
        assertThat(Trees.text(event, "responseObject", "metadata", "uid")).isNotEmpty();
    }

    @Test
    void emptiesANamespaceAndLetsItGo() {
        try (Sandbox sandbox = Sandbox.start(SandboxOptions.defaults()); KubernetesClient client = client(sandbox)) {
            client.resource(new NamespaceBuilder().withNewMetadata().withName("n").endMetadata().build()).create();
            Pod pod = pod("a");
            pod.getMetadata().setNamespace("n");
            client.resource(pod).create();
            client.namespaces().withName("n").delete();

            Eventually.until("the namespace is gone", () -> client.namespaces().withName("n").get() == null);
            assertThat(client.pods().inNamespace("n").list().getItems()).isEmpty();
        }
    }
}
