package dev.pillion.cli;

import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.stream.Stream;

import dev.pillion.api.GoTime;
import dev.pillion.api.Json;
import dev.pillion.api.PodKey;
import dev.pillion.api.Wire;
import dev.pillion.check.CheckOptions;
import dev.pillion.check.ClusterFacts;
import dev.pillion.check.ClusterFacts.HeldLease;
import dev.pillion.check.ClusterFacts.ServiceName;
import dev.pillion.check.Known;
import dev.pillion.check.OtherKind;
import dev.pillion.check.PodFacts;
import dev.pillion.kube.ClusterReads;
import dev.pillion.kube.KubeClient;
import dev.pillion.kube.KubeException;
import dev.pillion.kube.Objects;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** Reads what "pillion check" judges. What may not be read becomes a fact, too; any other trouble ends the command. */
final class ClusterLook {
    private static final int FORBIDDEN = 403;
    private static final int NOT_FOUND = 404;
    /** So many Pods' ConfigMaps are looked for, one request each. */
    private static final int BARRIERS = 200;
    private static final String CONFIGURATIONS = "admissionregistration.k8s.io/v1";
    private static final String OTHER_NAMESPACE = "kruise-system";

    private final Objects objects;
    private final ClusterReads reads;
    private final KubeClient kube;
    private final CheckOptions options;

    ClusterLook(KubeClient kube, CheckOptions options) {
        this.kube = kube;
        this.objects = kube.objects();
        this.reads = kube.reads();
        this.options = options;
    }

    ClusterFacts facts() {
        ClusterFacts.Front front = front();
        return new ClusterFacts(front, own(front), contents());
    }

    private ClusterFacts.Front front() {
        Known<Optional<ObjectNode>> definition = ask("the CustomResourceDefinition of SidecarSets", "get customresourcedefinitions",
                () -> objects.get("apiextensions.k8s.io/v1", "CustomResourceDefinition", "", Wire.PLURAL + "." + Wire.GROUP));
        Known<List<ObjectNode>> mutating = configurations("MutatingWebhookConfiguration");
        Known<List<ObjectNode>> validating = configurations("ValidatingWebhookConfiguration");
        Map<ServiceName, Known<Boolean>> services = new HashMap<>();
        List<ObjectNode> all = Stream.of(mutating, validating).flatMap(k -> k.orElse(List.of()).stream()).toList();
        for (ServiceName name : ClusterFacts.servicesOf(definition.orElse(Optional.empty()), all)) {
            services.put(name, ask("Services behind webhooks", "get services in " + name.namespace(),
                    () -> objects.get("v1", "Service", name.namespace(), name.name()).isPresent()));
        }
        Known<Map<String, String>> labels = ask("the controller's own namespace", "get namespaces",
                () -> objects.get("v1", "Namespace", "", options.namespace()).map(n -> texts(n.path("metadata").path("labels")))
                        .orElse(Map.of()));
        return new ClusterFacts.Front(definition, mutating, validating, services, labels);
    }

    /** Items of a list do not name their kind. */
    private Known<List<ObjectNode>> configurations(String kind) {
        return ask("webhook configurations", "list " + kind.toLowerCase(Locale.ROOT) + "s",
                () -> reads.all(CONFIGURATIONS, kind, c -> c.put("kind", kind)));
    }

    private ClusterFacts.Own own(ClusterFacts.Front front) {
        Known<Optional<Map<String, String>>> certificates = switch (options.certificates()) {
            case OWN -> ask("the shared certificate", "get secrets " + CheckOptions.SECRET + " in " + options.namespace(),
                    () -> kube.sharedSecret(CheckOptions.SECRET).read().map(s -> certificatesOf(s.data())));
            case EXTERNAL -> Known.seen(Optional.empty());
        };
        Known<List<HeldLease>> leases = ask("Leases of controllers", "list leases in " + options.namespace(), this::leases);
        return new ClusterFacts.Own(certificates, leases,
                ask("rights of the controller", "get serviceaccounts in " + options.namespace() + " and create subjectaccessreviews",
                        () -> new RightsLook(objects, options).ask(front)));
    }

    /** Keys stay where they are. */
    private static Map<String, String> certificatesOf(Map<String, String> secret) {
        Map<String, String> certificates = new HashMap<>(secret);
        certificates.keySet().removeIf(key -> !key.endsWith(".crt"));
        return certificates;
    }

    private List<HeldLease> leases() {
        List<HeldLease> held = objects.list("coordination.k8s.io/v1", "Lease", options.namespace()).stream().map(ClusterLook::lease)
                .filter(l -> l.name().startsWith(CheckOptions.SLOT) || l.name().equals(CheckOptions.OTHER_MANAGER)).toList();
        return options.namespace().equals(OTHER_NAMESPACE)
                ? held
                : Stream.concat(held.stream(), objects.get("coordination.k8s.io/v1", "Lease", OTHER_NAMESPACE, CheckOptions.OTHER_MANAGER)
                        .map(ClusterLook::lease).stream()).toList();
    }

    private static HeldLease lease(ObjectNode raw) {
        JsonNode spec = raw.path("spec");
        return new HeldLease(Json.text(raw.path("metadata"), "name"), Json.text(spec, "holderIdentity"),
                GoTime.read(Json.text(spec, "renewTime")), spec.path("leaseDurationSeconds").asLong(0));
    }

    private ClusterFacts.Contents contents() {
        Known<List<PodFacts>> pods = ask("Pods", "list pods in all namespaces",
                () -> reads.all("v1", "Pod", PodFacts::of).stream().flatMap(Optional::stream).toList());
        Map<PodKey, Known<Boolean>> barriers = new HashMap<>();
        pods.orElse(List.of()).stream().filter(PodFacts::barriers).limit(BARRIERS).map(PodFacts::key).forEach(pod -> barriers.put(pod,
                ask("ConfigMaps of launch barriers", "get configmaps in all namespaces",
                        () -> objects.get("v1", "ConfigMap", pod.namespace(), pod.name() + "-barrier").isPresent())));
        return new ClusterFacts.Contents(ask("SidecarSets", "list sidecarsets", () -> ifServed(reads::sets).orElse(List.of())),
                ask("revisions", "list controllerrevisions in " + options.namespace(), reads::revisions), pods, barriers, others());
    }

    private Map<OtherKind, Known<List<String>>> others() {
        Map<OtherKind, Known<List<String>>> others = new LinkedHashMap<>();
        for (OtherKind kind : OtherKind.values()) {
            for (String version : List.of("v1beta1", "v1alpha1")) {
                if (!others.containsKey(kind)) {
                    Known<Optional<List<String>>> names = ask("objects of kind " + kind.kind() + "." + kind.group(),
                            "list them in all namespaces",
                            () -> ifServed(() -> reads.all(kind.group() + "/" + version, kind.kind(), ClusterLook::name)));
                    switch (names) {
                        case Known.Seen<Optional<List<String>>>(Optional<List<String>> value) ->
                            value.ifPresent(v -> others.put(kind, Known.seen(v)));
                        case Known.Hidden<Optional<List<String>>>(String what, String right, String why) ->
                            others.put(kind, new Known.Hidden<>(what, right, why));
                    }
                }
            }
        }
        return others;
    }

    private static String name(ObjectNode object) {
        JsonNode metadata = object.path("metadata");
        return Json.text(metadata, "namespace") + "/" + Json.text(metadata, "name");
    }

    /** Empty where the API server has no such kind. */
    private static <T> Optional<T> ifServed(Supplier<T> read) {
        try {
            return Optional.of(read.get());
        } catch (KubeException e) {
            if (e.code() != NOT_FOUND) {
                throw e;
            }
            return Optional.empty();
        }
    }

    private static <T> Known<T> ask(String what, String right, Supplier<T> read) {
        try {
            return Known.seen(read.get());
        } catch (KubeException e) {
            if (e.code() != FORBIDDEN) {
                throw e;
            }
            return new Known.Hidden<>(what, right, String.valueOf(e.getMessage()));
        }
    }

    private static Map<String, String> texts(JsonNode object) {
        Map<String, String> texts = new HashMap<>();
        object.properties().forEach(e -> texts.put(e.getKey(), e.getValue().asString("")));
        return texts;
    }
}
