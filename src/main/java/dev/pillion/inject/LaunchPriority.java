package dev.pillion.inject;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;

import dev.pillion.api.Json;
import dev.pillion.api.Wire;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** The webhook's step of container launch priority (neighbours.md 1.2): one barrier env for every container of the final list. */
final class LaunchPriority {
    private static final String PRIORITY = "KRUISE_CONTAINER_PRIORITY";
    private static final String ANNOTATION = "apps.kruise.io/container-launch-priority";
    private static final String ORDERED = "Ordered";
    private static final Pattern INTEGER = Pattern.compile("[+-]?[0-9]+");
    private static final int LONGEST_NAME = 253;
    private static final int LONGEST_BASE = 58;

    /** The env for each container in order, and the pod's name where one had to be made. */
    record Barriers(List<ObjectNode> env, Optional<String> madeName) {
    }

    private LaunchPriority() {
    }

    /** Empty: no barriers, nothing changes. */
    static Optional<Barriers> of(RawPod pod, Map<String, String> annotations, List<Slot> containers, String nameSuffix,
            List<String> warnings) throws RefusedException {
        if (containers.size() == 1) {
            return Optional.empty();
        }
        String order = annotations.getOrDefault(ANNOTATION, "");
        List<Long> numbers = new ArrayList<>();
        if (order.equals(ORDERED)) {
            for (int i = 0; i < containers.size(); i++) {
                numbers.add((long) -i);
            }
        } else {
            if (!order.isEmpty()) {
                warnings.add("annotation " + ANNOTATION + " of Pod " + pod.describe() + " is \"" + order + "\" and has no effect; only "
                        + ORDERED + " does");
            }
            for (Slot slot : containers) {
                numbers.add(number(pod, slot));
            }
            if (isOneNumber(numbers)) {
                return Optional.empty();
            }
        }
        if (numbers.isEmpty()) {
            return Optional.empty();
        }
        String name = Json.text(pod.metadata(), "name");
        String base = Json.text(pod.metadata(), "generateName");
        Optional<String> made = name.isEmpty() && !base.isEmpty()
                ? Optional.of(base.substring(0, Math.min(base.length(), LONGEST_BASE)) + nameSuffix)
                : Optional.empty();
        String configMap = made.orElse(name) + "-barrier";
        if (configMap.length() > LONGEST_NAME) {
            throw RefusedException.of(Reason.LAUNCH_PRIORITY,
                    "Pod " + pod.describe() + ": launch priority needs a ConfigMap named after the Pod,"
                            + " and " + configMap.length() + " characters are more than " + LONGEST_NAME + "; shorten the Pod's name");
        }
        return Optional.of(new Barriers(numbers.stream().map(n -> barrier(configMap, n)).toList(), made));
    }

    private static boolean isOneNumber(List<Long> numbers) {
        for (Long number : numbers) {
            if (!number.equals(numbers.getFirst())) {
                return false;
            }
        }
        return true;
    }

    /** The last of several counts, but each must be a number. */
    private static long number(RawPod pod, Slot slot) throws RefusedException {
        long number = 0;
        if (!Parts.mayHaveEnv(slot.container(), PRIORITY)) {
            return number;
        }
        for (JsonNode env : slot.container().path("env")) {
            if (Parts.name(env).equals(PRIORITY)) {
                number = parse(pod, slot, Json.text(env, "value"));
            }
        }
        return number;
    }

    private static long parse(RawPod pod, Slot slot, String value) throws RefusedException {
        try {
            if (INTEGER.matcher(value).matches()) {
                return Long.parseLong(value);
            }
        } catch (NumberFormatException e) {
            // Beyond 64 bits: refused like any other text.
        }
        String from = slot.set().isEmpty() ? "" : " of SidecarSet " + slot.set();
        throw RefusedException.of(Reason.LAUNCH_PRIORITY,
                "container " + Parts.name(slot.container()) + from + " in Pod " + pod.describe() + ": env " + PRIORITY
                        + " is \"" + value + "\"; it must be a whole number given as value")
                .by(slot.set());
    }

    private static ObjectNode barrier(String configMap, long number) {
        ObjectNode env = Json.object();
        env.put("name", Wire.LAUNCH_BARRIER);
        env.putObject("valueFrom").putObject("configMapKeyRef").put("name", configMap).put("key", "p_" + number);
        return env;
    }
}
