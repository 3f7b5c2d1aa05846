package dev.pillion.it;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.IntPredicate;
import java.util.stream.IntStream;

import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.Namespace;
import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinition;
import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinitionVersion;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import io.fabric8.kubernetes.client.dsl.base.ResourceDefinitionContext;

import dev.pillion.bench.RealApiServer;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** One test class's turn on the shared real server; closing it removes whatever the class made. */
final class RealCluster implements Cluster {
    private static final Set<String> KEPT = Set.of("default", "kube-system", "kube-public", "kube-node-lease");
    private static final List<ResourceDefinitionContext> NAMESPACED = List.of(namespaced("", "Pod", "pods"),
            namespaced("", "ConfigMap", "configmaps"), namespaced("", "Secret", "secrets"), namespaced("", "Service", "services"),
            namespaced("", "ServiceAccount", "serviceaccounts"), namespaced("", "Event", "events"),
            namespaced("apps", "Deployment", "deployments"), namespaced("apps", "ReplicaSet", "replicasets"),
            namespaced("apps", "ControllerRevision", "controllerrevisions"), namespaced("coordination.k8s.io", "Lease", "leases"),
            namespaced("policy", "PodDisruptionBudget", "poddisruptionbudgets"),
            namespaced("networking.k8s.io", "NetworkPolicy", "networkpolicies"),
            namespaced("rbac.authorization.k8s.io", "Role", "roles"),
            namespaced("rbac.authorization.k8s.io", "RoleBinding", "rolebindings"));
    private static final Set<String> SYSTEM = Set.of("kube-system", "kube-public");
    private static final Set<String> WRITES = Set.of("create", "update", "patch", "delete", "deletecollection");

    private final RealApiServer server;
    /** Where this class's part of the audit log begins: the log of a whole test run is long. */
    private final long auditBegin;
    private final List<String> granted = new ArrayList<>();
    /** Lines of the audit log while the server was away or did not know all rights yet: it refuses who comes too early. */
    private final List<Span> restarts = new ArrayList<>();

    private record Span(int from, int to) {
        boolean has(int line) {
            return from <= line && line < to;
        }
    }

    RealCluster(RealApiServer server) {
        this.server = server;
        this.auditBegin = server.auditLog().toFile().length();
    }

    @Override
    public String name() {
        return "real";
    }

    @Override
    public Path kubeconfig() {
        return server.kubeconfig(Clusters.ADMIN.name());
    }

    @Override
    public String kubeconfigText() {
        try {
            return Files.readString(server.kubeconfig(Clusters.ADMIN.name()));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public Path controllerKubeconfig(String ownNamespace) {
        try (KubernetesClient client = client()) {
            ControllerRights.grant(client, ownNamespace);
            ControllerRights.awaitEffect(client, ownNamespace);
        }
        granted.add(ownNamespace);
        return serviceAccountKubeconfig();
    }

    @Override
    public Path serviceAccountKubeconfig() {
        return server.kubeconfig(Clusters.CONTROLLER.name());
    }

    @Override
    public Path readerKubeconfig() {
        return server.kubeconfig(Clusters.READER.name());
    }

    @Override
    public List<JsonNode> auditLines() {
        return auditEvents().stream().filter(e -> WRITES.contains(e.path("verb").stringValue(""))).toList();
    }

    @Override
    public List<JsonNode> controllerRequests() {
        return auditEvents().stream().filter(ControllerRights::isAskedByController).toList();
    }

    private List<JsonNode> auditEvents() {
        return auditEvents(_ -> true);
    }

    private List<JsonNode> auditEvents(IntPredicate lines) {
        List<String> all = audit();
        return IntStream.range(0, all.size()).filter(lines).mapToObj(i -> JsonMapper.shared().readTree(all.get(i))).toList();
    }

    /** Complete lines only: the server may be writing the last one. */
    private List<String> audit() {
        try {
            if (!Files.exists(server.auditLog())) {
                return List.of();
            }
            try (InputStream in = Files.newInputStream(server.auditLog())) {
                in.skipNBytes(auditBegin);
                String text = new String(in.readAllBytes(), StandardCharsets.UTF_8);
                return text.substring(0, text.lastIndexOf('\n') + 1).lines().toList();
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public void stopServing() {
        restarts.add(new Span(audit().size(), Integer.MAX_VALUE));
        server.stopServing();
    }

    @Override
    public void serveAgain() {
        server.serveAgain();
        try (KubernetesClient client = client()) {
            granted.forEach(namespace -> ControllerRights.awaitEffect(client, namespace));
        }
        restarts.add(new Span(restarts.removeLast().from(), audit().size()));
    }

    @Override
    public void freezeStore() {
        server.freezeStore();
    }

    @Override
    public void thawStore() {
        server.thawStore();
    }

    @Override
    public void close() {
        List<String> refused = ControllerRights.refused(auditEvents(i -> restarts.stream().noneMatch(s -> s.has(i))).stream()
                .filter(ControllerRights::isAskedByController).toList());
        clear();
        if (!refused.isEmpty()) {
            throw new AssertionError("the shipped RBAC refused the controller: " + refused);
        }
    }

    private void clear() {
        try (KubernetesClient client = client()) {
            // Webhooks first: their servers are gone and they would refuse the rest.
            client.admissionRegistration().v1().mutatingWebhookConfigurations().delete();
            client.admissionRegistration().v1().validatingWebhookConfigurations().delete();
            for (CustomResourceDefinition type : client.apiextensions().v1().customResourceDefinitions().list().getItems()) {
                remove(client, type);
            }
            client.nodes().delete();
            ControllerRights.withdraw(client);
            for (ResourceDefinitionContext kind : NAMESPACED) {
                for (GenericKubernetesResource object : client.genericKubernetesResources(kind).inAnyNamespace().list().getItems()) {
                    if (isOurs(object)) {
                        removeNow(client, kind, object);
                    }
                }
            }
            for (Namespace namespace : client.namespaces().list().getItems()) {
                if (!KEPT.contains(namespace.getMetadata().getName())) {
                    finish(client, namespace);
                }
            }
        }
    }

    /** Leaves alone what the server itself keeps in its own namespaces. */
    private static boolean isOurs(GenericKubernetesResource object) {
        String namespace = object.getMetadata().getNamespace();
        String name = object.getMetadata().getName();
        return !SYSTEM.contains(namespace) && !name.equals("kubernetes");
    }

    private static void remove(KubernetesClient client, CustomResourceDefinition type) {
        CustomResourceDefinitionVersion stored = type.getSpec().getVersions().stream().filter(CustomResourceDefinitionVersion::getStorage)
                .findFirst().orElseThrow();
        // A conversion webhook that is gone would keep the objects from being listed and so from being removed.
        if (type.getSpec().getConversion() != null && "Webhook".equals(type.getSpec().getConversion().getStrategy())) {
            client.apiextensions().v1().customResourceDefinitions().withName(type.getMetadata().getName())
                    .patch(PatchContext.of(PatchType.JSON_MERGE),
                            "{\"spec\":{\"conversion\":{\"strategy\":\"None\",\"webhook\":null}}}");
        }
        ResourceDefinitionContext kind = new ResourceDefinitionContext.Builder().withGroup(type.getSpec().getGroup())
                .withVersion(stored.getName()).withKind(type.getSpec().getNames().getKind())
                .withPlural(type.getSpec().getNames().getPlural())
                .withNamespaced("Namespaced".equals(type.getSpec().getScope())).build();
        for (GenericKubernetesResource object : client.genericKubernetesResources(kind).list().getItems()) {
            removeNow(client, kind, object);
        }
        client.resource(type).delete();
        Eventually.until("CRD " + type.getMetadata().getName() + " is gone", () -> client.resource(type).get() == null);
    }

    private static void removeNow(KubernetesClient client, ResourceDefinitionContext kind, GenericKubernetesResource object) {
        var resource = client.genericKubernetesResources(kind).resource(object);
        if (!object.getFinalizers().isEmpty()) {
            resource.patch(PatchContext.of(PatchType.JSON_MERGE),
                    "{\"metadata\":{\"finalizers\":null}}");
        }
        resource.withGracePeriod(0).delete();
    }

    /** Does what the namespace controller would: no content is left, so the finalizer may go. */
    private static void finish(KubernetesClient client, Namespace namespace) {
        client.resource(namespace).delete();
        String name = namespace.getMetadata().getName();
        client.raw("/api/v1/namespaces/" + name + "/finalize", "PUT",
                "{\"apiVersion\":\"v1\",\"kind\":\"Namespace\",\"metadata\":{\"name\":\"" + name + "\"},\"spec\":{\"finalizers\":[]}}");
        Eventually.until("namespace " + name + " is gone", () -> client.namespaces().withName(name).get() == null);
    }

    private static ResourceDefinitionContext namespaced(String group, String kind, String plural) {
        return new ResourceDefinitionContext.Builder().withGroup(group).withVersion("v1").withKind(kind).withPlural(plural)
                .withNamespaced(true).build();
    }

    @Override
    public String toString() {
        return name();
    }
}
