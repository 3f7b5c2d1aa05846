package dev.pillion.validate;

import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

import tools.jackson.databind.JsonNode;

/** Mounts and devices of a container against the set's sound volumes (core-validation.md 4.4, 4.5). */
final class MountRules {
    private static final List<String> PROPAGATIONS = List.of("None", "HostToContainer", "Bidirectional");
    private static final List<String> RECURSIVE = List.of("Disabled", "Enabled", "IfPossible");

    private final Faults faults;
    /** Volumes without a fault of their own, by name. */
    private final Map<String, JsonNode> volumes;

    MountRules(Faults faults, Map<String, JsonNode> volumes) {
        this.faults = faults;
        this.volumes = volumes;
    }

    void check(JsonNode container, String path) {
        List<JsonNode> mounts = Node.items(container, "volumeMounts");
        List<JsonNode> devices = Node.items(container, "volumeDevices");
        Map<String, String> devicePaths = paths(devices, "devicePath");
        Map<String, String> mountPaths = paths(mounts, "mountPath");
        boolean privileged = Node.isTrue(container.path("securityContext"), "privileged");
        Set<String> seen = new HashSet<>();
        for (int j = 0; j < mounts.size(); j++) {
            mount(mounts.get(j), path, path + ".volumeMounts[" + j + "]", devicePaths, seen);
            options(mounts.get(j), path + ".volumeMounts", privileged);
        }
        Set<String> names = new HashSet<>();
        Set<String> paths = new HashSet<>();
        for (int j = 0; j < devices.size(); j++) {
            device(devices.get(j), path + ".volumeDevices[" + j + "]", mountPaths, names, paths);
        }
    }

    private static Map<String, String> paths(List<JsonNode> items, String member) {
        Map<String, String> paths = new HashMap<>();
        items.forEach(i -> paths.put(Node.text(i, "name"), Node.text(i, member)));
        return paths;
    }

    private void mount(JsonNode mount, String container, String path, Map<String, String> devices, Set<String> seen) {
        String name = Node.text(mount, "name");
        faults.present(path + ".name", name);
        String mountPath = Node.text(mount, "mountPath");
        if (!volumes.containsKey(name)) {
            faults.notFound(path + ".name", "the mount at " + Faults.quoted(mountPath) + " needs volume " + Faults.quoted(name)
                    + ", which spec.volumes does not hold, or only with faults: declare it there; or, for volumes that the pod brings,"
                    + " remove the mount and set shareVolumePolicy.type to enabled");
        }
        faults.present(path + ".mountPath", mountPath);
        if (!seen.add(mountPath)) {
            faults.invalid(path + ".mountPath", Faults.quoted(mountPath) + " is mounted more than once: mount each path once");
        }
        if (devices.containsKey(name)) {
            faults.invalid(path + ".name", Faults.quoted(name) + " is also a volumeDevice: use it in one of both ways");
        }
        if (devices.containsValue(mountPath)) {
            faults.invalid(path + ".mountPath", Faults.quoted(mountPath) + " is also a devicePath: choose another path");
        }
        String subPath = Node.text(mount, "subPath");
        String expression = Node.text(mount, "subPathExpr");
        if (volumes.containsKey(name) && Node.isSet(volumes.get(name), "image")) {
            for (String member : List.of("subPath", "subPathExpr")) {
                if (!Node.text(mount, member).isEmpty()) {
                    faults.invalid(path + "." + member, "an image volume has no sub-paths: remove it");
                }
            }
        }
        faults.invalidEach(container + ".volumeMounts.subPath", Formats.localPath(subPath));
        if (!expression.isEmpty()) {
            if (!subPath.isEmpty()) {
                faults.invalid(path + ".subPathExpr", "give subPath or subPathExpr, not both");
            }
            faults.invalidEach(container + ".volumeMounts.subPathExpr", Formats.localPath(expression));
        }
    }

    /** Compatible: these paths carry no index (core-validation.md 11). */
    private void options(JsonNode mount, String path, boolean privileged) {
        String propagation = mount.path("mountPropagation").asString("");
        boolean propagates = Node.isSet(mount, "mountPropagation");
        if (propagates) {
            faults.oneOf(path + ".mountPropagation", propagation, PROPAGATIONS);
            if (propagation.equals("Bidirectional") && !privileged) {
                faults.forbidden(path + ".mountPropagation", "Bidirectional needs a privileged container");
            }
        }
        if (!Node.isSet(mount, "recursiveReadOnly")) {
            return;
        }
        String recursive = Node.text(mount, "recursiveReadOnly");
        String at = path + ".recursiveReadOnly";
        if (recursive.equals("Enabled") || recursive.equals("IfPossible")) {
            if (!Node.isTrue(mount, "readOnly")) {
                faults.forbidden(at, "needs readOnly: true");
            }
            if (propagates && !propagation.equals("None")) {
                faults.forbidden(at, "needs mountPropagation None, or none at all");
            }
        }
        faults.oneOf(at, recursive, RECURSIVE);
    }

    private void device(JsonNode device, String path, Map<String, String> mounts, Set<String> names, Set<String> paths) {
        String name = Node.text(device, "name");
        String devicePath = Node.text(device, "devicePath");
        faults.present(path + ".name", name);
        if (!name.isEmpty() && !names.add(name)) {
            faults.invalid(path + ".name", Faults.quoted(name) + " is used by an earlier device: use each volume once");
        }
        JsonNode volume = volumes.get(name);
        if (volume == null) {
            faults.notFound(path + ".name", "the device at " + Faults.quoted(devicePath) + " needs volume " + Faults.quoted(name)
                    + ", which spec.volumes does not hold, or only with faults: declare it there; or, for volumes that the pod brings, remove"
                    + " the device and set shareVolumeDevicePolicy.type to enabled");
        } else if (!Node.isSet(volume, "persistentVolumeClaim") && !Node.isSet(volume, "ephemeral")) {
            faults.invalid(path + ".name",
                    "volume " + Faults.quoted(name) + " is no claim: only persistentVolumeClaim and ephemeral can be devices");
        }
        faults.present(path + ".devicePath", devicePath);
        if (paths.contains(devicePath)) {
            faults.invalid(path + ".devicePath", Faults.quoted(devicePath) + " is used by an earlier device: give each its own");
        }
        if (Formats.hasParentSegment(devicePath)) {
            faults.invalid(path + ".devicePath", Faults.quoted(devicePath) + " must not contain '..'");
        } else {
            paths.add(devicePath);
        }
        if (mounts.containsKey(name)) {
            faults.invalid(path + ".name", Faults.quoted(name) + " is also a volumeMount: use it in one of both ways");
        }
        if (mounts.containsValue(devicePath)) {
            faults.invalid(path + ".devicePath", Faults.quoted(devicePath) + " is also a mountPath: choose another path");
        }
    }
}
