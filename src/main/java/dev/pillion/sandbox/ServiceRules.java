package dev.pillion.sandbox;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** Services: port defaults and a cluster address out of 10.96.0.0/16; nothing listens there. */
final class ServiceRules implements TypeRules {
    private final AtomicInteger addresses = new AtomicInteger(10);

    @Override
    public Set<Trait> traits() {
        return Set.of(Trait.UNCONDITIONAL_UPDATE, Trait.ANSWERS_DELETED);
    }

    @Override
    public void applyDefaults(ObjectNode object, String version) {
        ObjectNode spec = Trees.child(object, "spec");
        PodDefaults.text(spec, "type", "ClusterIP");
        PodDefaults.text(spec, "sessionAffinity", "None");
        if (!Trees.text(spec, "type").equals("ExternalName")) {
            PodDefaults.text(spec, "internalTrafficPolicy", "Cluster");
        }
        for (JsonNode port : spec.path("ports")) {
            if (port instanceof ObjectNode entry) {
                PodDefaults.text(entry, "protocol", "TCP");
                if (Trees.isAbsent(entry.path("targetPort"))) {
                    entry.set("targetPort", entry.path("port").isMissingNode() ? entry.numberNode(0) : entry.path("port"));
                }
            }
        }
    }

    @Override
    public void prepareCreate(ObjectNode object) {
        ObjectNode spec = Trees.child(object, "spec");
        if (!Trees.text(spec, "type").equals("ExternalName") && Trees.text(spec, "clusterIP").isEmpty()) {
            int number = addresses.incrementAndGet();
            spec.put("clusterIP", "10.96." + (number / 256 % 256) + "." + number % 256);
        }
        if (!Trees.text(spec, "clusterIP").isEmpty()) {
            spec.putArray("clusterIPs").add(Trees.text(spec, "clusterIP"));
            spec.putArray("ipFamilies").add("IPv4");
            PodDefaults.text(spec, "ipFamilyPolicy", "SingleStack");
        }
        object.putObject("status").putObject("loadBalancer");
    }

    @Override
    public void prepareUpdate(ObjectNode object, ObjectNode old) {
        ObjectNode spec = Trees.child(object, "spec");
        for (String member : List.of("clusterIP", "clusterIPs", "ipFamilies", "ipFamilyPolicy")) {
            if (Trees.isAbsent(spec.path(member))) {
                Trees.setOrRemove(spec, member, Trees.at(old, "spec", member));
            }
        }
    }

    @Override
    public List<Cause> validateCreate(ObjectNode object) {
        List<Cause> faults = new ArrayList<>();
        JsonNode ports = Trees.at(object, "spec", "ports");
        boolean headless = Trees.text(object, "spec", "clusterIP").equals("None");
        if (ports.isEmpty() && !headless && !Trees.text(object, "spec", "type").equals("ExternalName")) {
            faults.add(Cause.required("spec.ports", ""));
        }
        for (int i = 0; i < ports.size(); i++) {
            String at = "spec.ports[" + i + "]";
            JsonNode port = ports.path(i);
            if (port.path("port").asInt(0) < 1 || port.path("port").asInt(0) > 65_535) {
                faults.add(Cause.invalid(at + ".port", port.path("port").asString("0"), "must be between 1 and 65535, inclusive"));
            }
            if (ports.size() > 1 && Trees.text(port, "name").isEmpty()) {
                faults.add(Cause.required(at + ".name", ""));
            }
        }
        return faults;
    }

    @Override
    public List<Cause> validateUpdate(ObjectNode object, ObjectNode old) {
        List<Cause> faults = new ArrayList<>(validateCreate(object));
        String before = Trees.text(old, "spec", "clusterIP");
        String now = Trees.text(object, "spec", "clusterIP");
        if (!before.isEmpty() && !now.equals(before) && !Trees.text(object, "spec", "type").equals("ExternalName")) {
            faults.add(Cause.invalid("spec.clusterIPs[0]", "[\"" + now + "\"]", "may not change once set"));
        }
        return faults;
    }

    @Override
    public Map<String, List<String>> selectableFields() {
        return PlainRules.paths(List.of("spec.clusterIP", "spec.type"));
    }
}
