package dev.pillion.api;

import java.util.ArrayList;
import java.util.List;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * One entry of spec.containers or spec.initContainers (api.md 2.2): what decisions read, and the whole raw entry.
 *
 * @param raw the entry as stored, unknown members included; never changed
 */
public record SidecarContainer(String name, String image, String restartPolicy, String podInjectPolicy, String upgradeType,
        String hotUpgradeEmptyImage, String shareVolumeType, String shareVolumeDeviceType, List<String> volumeNames, ObjectNode raw) {

    public SidecarContainer {
        volumeNames = List.copyOf(volumeNames);
    }

    public boolean isHot() {
        return upgradeType.equals("HotUpgrade");
    }

    /** Whether this init container is a native sidecar. */
    public boolean isNative() {
        return restartPolicy.equals("Always");
    }

    /** Names in pods: the name itself, or the two twins of a hot container (rollout.md 0). */
    public List<String> podNames() {
        return isHot() ? List.of(name + "-1", name + "-2") : List.of(name);
    }

    /** The same for an entry of initContainers: of those only native sidecars become twins (injection.md 7, step 9). */
    public List<String> initPodNames() {
        return isNative() ? podNames() : List.of(name);
    }

    static SidecarContainer of(ObjectNode raw) {
        JsonNode upgrade = raw.path("upgradeStrategy");
        List<String> volumes = new ArrayList<>();
        raw.path("volumeMounts").forEach(m -> volumes.add(Json.text(m, "name")));
        raw.path("volumeDevices").forEach(d -> volumes.add(Json.text(d, "name")));
        return new SidecarContainer(Json.text(raw, "name"), Json.text(raw, "image"), Json.text(raw, "restartPolicy"),
                Json.text(raw, "podInjectPolicy"), Json.text(upgrade, "upgradeType"), Json.text(upgrade, "hotUpgradeEmptyImage"),
                Json.text(raw.path("shareVolumePolicy"), "type"), Json.text(raw.path("shareVolumeDevicePolicy"), "type"), volumes, raw);
    }
}
