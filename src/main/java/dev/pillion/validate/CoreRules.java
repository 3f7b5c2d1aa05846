package dev.pillion.validate;

import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

import tools.jackson.databind.JsonNode;

/** The core/v1 rules for containers and volumes, as if they were one pod (core-validation.md 2, 3). */
final class CoreRules {
    /** Name of the placeholder that stands in for missing regular containers. */
    private final String placeholder;
    private final Faults faults = new Faults();

    private CoreRules(String placeholder) {
        this.placeholder = placeholder;
    }

    /** @param placeholder the reference uses "test" (trap 30); a name no container can have changes nothing else */
    static List<Fault> check(JsonNode spec, String placeholder) {
        CoreRules rules = new CoreRules(placeholder);
        rules.run(spec);
        return rules.faults.list();
    }

    private void run(JsonNode spec) {
        List<JsonNode> containers = Node.items(spec, "containers");
        List<JsonNode> inits = Node.items(spec, "initContainers");
        if (containers.isEmpty() && inits.isEmpty()) {
            return;
        }
        Map<String, JsonNode> volumes = new VolumeRules(faults).check(Node.items(spec, "volumes"));
        ContainerRules common = new ContainerRules(faults, volumes);
        HandlerRules handlers = new HandlerRules(faults);
        Set<String> names = new HashSet<>();
        Set<String> hostPorts = new HashSet<>();
        for (int i = 0; i < containers.size(); i++) {
            regular(containers.get(i), "spec.containers[" + i + "]", common, handlers, names, hostPorts);
        }
        if (containers.isEmpty()) {
            names.add(placeholder);
        }
        for (int i = 0; i < inits.size(); i++) {
            init(inits.get(i), "spec.initContainers[" + i + "]", common, handlers, names);
        }
        hostProcesses(containers, inits);
    }

    private void regular(JsonNode container, String path, ContainerRules common, HandlerRules handlers, Set<String> names,
            Set<String> hostPorts) {
        common.check(container, path);
        String name = Node.text(container, "name");
        if (!names.add(name)) {
            faults.duplicate(path + ".name", name);
        }
        handlers.lifecycle(container, path);
        handlers.probes(container, path);
        if (Node.isSet(container, "restartPolicy")) {
            faults.forbidden(path + ".restartPolicy", "only init containers may have one: move the container to initContainers");
        }
        hostPorts(container, path, hostPorts);
    }

    private void init(JsonNode container, String path, ContainerRules common, HandlerRules handlers, Set<String> names) {
        common.check(container, path);
        boolean restarts = Node.isSet(container, "restartPolicy");
        String policy = Node.text(container, "restartPolicy");
        if (restarts) {
            faults.oneOf(path + ".restartPolicy", policy, List.of("Always"));
        }
        String name = Node.text(container, "name");
        if (names.contains(name)) {
            faults.duplicate(path + ".name", name);
        } else if (!name.isEmpty()) {
            names.add(name);
        }
        // Compatible: the path always has index 0 (core-validation.md 3.2 row 4).
        hostPorts(container, "spec.initContainers[0]", new HashSet<>());
        if (policy.equals("Always")) {
            handlers.lifecycle(container, path);
            handlers.probes(container, path);
        } else {
            for (String member : List.of("lifecycle", "livenessProbe", "readinessProbe", "startupProbe")) {
                if (Node.isSet(container, member)) {
                    faults.forbidden(path + "." + member, "only a native sidecar (restartPolicy: Always) may have it");
                }
            }
        }
        if (!Node.items(container, "resizePolicy").isEmpty()) {
            faults.invalid(path + ".resizePolicy", "init containers cannot be resized: remove it");
        }
    }

    private void hostPorts(JsonNode container, String path, Set<String> used) {
        List<JsonNode> ports = Node.items(container, "ports");
        for (int j = 0; j < ports.size(); j++) {
            JsonNode port = ports.get(j);
            long number = Node.number(port, "hostPort");
            if (number != 0 && !used.add(Node.text(port, "protocol") + "/" + Node.text(port, "hostIP") + "/" + number)) {
                faults.duplicate(path + ".ports[" + j + "].hostPort", Long.toString(number));
            }
        }
    }

    private void hostProcesses(List<JsonNode> containers, List<JsonNode> inits) {
        long hostProcesses = containers.stream().filter(CoreRules::isHostProcess).count()
                + inits.stream().filter(CoreRules::isHostProcess).count();
        if (hostProcesses == 0) {
            return;
        }
        if (hostProcesses < Math.max(1, containers.size()) + inits.size()) {
            faults.invalid("spec", "in a pod either all containers are Windows host processes or none");
        }
        faults.invalid("spec.hostNetwork", "Windows host processes need a pod with hostNetwork, which a SidecarSet cannot promise");
    }

    private static boolean isHostProcess(JsonNode container) {
        return Node.isTrue(container.path("securityContext").path("windowsOptions"), "hostProcess");
    }
}
