package dev.pillion.validate;

import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

import tools.jackson.databind.JsonNode;

/** Rules common to both kinds of container (core-validation.md 4). */
final class ContainerRules {
    private static final int MAX_PORT = 65535;
    private static final List<String> PULL_POLICIES = List.of("Always", "IfNotPresent", "Never");

    private final Faults faults;
    private final EnvRules env;
    private final MountRules mounts;
    private final ResourceRules resources;
    private final SecurityContextRules security;

    ContainerRules(Faults faults, Map<String, JsonNode> soundVolumes) {
        this.faults = faults;
        this.env = new EnvRules(faults);
        this.mounts = new MountRules(faults, soundVolumes);
        this.resources = new ResourceRules(faults);
        this.security = new SecurityContextRules(faults);
    }

    void check(JsonNode container, String path) {
        String name = Node.text(container, "name");
        if (faults.present(path + ".name", name)) {
            faults.invalidEach(path + ".name", Formats.label(name));
        }
        String image = Node.text(container, "image");
        if (faults.present(path + ".image", image) && Formats.hasOuterSpace(image)) {
            faults.invalid(path + ".image", "must not begin or end with white space");
        }
        faults.requiredOneOf(path + ".imagePullPolicy", Node.text(container, "imagePullPolicy"), PULL_POLICIES);
        faults.requiredOneOf(path + ".terminationMessagePolicy", Node.text(container, "terminationMessagePolicy"),
                List.of("File", "FallbackToLogsOnError"));
        ports(container, path);
        env.env(container, path);
        mounts.check(container, path);
        resources.check(container, path);
        resizePolicies(container, path + ".resizePolicy");
        security.check(container, path);
    }

    private void ports(JsonNode container, String containerPath) {
        Set<String> names = new HashSet<>();
        List<JsonNode> ports = Node.items(container, "ports");
        for (int j = 0; j < ports.size(); j++) {
            JsonNode port = ports.get(j);
            String path = containerPath + ".ports[" + j + "]";
            String name = Node.text(port, "name");
            if (!name.isEmpty()) {
                List<String> problems = Formats.portName(name);
                faults.invalidEach(path + ".name", problems);
                if (problems.isEmpty() && !names.add(name)) {
                    faults.duplicate(path + ".name", name);
                }
            }
            long number = Node.number(port, "containerPort");
            if (number == 0) {
                faults.required(path + ".containerPort", "must be given");
            } else if (Node.isOutside(number, 1, MAX_PORT)) {
                faults.invalid(path + ".containerPort", number + " is no port: give 1 to " + MAX_PORT);
            }
            long host = Node.number(port, "hostPort");
            if (host != 0 && Node.isOutside(host, 1, MAX_PORT)) {
                faults.invalid(path + ".hostPort", host + " is no port: give 1 to " + MAX_PORT);
            }
            faults.requiredOneOf(path + ".protocol", Node.text(port, "protocol"), List.of("TCP", "UDP", "SCTP"));
        }
    }

    private void resizePolicies(JsonNode container, String path) {
        Set<String> seen = new HashSet<>();
        List<JsonNode> policies = Node.items(container, "resizePolicy");
        for (int j = 0; j < policies.size(); j++) {
            String resource = Node.text(policies.get(j), "resourceName");
            if (!seen.add(resource)) {
                faults.duplicate(path + "[" + j + "]", resource);
            }
            faults.requiredOneOf(path, resource, List.of("cpu", "memory"));
            faults.requiredOneOf(path, Node.text(policies.get(j), "restartPolicy"), List.of("NotRequired", "RestartContainer"));
        }
    }
}
