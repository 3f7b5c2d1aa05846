package dev.pillion.check;

import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;

import dev.pillion.api.PodKey;
import dev.pillion.api.Revision;
import dev.pillion.api.SidecarSet;
import dev.pillion.explain.WebhookEntry;

import tools.jackson.databind.node.ObjectNode;

/** All that is judged, read at about one moment. */
public record ClusterFacts(Front front, Own own, Contents contents) {

    /**
     * What the API server is told about webhooks.
     *
     * @param definition the CustomResourceDefinition of SidecarSets
     * @param mutating all MutatingWebhookConfigurations
     * @param validating all ValidatingWebhookConfigurations
     * @param services the Services of {@link #servicesOf}, and whether each exists
     * @param namespaceLabels labels of the controller's own namespace
     */
    public record Front(Known<Optional<ObjectNode>> definition, Known<List<ObjectNode>> mutating, Known<List<ObjectNode>> validating,
            Map<ServiceName, Known<Boolean>> services, Known<Map<String, String>> namespaceLabels) {
        public Front {
            services = Map.copyOf(services);
        }

        /** Whether the webhooks are asked at a URL, for which the controller needs more rights. */
        public boolean isServedOutside() {
            return mutating.orElse(List.of()).stream().flatMap(Configured::all)
                    .anyMatch(w -> w.isOurs() && w.entry().uri().isPresent());
        }
    }

    /** A Service that webhooks name. */
    public record ServiceName(String namespace, String name) {
        @Override
        public String toString() {
            return namespace + "/" + name;
        }
    }

    /**
     * What belongs to controllers.
     *
     * @param certificates PEM texts of the certificates in the shared Secret, by its keys; no private keys. Empty: no Secret
     * @param leases those of Pillion's slots and of OpenKruise's manager
     */
    public record Own(Known<Optional<Map<String, String>>> certificates, Known<List<HeldLease>> leases, Known<AskedRights> rights) {
    }

    /** A Lease that says who works. holder: "" for nobody. */
    public record HeldLease(String name, String holder, Optional<Instant> renewed, long seconds) {
    }

    /** What the authorizer said. user: whose rights these are, as a part of a sentence. */
    public record AskedRights(String user, List<Right> missing) {
        public AskedRights {
            missing = List.copyOf(missing);
        }
    }

    /**
     * Sets, Pods and what belongs to them.
     *
     * @param pods those that have anything to do with sidecars
     * @param barriers whether the ConfigMap of a Pod's launch barriers exists, as far as that was asked
     * @param others names of objects of OpenKruise's other kinds, those that are served
     */
    public record Contents(Known<List<SidecarSet>> sets, Known<List<Revision>> revisions, Known<List<PodFacts>> pods,
            Map<PodKey, Known<Boolean>> barriers, Map<OtherKind, Known<List<String>>> others) {
        public Contents {
            barriers = Map.copyOf(barriers);
            others = Map.copyOf(others);
        }
    }

    /** The Services behind the conversion of SidecarSets and behind the webhooks that concern them: whether they exist is a fact to be read. */
    public static Set<ServiceName> servicesOf(Optional<ObjectNode> definition, List<ObjectNode> configurations) {
        Set<ServiceName> services = new TreeSet<>((a, b) -> a.toString().compareTo(b.toString()));
        Stream<WebhookEntry> conversion = definition.stream().map(Configured::conversion);
        Stream<WebhookEntry> webhooks = configurations.stream().flatMap(Configured::all).filter(Configured::concernsSidecars)
                .map(Configured::entry);
        Stream.concat(conversion, webhooks).forEach(e -> service(e).ifPresent(services::add));
        return services;
    }

    static Optional<ServiceName> service(WebhookEntry entry) {
        return entry.serviceName().isEmpty()
                ? Optional.empty()
                : Optional.of(new ServiceName(entry.serviceNamespace(), entry.serviceName()));
    }
}
