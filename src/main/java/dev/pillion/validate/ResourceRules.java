package dev.pillion.validate;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

import dev.pillion.expr.Quantity;

import tools.jackson.databind.JsonNode;

/** resources of a container (core-validation.md 6). */
final class ResourceRules {
    private static final Set<String> COUNTING = Set.of("pods", "resourcequotas", "services", "replicationcontrollers", "secrets",
            "configmaps",
            "persistentvolumeclaims", "services.nodeports", "services.loadbalancers");
    private static final Set<String> BASIC = Set.of("cpu", "memory", "ephemeral-storage");

    private final Faults faults;

    ResourceRules(Faults faults) {
        this.faults = faults;
    }

    void check(JsonNode container, String containerPath) {
        JsonNode resources = container.path("resources");
        String path = containerPath + ".resources";
        Map<String, Quantity> limits = quantities(resources, "limits", path);
        Map<String, Quantity> requests = quantities(resources, "requests", path);
        requests.forEach((name, request) -> {
            Quantity limit = limits.get(name);
            if (limit == null) {
                if (!isOvercommittable(name)) {
                    faults.required(path + ".limits", name + " needs a limit equal to its request");
                }
            } else if (!isOvercommittable(name) && request.compareTo(limit) != 0) {
                faults.invalid(path + ".requests", "the request for " + name + " must equal its limit");
            } else if (request.compareTo(limit) > 0) {
                faults.invalid(path + ".requests", "the request for " + name + " must not exceed its limit");
            }
        });
        Set<String> names = new HashSet<>(limits.keySet());
        names.addAll(requests.keySet());
        if (names.stream().anyMatch(n -> n.startsWith("hugepages-")) && !names.contains("cpu") && !names.contains("memory")) {
            faults.forbidden(path, "huge pages need cpu or memory beside them");
        }
        claims(resources, path);
    }

    private Map<String, Quantity> quantities(JsonNode resources, String member, String path) {
        Map<String, Quantity> quantities = new HashMap<>();
        for (Map.Entry<String, JsonNode> entry : Node.entries(resources, member)) {
            String name = entry.getKey();
            Quantity quantity = Node.quantity(entry.getValue());
            quantities.put(name, quantity);
            one(name, quantity, path + "." + member + "[" + name + "]");
        }
        return quantities;
    }

    private void one(String name, Quantity quantity, String path) {
        List<String> malformed = Formats.qualifiedName(name);
        faults.invalidEach(path, malformed);
        boolean plain = !name.contains("/");
        if (malformed.isEmpty() && plain && !isStandard(name)) {
            faults.invalid(path, Faults.quoted(name) + " is no standard resource: others need a prefix such as example.com/");
        }
        if (plain && !BASIC.contains(name) && !name.startsWith("hugepages-")) {
            faults.invalid(path, Faults.quoted(name) + " is no resource of a container");
        }
        boolean extended = isExtended(name);
        if (!plain && !isNative(name) && !extended) {
            faults.invalid(path, Faults.quoted(name) + " is no name for an extended resource");
        }
        if (quantity.signum() < 0) {
            faults.invalid(path, "must not be negative");
        }
        if ((COUNTING.contains(name) || extended) && quantity.roundedToMilli().value().stripTrailingZeros().scale() > 0) {
            faults.invalid(path, "must be a whole number");
        }
    }

    private void claims(JsonNode resources, String path) {
        Set<String> known = new HashSet<>();
        List<JsonNode> claims = Node.items(resources, "claims");
        for (int j = 0; j < claims.size(); j++) {
            String at = path + ".claims[" + j + "]";
            String name = Node.text(claims.get(j), "name");
            String request = Node.text(claims.get(j), "request");
            if (name.isEmpty()) {
                faults.required(at, "must name a claim of the pod");
                continue;
            }
            if (known.contains(name)) {
                faults.duplicate(at, name);
            } else {
                claim(name, request, at, known);
            }
            faults.notFound(at, "a SidecarSet cannot declare resource claims: remove it");
        }
    }

    private void claim(String name, String request, String at, Set<String> known) {
        if (!request.isEmpty()) {
            faults.invalidEach(at + ".request", Formats.label(request));
        }
        String text = request.isEmpty() ? name : name + "/" + request;
        if (known.contains(text)) {
            faults.duplicate(at, text);
        } else if (request.isEmpty()) {
            List<String> same = new ArrayList<>(known);
            same.stream().filter(k -> k.split("/", -1)[0].equals(name)).forEach(_ -> faults.duplicate(at, name));
        }
        known.add(text);
    }

    private static boolean isStandard(String name) {
        String bare = name.startsWith("requests.")
                ? name.substring("requests.".length())
                : name.startsWith("limits.") ? name.substring("limits.".length()) : name;
        return BASIC.contains(bare) || name.equals("storage") || name.equals("requests.storage") || COUNTING.contains(name)
                || name.startsWith("hugepages-") || name.startsWith("requests.hugepages-");
    }

    private static boolean isNative(String name) {
        return !name.contains("/") || name.contains("kubernetes.io/");
    }

    private static boolean isExtended(String name) {
        return !isNative(name) && !name.startsWith("requests.") && Formats.qualifiedName("requests." + name).isEmpty();
    }

    private static boolean isOvercommittable(String name) {
        return isNative(name) && !name.startsWith("hugepages-");
    }
}
