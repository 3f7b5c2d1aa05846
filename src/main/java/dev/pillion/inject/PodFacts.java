package dev.pillion.inject;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import org.jspecify.annotations.Nullable;

import dev.pillion.api.Json;

import tools.jackson.databind.JsonNode;

/**
 * What sidecars take from the pod as submitted, with patched annotations (injection.md 6.3, 7). Worked out once per request, when first
 * asked for. One thread only.
 */
final class PodFacts {
    private static final Pattern REFERENCE = Pattern.compile("\\$\\(([-._a-zA-Z][-._a-zA-Z0-9]*)\\)");

    /** Mounts, and the env their sub-paths refer to, of the containers that share. */
    record Shared(List<JsonNode> mounts, List<JsonNode> env, List<JsonNode> devices) {
    }

    private final RawPod pod;
    private final Map<String, String> annotations;
    private final Set<String> ownEnv;
    private final List<JsonNode> containers = new ArrayList<>();
    private final List<JsonNode> targets = new ArrayList<>();
    private @Nullable Shared shared;

    /**
     * What an earlier call put there is no source of anything (FR-20).
     *
     * @param own whether the sets have a container of this name
     * @param ownEnv names of env that containers of the pod got
     */
    PodFacts(RawPod pod, Map<String, String> annotations, Predicate<String> own, Set<String> ownEnv) {
        this.pod = pod;
        this.annotations = annotations;
        this.ownEnv = ownEnv;
        for (JsonNode container : pod.list("containers")) {
            if (!isOwn(container, own)) {
                containers.add(container);
            }
        }
        for (JsonNode container : pod.list("initContainers")) {
            if (Parts.isNative(container) && !isOwn(container, own)) {
                targets.add(container);
            }
        }
        targets.addAll(containers);
    }

    private static boolean isOwn(JsonNode container, Predicate<String> own) {
        return own.test(Parts.name(container)) && Parts.isMarked(container);
    }

    /** Native sidecars of the pod, then its containers: what resourcesPolicy adds up (injection.md 9, rule 1). */
    List<JsonNode> resourceTargets() {
        return targets;
    }

    Optional<String> fieldRef(String path) {
        return FieldPath.read(path, pod.labels(), annotations);
    }

    /** An env of a container; init containers are not searched, the last of equals wins (trap 12). */
    Optional<JsonNode> env(String container, String name) {
        if (ownEnv.contains(name)) {
            return Optional.empty();
        }
        for (JsonNode item : containers.reversed()) {
            Optional<JsonNode> found = Parts.name(item).equals(container) ? Parts.lastEnv(item, name) : Optional.empty();
            if (found.isPresent()) {
                return found;
            }
        }
        return Optional.empty();
    }

    /** What containers without the injection marker share (injection.md 7, steps 2 and 8). */
    Shared shared() {
        Shared known = shared;
        if (known == null) {
            known = collect();
            shared = known;
        }
        return known;
    }

    private Shared collect() {
        List<JsonNode> mounts = new ArrayList<>();
        List<JsonNode> variables = new ArrayList<>();
        List<JsonNode> devices = new ArrayList<>();
        Set<String> names = new HashSet<>();
        for (JsonNode container : containers) {
            if (Parts.isMarked(container)) {
                continue;
            }
            for (JsonNode mount : container.path("volumeMounts")) {
                mounts.add(mount);
                String path = Json.text(mount, "subPathExpr");
                if (path.isEmpty()) {
                    continue;
                }
                Matcher references = REFERENCE.matcher(path);
                while (references.find()) {
                    firstEnv(container, references.group(1)).filter(e -> !ownEnv.contains(Parts.name(e)) && names.add(Parts.name(e)))
                            .ifPresent(variables::add);
                }
            }
            container.path("volumeDevices").forEach(devices::add);
        }
        return new Shared(mounts, variables, devices);
    }

    private static Optional<JsonNode> firstEnv(JsonNode container, String name) {
        for (JsonNode item : container.path("env")) {
            if (Parts.name(item).equals(name)) {
                return Optional.of(item);
            }
        }
        return Optional.empty();
    }
}
