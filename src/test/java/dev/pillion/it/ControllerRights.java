package dev.pillion.it;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.ServiceAccount;
import io.fabric8.kubernetes.api.model.authorization.v1.SubjectAccessReview;
import io.fabric8.kubernetes.api.model.authorization.v1.SubjectAccessReviewBuilder;
import io.fabric8.kubernetes.api.model.rbac.ClusterRole;
import io.fabric8.kubernetes.api.model.rbac.PolicyRule;
import io.fabric8.kubernetes.api.model.rbac.Role;
import io.fabric8.kubernetes.client.KubernetesClient;

import tools.jackson.databind.JsonNode;

/**
 * The rights that k8s/ gives the controller's service account, brought into a test's cluster word for word; only the own namespace
 * is the test's. With those of components/outside, since controllers of tests run outside the cluster.
 */
final class ControllerRights {
    static final String USER = "system:serviceaccount:kruise-system:pillion";
    static final List<String> GROUPS = List.of("system:serviceaccounts", "system:serviceaccounts:kruise-system");
    private static final List<Path> MANIFESTS = List.of(Path.of("k8s", "controller", "rbac.yaml"),
            Path.of("k8s", "controller", "rbac-certificates.yaml"),
            Path.of("k8s", "controller", "rbac-launch-priority.yaml"), Path.of("k8s", "components", "outside", "rbac.yaml"));
    private static final String LABEL = "app.kubernetes.io/name";

    private ControllerRights() {
    }

    static void grant(KubernetesClient admin, String ownNamespace) {
        manifests(admin, ownNamespace).forEach(object -> admin.resource(object).createOr(known -> known.update()));
    }

    /** The authorizer learns of new rights a moment after they are stored. */
    static void awaitEffect(KubernetesClient admin, String ownNamespace) {
        for (HasMetadata object : manifests(admin, ownNamespace)) {
            if (object instanceof ClusterRole role) {
                role.getRules().forEach(rule -> await(admin, rule, ""));
            } else if (object instanceof Role role) {
                role.getRules().forEach(rule -> await(admin, rule, ownNamespace));
            }
        }
    }

    static void withdraw(KubernetesClient admin) {
        admin.rbac().clusterRoleBindings().withLabel(LABEL, "pillion").delete();
        admin.rbac().clusterRoles().withLabel(LABEL, "pillion").delete();
    }

    static boolean isAskedByController(JsonNode auditEvent) {
        return auditEvent.at("/user/username").stringValue("").equals(USER);
    }

    /** What the authorizer did not allow, one sentence each. */
    static List<String> refused(List<JsonNode> auditEvents) {
        return auditEvents.stream().filter(e -> e.at("/annotations/authorization.k8s.io~1decision").stringValue("").equals("forbid"))
                .map(e -> e.path("verb").stringValue("") + " " + e.path("requestURI").stringValue("")).distinct().toList();
    }

    private static List<HasMetadata> manifests(KubernetesClient client, String ownNamespace) {
        List<HasMetadata> objects = new ArrayList<>();
        for (Path manifest : MANIFESTS) {
            try (InputStream in = Files.newInputStream(manifest)) {
                objects.addAll(client.load(in).items());
            } catch (IOException e) {
                throw new UncheckedIOException("the integration tests run in the project's folder", e);
            }
        }
        objects.removeIf(ServiceAccount.class::isInstance);
        objects.stream().filter(o -> o.getMetadata().getNamespace() != null).forEach(o -> o.getMetadata().setNamespace(ownNamespace));
        return objects;
    }

    private static void await(KubernetesClient admin, PolicyRule rule, String namespace) {
        for (String group : rule.getApiGroups()) {
            for (String resource : rule.getResources()) {
                for (String verb : rule.getVerbs()) {
                    SubjectAccessReview question = question(group, resource, verb, namespace,
                            rule.getResourceNames().stream().findFirst().orElse(""));
                    Eventually.until("the controller may " + verb + " " + resource, Duration.ofSeconds(10),
                            () -> admin.authorization().v1().subjectAccessReview().create(question).getStatus().getAllowed());
                }
            }
        }
    }

    private static SubjectAccessReview question(String group, String resource, String verb, String namespace, String name) {
        String[] parts = resource.split("/", 2);
        return new SubjectAccessReviewBuilder().withNewSpec().withUser(USER).withGroups(GROUPS).withNewResourceAttributes().withGroup(group)
                .withResource(parts[0]).withSubresource(parts.length > 1 ? parts[1] : "").withVerb(verb).withNamespace(namespace)
                .withName(name).endResourceAttributes().endSpec().build();
    }
}
