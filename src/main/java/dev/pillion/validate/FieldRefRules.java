package dev.pillion.validate;

import java.util.List;
import java.util.Set;

import dev.pillion.expr.Quantity;

import tools.jackson.databind.JsonNode;

/** Field and resource field references of variables and downward API files (core-validation.md 4.2.1, 4.2.2). */
final class FieldRefRules {
    enum Place {
        ENV, VOLUME
    }

    private static final Set<String> CONVERTIBLE = Set.of("metadata.annotations", "metadata.labels", "metadata.name", "metadata.namespace",
            "metadata.uid", "spec.nodeName", "spec.restartPolicy", "spec.serviceAccountName", "spec.schedulerName", "status.phase",
            "status.hostIP",
            "status.hostIPs", "status.podIP", "status.podIPs", "spec.host");
    private static final List<String> ENV_PATHS = List.of("metadata.name", "metadata.namespace", "metadata.uid", "spec.nodeName",
            "spec.serviceAccountName", "status.hostIP", "status.hostIPs", "status.podIP", "status.podIPs");
    private static final List<String> VOLUME_PATHS = List.of("metadata.name", "metadata.namespace", "metadata.labels",
            "metadata.annotations",
            "metadata.uid");
    private static final List<String> RESOURCES = List.of("limits.cpu", "limits.memory", "limits.ephemeral-storage", "requests.cpu",
            "requests.memory",
            "requests.ephemeral-storage");
    private static final List<String> CPU_DIVISORS = List.of("1m", "1");
    private static final List<String> BYTE_DIVISORS = List.of("1", "1k", "1M", "1G", "1T", "1P", "1E", "1Ki", "1Mi", "1Gi", "1Ti", "1Pi",
            "1Ei");

    private final Faults faults;

    FieldRefRules(Faults faults) {
        this.faults = faults;
    }

    void field(JsonNode ref, String path, Place place) {
        String fieldPath = Node.text(ref, "fieldPath");
        if (!faults.present(path + ".apiVersion", Node.text(ref, "apiVersion")) || !faults.present(path + ".fieldPath", fieldPath)) {
            return;
        }
        int bracket = fieldPath.endsWith("']") ? fieldPath.substring(0, fieldPath.length() - 2).indexOf("['") : -1;
        boolean subscripted = bracket > 0;
        String base = subscripted ? fieldPath.substring(0, bracket) : fieldPath;
        boolean known = subscripted ? base.equals("metadata.labels") || base.equals("metadata.annotations") : CONVERTIBLE.contains(base);
        if (!Node.text(ref, "apiVersion").equals("v1") || !known) {
            faults.invalid(path + ".fieldPath", Faults.quoted(fieldPath) + " is no field of a v1 Pod that can be referred to");
            return;
        }
        if (subscripted) {
            String key = fieldPath.substring(bracket + 2, fieldPath.length() - 2);
            faults.invalidEach(path, Formats.qualifiedName(base.equals("metadata.labels") ? key : Formats.lowerCase(key)));
            return;
        }
        String canonical = base.equals("spec.host") ? "spec.nodeName" : base;
        faults.oneOf(path + ".fieldPath", canonical, place == Place.ENV ? ENV_PATHS : VOLUME_PATHS);
    }

    void resource(JsonNode ref, String path, Place place) {
        String resource = Node.text(ref, "resource");
        if (place == Place.VOLUME && Node.text(ref, "containerName").isEmpty()) {
            faults.required(path + ".containerName", "must name the container whose resources are meant");
        } else if (faults.present(path + ".resource", resource) && !isHugePages(resource)) {
            faults.oneOf(path + ".resource", resource, RESOURCES);
        }
        Quantity quantity = Node.quantity(ref.path("divisor"));
        List<String> allowed = divisors(resource);
        if (quantity.signum() != 0 && !allowed.isEmpty() && !allowed.contains(quantity.toString())) {
            faults.invalid(path + ".divisor",
                    Faults.quoted(quantity.toString()) + " is no divisor for this resource: use one of " + String.join(", ", allowed));
        }
    }

    private static boolean isHugePages(String resource) {
        return resource.startsWith("limits.hugepages-") || resource.startsWith("requests.hugepages-");
    }

    /** Empty: every divisor is allowed. */
    private static List<String> divisors(String resource) {
        if (resource.equals("limits.cpu") || resource.equals("requests.cpu")) {
            return CPU_DIVISORS;
        }
        return RESOURCES.contains(resource) || isHugePages(resource) ? BYTE_DIVISORS : List.of();
    }
}
