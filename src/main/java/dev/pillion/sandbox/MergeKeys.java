package dev.pillion.sandbox;

import java.util.Map;
import java.util.TreeMap;

/**
 * How strategic merge patch treats the members of one object: which lists are merged and by which key. Lists that are not named are replaced; objects are merged.
 * From the patchStrategy and patchMergeKey notes of the Kubernetes API reference.
 */
final class MergeKeys {
    static final MergeKeys NONE = new MergeKeys(Map.of());
    private static final MergeKeys METADATA = of("ownerReferences", list("uid"), "finalizers", values());
    private static final MergeKeys CONDITIONS = of("conditions", list("type"));
    private static final MergeKeys CONTAINER = of("ports", list("containerPort"), "env", list("name"), "volumeMounts", list("mountPath"),
            "volumeDevices", list("devicePath"));
    private static final MergeKeys POD_SPEC = of("containers", list("name", CONTAINER), "initContainers", list("name", CONTAINER),
            "ephemeralContainers", list("name", CONTAINER), "volumes", list("name"), "imagePullSecrets", list("name"), "hostAliases",
            list("ip"), "topologySpreadConstraints", list("topologyKey"), "resourceClaims", list("name"), "schedulingGates", list("name"));
    private static final MergeKeys POD_STATUS = of("conditions", list("type"), "podIPs", list("ip"), "hostIPs", list("ip"),
            "resourceClaimStatuses", list("name"));
    private static final MergeKeys WORKLOAD_SPEC = of("template", inside(of("metadata", inside(METADATA), "spec", inside(POD_SPEC))));
    private static final Map<String, MergeKeys> BY_TYPE = byType();

    private final Map<String, Field> fields;

    /**
     * One member.
     *
     * @param key the member that identifies list entries, "" for a list of plain values and for objects
     */
    record Field(Form form, String key, MergeKeys inside) {
    }

    /** How a member is merged. */
    enum Form {
        OBJECT, MERGED_LIST, REPLACED
    }

    private MergeKeys(Map<String, Field> fields) {
        this.fields = fields;
    }

    /** The keys of a built-in type. */
    static MergeKeys of(ResourceType type) {
        return BY_TYPE.getOrDefault(type.qualifiedName(), of("metadata", inside(METADATA)));
    }

    Field field(String member) {
        return fields.getOrDefault(member, new Field(Form.REPLACED, "", NONE));
    }

    private static Map<String, MergeKeys> byType() {
        Map<String, MergeKeys> types = new TreeMap<>();
        types.put("pods", whole(POD_SPEC, POD_STATUS));
        types.put("deployments.apps", whole(WORKLOAD_SPEC, CONDITIONS));
        types.put("replicasets.apps", whole(WORKLOAD_SPEC, CONDITIONS));
        types.put("nodes", whole(of("podCIDRs", values()), of("conditions", list("type"), "addresses", list("type"))));
        types.put("namespaces", whole(NONE, CONDITIONS));
        types.put("services", whole(of("ports", list("port")), CONDITIONS));
        types.put("serviceaccounts", of("metadata", inside(METADATA), "secrets", list("name")));
        MergeKeys webhooks = of("metadata", inside(METADATA), "webhooks", list("name", of("matchConditions", list("name"))));
        types.put("mutatingwebhookconfigurations.admissionregistration.k8s.io", webhooks);
        types.put("validatingwebhookconfigurations.admissionregistration.k8s.io", webhooks);
        return Map.copyOf(types);
    }

    private static MergeKeys whole(MergeKeys spec, MergeKeys status) {
        return of("metadata", inside(METADATA), "spec", inside(spec), "status", inside(status));
    }

    private static MergeKeys of(Object... pairs) {
        Map<String, Field> fields = new TreeMap<>();
        for (int i = 0; i < pairs.length; i += 2) {
            fields.put((String) pairs[i], (Field) pairs[i + 1]);
        }
        return new MergeKeys(Map.copyOf(fields));
    }

    private static Field inside(MergeKeys keys) {
        return new Field(Form.OBJECT, "", keys);
    }

    private static Field list(String key) {
        return list(key, NONE);
    }

    private static Field list(String key, MergeKeys entries) {
        return new Field(Form.MERGED_LIST, key, entries);
    }

    private static Field values() {
        return new Field(Form.MERGED_LIST, "", NONE);
    }
}
