package dev.pillion.sandbox;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;

/** The columns of the built-in types. */
final class KindColumns {
    private static final Map<String, List<Column>> BY_TYPE = byType();

    private KindColumns() {
    }

    /** The columns of a type by its qualified name; name and creation time for all others. */
    static List<Column> of(String qualifiedName) {
        return BY_TYPE.getOrDefault(qualifiedName, List.of(Column.named(), Column.createdAt()));
    }

    private static Map<String, List<Column>> byType() {
        Map<String, List<Column>> types = new TreeMap<>();
        types.put("pods", PodCells.columns());
        types.put("namespaces", List.of(Column.named(), Column.text("Status", o -> Trees.text(o, "status", "phase")), Column.age()));
        types.put("configmaps", List.of(Column.named(),
                Column.number("Data", o -> (long) o.path("data").size() + o.path("binaryData").size()), Column.age()));
        types.put("secrets",
                List.of(Column.named(), Column.text("Type", o -> Trees.text(o, "type")),
                        Column.number("Data", o -> (long) o.path("data").size()),
                        Column.age()));
        types.put("serviceaccounts", List.of(Column.named(), Column.number("Secrets", o -> (long) o.path("secrets").size()), Column.age()));
        types.put("services", List.of(Column.named(), Column.text("Type", o -> Trees.text(o, "spec", "type")),
                Column.text("Cluster-IP", o -> Column.orElse(o, "<none>", "spec", "clusterIP")),
                Column.text("External-IP", o -> Column.orElse(o, "<none>", "spec", "externalName")),
                Column.text("Port(s)", KindColumns::ports), Column.age(),
                Column.text("Selector", o -> labels(o.at("/spec/selector"))).wide()));
        types.put("nodes", nodes());
        types.put("events", events());
        types.put("events.events.k8s.io", events());
        workloads(types);
        types.put("leases.coordination.k8s.io",
                List.of(Column.named(), Column.text("Holder", o -> Trees.text(o, "spec", "holderIdentity")), Column.age()));
        for (String kind : List.of("mutatingwebhookconfigurations", "validatingwebhookconfigurations")) {
            types.put(kind + ".admissionregistration.k8s.io",
                    List.of(Column.named(), Column.number("Webhooks", o -> (long) o.path("webhooks").size()), Column.age()));
        }
        for (String kind : List.of("rolebindings", "clusterrolebindings")) {
            types.put(kind + ".rbac.authorization.k8s.io",
                    List.of(Column.named(),
                            Column.text("Role", o -> Trees.text(o, "roleRef", "kind") + "/" + Trees.text(o, "roleRef", "name")),
                            Column.age()));
        }
        types.put("poddisruptionbudgets.policy",
                List.of(Column.named(), Column.text("Min Available", o -> limit(o.at("/spec/minAvailable"))),
                        Column.text("Max Unavailable", o -> limit(o.at("/spec/maxUnavailable"))),
                        Column.number("Allowed Disruptions", o -> Column.count(o, "status", "disruptionsAllowed")), Column.age()));
        return Map.copyOf(types);
    }

    private static void workloads(Map<String, List<Column>> types) {
        types.put("deployments.apps",
                with(List.of(Column.named(), Column.text("Ready", o -> Column.count(o, "status", "readyReplicas") + "/" + replicas(o)),
                        Column.number("Up-to-date", o -> Column.count(o, "status", "updatedReplicas")),
                        Column.number("Available", o -> Column.count(o, "status", "availableReplicas")), Column.age()), true));
        types.put("replicasets.apps", with(List.of(Column.named(), Column.number("Desired", KindColumns::replicas),
                Column.number("Current", o -> Column.count(o, "status", "replicas")),
                Column.number("Ready", o -> Column.count(o, "status", "readyReplicas")),
                Column.age()), true));
        types.put("statefulsets.apps", with(List.of(Column.named(),
                Column.text("Ready", o -> Column.count(o, "status", "readyReplicas") + "/" + replicas(o)), Column.age()), false));
        types.put("daemonsets.apps",
                with(List.of(Column.named(), Column.number("Desired", o -> Column.count(o, "status", "desiredNumberScheduled")),
                        Column.number("Current", o -> Column.count(o, "status", "currentNumberScheduled")),
                        Column.number("Ready", o -> Column.count(o, "status", "numberReady")),
                        Column.number("Up-to-date", o -> Column.count(o, "status", "updatedNumberScheduled")),
                        Column.number("Available", o -> Column.count(o, "status", "numberAvailable")),
                        Column.text("Node Selector", o -> labels(o.at("/spec/template/spec/nodeSelector"))), Column.age()), true));
        types.put("controllerrevisions.apps", List.of(Column.named(), Column.text("Controller", KindColumns::controller),
                Column.number("Revision", o -> Column.count(o, "revision")), Column.age()));
    }

    private static List<Column> with(List<Column> columns, boolean selector) {
        List<Column> all = new ArrayList<>(columns);
        all.add(Column.text("Containers", o -> Column.joined(o.at("/spec/template/spec/containers"), "name")).wide());
        all.add(Column.text("Images", o -> Column.joined(o.at("/spec/template/spec/containers"), "image")).wide());
        if (selector) {
            all.add(Column.text("Selector", o -> selector(o.at("/spec/selector"))).wide());
        }
        return List.copyOf(all);
    }

    private static List<Column> nodes() {
        return List.of(Column.named(), Column.text("Status", KindColumns::nodeStatus), Column.text("Roles", KindColumns::roles),
                Column.age(),
                Column.text("Version", o -> Trees.text(o, "status", "nodeInfo", "kubeletVersion")),
                Column.text("Internal-IP", o -> address(o, "InternalIP")).wide(),
                Column.text("External-IP", o -> address(o, "ExternalIP")).wide(),
                Column.text("OS-Image", o -> Column.orElse(o, "<unknown>", "status", "nodeInfo", "osImage")).wide(),
                Column.text("Kernel-Version", o -> Column.orElse(o, "<unknown>", "status", "nodeInfo", "kernelVersion")).wide(),
                Column.text("Container-Runtime", o -> Column.orElse(o, "<unknown>", "status", "nodeInfo", "containerRuntimeVersion"))
                        .wide());
    }

    private static List<Column> events() {
        return List.of(
                new Column("Last Seen", "string", "", "Time since the last time it happened", 0,
                        (o, now) -> Column.string(Ages.since(lastSeen(o), now))),
                Column.text("Type", o -> Trees.text(o, "type")), Column.text("Reason", o -> Trees.text(o, "reason")),
                Column.text("Object", KindColumns::regarding),
                Column.text("Subobject", o -> Trees.text(either(o, "involvedObject", "regarding"), "fieldPath")).wide(),
                Column.text("Source", KindColumns::source).wide(),
                Column.text("Message", o -> either(o, "message", "note").stringValue("").strip()),
                new Column("First Seen", "string", "", "Time since the first time it happened", 1,
                        (o, now) -> Column.string(Ages.since(firstSeen(o), now))),
                Column.number("Count", KindColumns::times).wide(), Column.named().wide());
    }

    private static JsonNode either(JsonNode event, String one, String other) {
        return event.has(one) ? event.path(one) : event.path(other);
    }

    private static String regarding(JsonNode event) {
        JsonNode object = either(event, "involvedObject", "regarding");
        String name = Trees.text(object, "name");
        return Trees.text(object, "kind").toLowerCase(java.util.Locale.ROOT) + (name.isEmpty() ? "" : "/" + name);
    }

    private static String source(JsonNode event) {
        JsonNode source = either(event, "source", "deprecatedSource");
        String component = Trees.text(source, "component");
        component = component.isEmpty() ? either(event, "reportingComponent", "reportingController").stringValue("") : component;
        String host = Trees.text(source, "host");
        host = host.isEmpty() ? Trees.text(event, "reportingInstance") : host;
        return host.isEmpty() ? component : component + ", " + host;
    }

    private static String firstSeen(JsonNode event) {
        String first = either(event, "firstTimestamp", "deprecatedFirstTimestamp").stringValue("");
        return first.isEmpty() ? Trees.text(event, "eventTime") : first;
    }

    private static String lastSeen(JsonNode event) {
        String series = Trees.text(event, "series", "lastObservedTime");
        String last = either(event, "lastTimestamp", "deprecatedLastTimestamp").stringValue("");
        return !series.isEmpty() ? series : last.isEmpty() ? firstSeen(event) : last;
    }

    private static long times(JsonNode event) {
        long series = Trees.number(event.at("/series/count"), 0);
        return series > 0 ? series : Math.max(1, Trees.number(either(event, "count", "deprecatedCount"), 1));
    }

    private static long replicas(JsonNode object) {
        return Column.count(object, "spec", "replicas");
    }

    private static String limit(JsonNode value) {
        return Trees.isAbsent(value) ? "N/A" : value.asString();
    }

    private static String ports(JsonNode service) {
        List<String> ports = new ArrayList<>();
        for (JsonNode port : service.at("/spec/ports")) {
            long node = Trees.number(port.path("nodePort"), 0);
            ports.add(Trees.number(port.path("port"), 0) + (node == 0 ? "" : ":" + node) + "/" + Trees.text(port, "protocol"));
        }
        return ports.isEmpty() ? "<none>" : String.join(",", ports);
    }

    private static String labels(JsonNode labels) {
        List<String> texts = new ArrayList<>();
        labels.properties().forEach(label -> texts.add(label.getKey() + "=" + label.getValue().stringValue("")));
        texts.sort(null);
        return texts.isEmpty() ? "<none>" : String.join(",", texts);
    }

    /** A LabelSelector as one text. */
    private static String selector(JsonNode selector) {
        String labels = labels(selector.path("matchLabels"));
        List<String> texts = new ArrayList<>(labels.equals("<none>") ? List.of() : List.of(labels));
        for (JsonNode expression : selector.path("matchExpressions")) {
            String key = Trees.text(expression, "key");
            List<String> values = new ArrayList<>();
            expression.path("values").forEach(value -> values.add(value.stringValue("")));
            String list = " (" + String.join(",", values) + ")";
            texts.add(switch (Trees.text(expression, "operator")) {
                case "In" -> key + " in" + list;
                case "NotIn" -> key + " notin" + list;
                case "DoesNotExist" -> "!" + key;
                default -> key;
            });
        }
        return texts.isEmpty() ? "<none>" : String.join(",", texts);
    }

    private static String controller(JsonNode revision) {
        for (JsonNode owner : revision.at("/metadata/ownerReferences")) {
            if (owner.path("controller").booleanValue(false)) {
                String version = Trees.text(owner, "apiVersion");
                String group = version.contains("/") ? "." + version.substring(0, version.indexOf('/')) : "";
                return Trees.text(owner, "kind").toLowerCase(java.util.Locale.ROOT) + group + "/" + Trees.text(owner, "name");
            }
        }
        return "<none>";
    }

    private static String nodeStatus(JsonNode node) {
        String status = "Unknown";
        for (JsonNode condition : node.at("/status/conditions")) {
            if (Trees.text(condition, "type").equals("Ready")) {
                status = Trees.text(condition, "status").equals("True") ? "Ready" : "NotReady";
            }
        }
        return node.at("/spec/unschedulable").booleanValue(false) ? status + ",SchedulingDisabled" : status;
    }

    private static String roles(JsonNode node) {
        String prefix = "node-role.kubernetes.io/";
        List<String> roles = new ArrayList<>();
        for (String label : node.at("/metadata/labels").propertyNames()) {
            if (label.startsWith(prefix)) {
                roles.add(label.substring(prefix.length()));
            }
        }
        roles.sort(null);
        return roles.isEmpty() ? "<none>" : String.join(",", roles);
    }

    private static String address(JsonNode node, String type) {
        for (JsonNode address : node.at("/status/addresses") instanceof ArrayNode all ? all : Trees.array()) {
            if (Trees.text(address, "type").equals(type)) {
                return Trees.text(address, "address");
            }
        }
        return "<none>";
    }
}
