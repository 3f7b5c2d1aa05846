package dev.pillion.kube;

import java.math.BigInteger;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

import dev.pillion.api.Json;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Reads and writes Leases. A change is a merge patch with uid and resourceVersion: unlike a PUT it never creates a Lease that was deleted
 * meanwhile, and it keeps what it does not name.
 */
final class HttpLeases implements Leases {
    private final RawApi api;
    private final String namespace;

    HttpLeases(RawApi api, String namespace) {
        this.api = api;
        this.namespace = namespace;
    }

    @Override
    public Optional<LeaseRecord> read(String name) {
        try {
            return Optional.of(record(api.getTree(path(name))));
        } catch (KubeException e) {
            if (e.code() == 404) {
                return Optional.empty();
            }
            throw e;
        }
    }

    @Override
    public LeaseRecord create(String name, LeaseSpec spec) {
        ObjectNode object = Json.object().put("apiVersion", "coordination.k8s.io/v1").put("kind", "Lease");
        ObjectNode metadata = object.putObject("metadata").put("name", name).put("namespace", namespace);
        spec.marks().forEach(metadata.putObject("annotations")::put);
        put(object.putObject("spec"), spec);
        return record(RawApi.tree(api.send("POST", collection(), RawApi.JSON, Json.write(object))));
    }

    @Override
    public LeaseRecord change(LeaseRecord known, LeaseSpec spec) {
        ObjectNode patch = Json.object();
        ObjectNode metadata = patch.putObject("metadata").put("uid", known.uid()).put("resourceVersion", known.version());
        ObjectNode annotations = metadata.putObject("annotations");
        known.spec().marks().keySet().forEach(annotations::putNull);
        spec.marks().forEach(annotations::put);
        put(patch.putObject("spec"), spec);
        return record(RawApi.tree(api.send("PATCH", path(known.name()), RawApi.MERGE, Json.write(patch))));
    }

    /** null removes a member in a patch and counts as absent in a new object. */
    private static void put(ObjectNode members, LeaseSpec spec) {
        text(members, "holderIdentity", spec.holder());
        text(members, "acquireTime", spec.acquired());
        text(members, "renewTime", spec.renewed());
        spec.duration().ifPresentOrElse(d -> members.put("leaseDurationSeconds", seconds(d)),
                () -> members.putNull("leaseDurationSeconds"));
        members.put("leaseTransitions", spec.transitions());
    }

    private static void text(ObjectNode members, String name, String value) {
        if (value.isEmpty()) {
            members.putNull(name);
        } else {
            members.put(name, value);
        }
    }

    /** The API counts whole seconds; a rival may wait longer, never shorter. */
    private static int seconds(Duration duration) {
        return Math.toIntExact(Math.max(1, duration.plusNanos(999_999_999).toSeconds()));
    }

    static LeaseRecord record(ObjectNode object) {
        JsonNode metadata = object.path("metadata");
        JsonNode spec = object.path("spec");
        Map<String, String> marks = KubeObjects.texts(metadata.path("annotations")).entrySet().stream()
                .filter(e -> e.getKey().startsWith(LeaseSpec.MARK_PREFIX))
                .collect(Collectors.toMap(Map.Entry::getKey, Map.Entry::getValue));
        Optional<Duration> duration = number(spec, "leaseDurationSeconds").filter(n -> n > 0).map(Duration::ofSeconds);
        return new LeaseRecord(Json.text(metadata, "name"), Json.text(metadata, "uid"), Json.text(metadata, "resourceVersion"),
                new LeaseSpec(Json.text(spec, "holderIdentity"), duration, Json.text(spec, "acquireTime"), Json.text(spec, "renewTime"),
                        number(spec, "leaseTransitions").orElse(0), marks));
    }

    private static Optional<Integer> number(JsonNode spec, String member) {
        JsonNode value = spec.path(member);
        if (!value.isIntegralNumber()) {
            return Optional.empty();
        }
        BigInteger most = BigInteger.valueOf(Integer.MAX_VALUE);
        return Optional.of(value.bigIntegerValue().min(most).max(most.negate()).intValue());
    }

    private String collection() {
        return "/apis/coordination.k8s.io/v1/namespaces/" + RawApi.encode(namespace) + "/leases";
    }

    private String path(String name) {
        return collection() + "/" + RawApi.encode(name);
    }
}
