package dev.pillion.validate;

import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

import tools.jackson.databind.JsonNode;

/** The set's volumes (core-validation.md 8). */
final class VolumeRules {
    /** Order in which sources are looked at; the first one given is checked by content. */
    private static final List<String> SOURCES = List.of("emptyDir", "hostPath", "gitRepo", "gcePersistentDisk", "awsElasticBlockStore",
            "secret", "nfs",
            "iscsi", "glusterfs", "flocker", "persistentVolumeClaim", "rbd", "cinder", "cephfs", "quobyte", "downwardAPI", "fc",
            "flexVolume", "configMap",
            "azureFile", "vsphereVolume", "photonPersistentDisk", "portworxVolume", "azureDisk", "storageos", "projected", "scaleIO", "csi",
            "ephemeral",
            "image");
    private static final String CLAIM_PREFIX = "test-";
    private static final int MAX_PORTAL = 64;

    private final Faults faults;
    private final VolumeSourceRules sources;

    VolumeRules(Faults faults) {
        this.faults = faults;
        this.sources = new VolumeSourceRules(faults);
    }

    /** Returns the volumes that have no fault of rows 1-5, by name: only these can be mounted. */
    Map<String, JsonNode> check(List<JsonNode> volumes) {
        Set<String> ephemeralClaims = volumes.stream().filter(v -> Node.isSet(v, "ephemeral")).map(v -> CLAIM_PREFIX + Node.text(v, "name"))
                .collect(Collectors.toCollection(HashSet::new));
        Map<String, JsonNode> sound = new HashMap<>();
        for (int i = 0; i < volumes.size(); i++) {
            String path = "spec.volumes[" + i + "]";
            JsonNode volume = volumes.get(i);
            int before = faults.size();
            check(volume, path, sound.keySet());
            if (faults.size() == before) {
                sound.put(Node.text(volume, "name"), volume);
            }
            JsonNode claim = volume.path("persistentVolumeClaim");
            if (claim.isObject() && ephemeralClaims.contains(Node.text(claim, "claimName"))) {
                faults.invalid(path + ".persistentVolumeClaim.claimName", "is the name of an ephemeral volume's claim: choose another");
            }
        }
        return sound;
    }

    private void check(JsonNode volume, String path, Set<String> earlier) {
        String name = Node.text(volume, "name");
        boolean found = false;
        for (String source : SOURCES) {
            if (!Node.isSet(volume, source)) {
                continue;
            }
            if (found) {
                faults.forbidden(path + "." + further(source), "a volume has one source: remove the others");
            } else {
                found = true;
                sources.check(source, volume, path);
            }
        }
        JsonNode iscsi = volume.path("iscsi");
        if (Node.isSet(iscsi, "initiatorName") && Formats.length(name + ":" + Node.text(iscsi, "targetPortal")) > MAX_PORTAL) {
            faults.invalid(path + ".name", "volume name and target portal together must have less than " + MAX_PORTAL + " characters");
        }
        if (!found) {
            faults.required(path, "needs a source such as emptyDir, configMap or hostPath");
        }
        if (faults.present(path + ".name", name)) {
            faults.invalidEach(path + ".name", Formats.label(name));
        }
        if (earlier.contains(name)) {
            faults.duplicate(path + ".name", name);
        }
    }

    /** Compatible: two members are misspelt in the reference's paths (core-validation.md 11). */
    private static String further(String source) {
        return switch (source) {
            case "cephfs" -> "cephFS";
            case "downwardAPI" -> "downwarAPI";
            default -> source;
        };
    }
}
