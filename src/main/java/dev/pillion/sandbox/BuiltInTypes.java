package dev.pillion.sandbox;

import static dev.pillion.sandbox.ResourceType.Scope.CLUSTER;
import static dev.pillion.sandbox.ResourceType.Scope.NAMESPACED;
import static dev.pillion.sandbox.ResourceType.Subresource.BINDING;
import static dev.pillion.sandbox.ResourceType.Subresource.EPHEMERAL_CONTAINERS;
import static dev.pillion.sandbox.ResourceType.Subresource.EVICTION;
import static dev.pillion.sandbox.ResourceType.Subresource.FINALIZE;
import static dev.pillion.sandbox.ResourceType.Subresource.RESIZE;
import static dev.pillion.sandbox.ResourceType.Subresource.SCALE;
import static dev.pillion.sandbox.ResourceType.Subresource.STATUS;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;

import dev.pillion.sandbox.ResourceType.Origin;
import dev.pillion.sandbox.ResourceType.Scope;
import dev.pillion.sandbox.ResourceType.Subresource;
import dev.pillion.sandbox.TypeRegistry.Served;

/** The types that are there without any CustomResourceDefinition. */
final class BuiltInTypes {
    private static final String ADMISSION = "admissionregistration.k8s.io";
    private static final String RBAC = "rbac.authorization.k8s.io";
    private final List<Served> types = new ArrayList<>();

    private BuiltInTypes() {
    }

    static List<Served> all() {
        BuiltInTypes builtIn = new BuiltInTypes();
        builtIn.core();
        builtIn.groups();
        return List.copyOf(builtIn.types);
    }

    private void core() {
        add("", "Pod", "pods", "po", NAMESPACED, new PodRules(), STATUS, BINDING, EVICTION, EPHEMERAL_CONTAINERS, RESIZE);
        add("", "Namespace", "namespaces", "ns", CLUSTER, new NamespaceRules(), STATUS, FINALIZE);
        add("", "Node", "nodes", "no", CLUSTER, new NodeRules(), STATUS);
        add("", "ConfigMap", "configmaps", "cm", NAMESPACED, PlainRules.unconditional(List.of()));
        add("", "Secret", "secrets", "", NAMESPACED, new SecretRules());
        add("", "Service", "services", "svc", NAMESPACED, new ServiceRules(), STATUS);
        add("", "ServiceAccount", "serviceaccounts", "sa", NAMESPACED, PlainRules.answering());
        add("", "Event", "events", "ev", NAMESPACED, new EventRules(EventRules.Shape.CORE));
    }

    private void groups() {
        add("apps", "Deployment", "deployments", "deploy", NAMESPACED, new WorkloadRules(WorkloadRules.Form.DEPLOYMENT), STATUS, SCALE);
        add("apps", "ReplicaSet", "replicasets", "rs", NAMESPACED, new WorkloadRules(WorkloadRules.Form.REPLICA_SET), STATUS, SCALE);
        add("apps", "StatefulSet", "statefulsets", "sts", NAMESPACED, new WorkloadRules(WorkloadRules.Form.STATEFUL_SET), STATUS, SCALE);
        add("apps", "DaemonSet", "daemonsets", "ds", NAMESPACED, new WorkloadRules(WorkloadRules.Form.DAEMON_SET), STATUS);
        add("apps", "ControllerRevision", "controllerrevisions", "", NAMESPACED, new RevisionRules());
        add("coordination.k8s.io", "Lease", "leases", "", NAMESPACED, new LeaseRules());
        types.add(new Served(
                new ResourceType("events.k8s.io", List.of("v1"), "v1", "Event", "EventList", "events", "event", List.of("ev"), List.of(),
                        NAMESPACED, Origin.BUILT_IN, Set.of(), "events"),
                new EventRules(EventRules.Shape.EVENTS_GROUP)));
        add(ADMISSION, "MutatingWebhookConfiguration", "mutatingwebhookconfigurations", "", CLUSTER,
                new WebhookConfigRules(WebhookConfigRules.Form.MUTATING));
        add(ADMISSION, "ValidatingWebhookConfiguration", "validatingwebhookconfigurations", "", CLUSTER,
                new WebhookConfigRules(WebhookConfigRules.Form.VALIDATING));
        add("apiextensions.k8s.io", "CustomResourceDefinition", "customresourcedefinitions", "crd", CLUSTER, new DefinitionRules(), STATUS);
        add(RBAC, "ClusterRole", "clusterroles", "", CLUSTER, PlainRules.unconditional(List.of()));
        add(RBAC, "ClusterRoleBinding", "clusterrolebindings", "", CLUSTER, PlainRules.unconditional(List.of()));
        add(RBAC, "Role", "roles", "", NAMESPACED, PlainRules.unconditional(List.of()));
        add(RBAC, "RoleBinding", "rolebindings", "", NAMESPACED, PlainRules.unconditional(List.of()));
        add("networking.k8s.io", "NetworkPolicy", "networkpolicies", "netpol", NAMESPACED, PlainRules.unconditional(List.of()));
        add("policy", "PodDisruptionBudget", "poddisruptionbudgets", "pdb", NAMESPACED, PlainRules.counted(), STATUS);
    }

    private void add(String group, String kind, String plural, String shortName, Scope scope, TypeRules rules,
            Subresource... subresources) {
        List<String> shortNames = shortName.isEmpty() ? List.of() : shortName.equals("crd") ? List.of("crd", "crds") : List.of(shortName);
        boolean shownByAll = Set.of("pods", "services", "deployments", "replicasets", "statefulsets", "daemonsets").contains(plural);
        List<String> categories = shownByAll ? List.of("all") : group.equals(ADMISSION) ? List.of("api-extensions") : List.of();
        String store = group.isEmpty() ? plural : plural + "." + group;
        types.add(new Served(
                new ResourceType(group, List.of("v1"), "v1", kind, kind + "List", plural, kind.toLowerCase(java.util.Locale.ROOT),
                        shortNames,
                        categories, scope, Origin.BUILT_IN, Set.of(subresources), store),
                rules));
    }
}
