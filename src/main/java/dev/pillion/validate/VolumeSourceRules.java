package dev.pillion.validate;

import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

import tools.jackson.databind.JsonNode;

/** What each volume source needs (core-validation.md 8.1). */
final class VolumeSourceRules {
    private static final List<String> HOST_PATH_TYPES = List.of("", "DirectoryOrCreate", "Directory", "FileOrCreate", "File", "Socket",
            "CharDevice",
            "BlockDevice");
    /** Members that must not be empty, for sources with no other rule before them. */
    private static final Map<String, List<String>> NEEDED = Map.ofEntries(Map.entry("gitRepo", List.of("repository")),
            Map.entry("awsElasticBlockStore", List.of("volumeID")), Map.entry("secret", List.of("secretName")),
            Map.entry("nfs", List.of("server", "path")),
            Map.entry("iscsi", List.of("targetPortal", "iqn")), Map.entry("glusterfs", List.of("endpoints", "path")),
            Map.entry("persistentVolumeClaim", List.of("claimName")), Map.entry("rbd", List.of("monitors", "image")),
            Map.entry("cinder", List.of("volumeID")), Map.entry("cephfs", List.of("monitors")), Map.entry("flexVolume", List.of("driver")),
            Map.entry("configMap", List.of("name")), Map.entry("azureFile", List.of("secretName", "shareName")),
            Map.entry("vsphereVolume", List.of("volumePath")), Map.entry("photonPersistentDisk", List.of("pdID")),
            Map.entry("portworxVolume", List.of("volumeID")), Map.entry("azureDisk", List.of("diskName", "diskURI")),
            Map.entry("scaleIO", List.of("gateway", "system", "volumeName")), Map.entry("csi", List.of("driver")));
    private static final int MAX_BYTE = 255;
    private static final int MAX_TENANT = 65;
    private static final int MAX_DRIVER = 63;

    private final Faults faults;
    private final FileRules files;
    private final ClaimTemplateRules claims;

    VolumeSourceRules(Faults faults) {
        this.faults = faults;
        this.files = new FileRules(faults);
        this.claims = new ClaimTemplateRules(faults);
    }

    void check(String kind, JsonNode volume, String volumePath) {
        JsonNode source = volume.path(kind);
        String path = volumePath + "." + kind;
        for (String member : NEEDED.getOrDefault(kind, List.of())) {
            JsonNode value = source.path(member);
            if (value.isArray() ? value.isEmpty() : Node.text(source, member).isEmpty()) {
                faults.required(path + "." + member, "must be given");
            }
        }
        switch (kind) {
            case "emptyDir" -> {
                if (Node.quantity(source.path("sizeLimit")).signum() < 0) {
                    faults.forbidden(path + ".sizeLimit", "must not be negative");
                }
            }
            case "hostPath" -> hostPath(source, path);
            case "gitRepo" -> faults.invalidEach(path + ".directory", Formats.localPath(Node.text(source, "directory")));
            case "gcePersistentDisk" -> {
                faults.present(volumePath + ".persistentDisk.pdName", Node.text(source, "pdName"));
                oneByte(source, "partition", volumePath + ".persistentDisk");
            }
            case "awsElasticBlockStore" -> oneByte(source, "partition", path);
            case "secret", "configMap" -> keyed(source, path);
            case "nfs" -> {
                if (!Node.text(source, "path").startsWith("/")) {
                    faults.invalid(path + ".path", "must begin with '/'");
                }
            }
            case "iscsi" -> iscsi(source, path);
            case "flocker" -> flocker(source, path);
            case "cinder" -> secretName(source, "secretRef", path);
            case "quobyte" -> quobyte(source, path);
            case "downwardAPI" -> {
                files.mode(source, "defaultMode", path);
                Node.items(source, "items").forEach(i -> files.downward(i, path));
            }
            case "fc" -> fibreChannel(source, path);
            case "flexVolume" -> flexVolume(source, path);
            case "azureDisk" -> azureDisk(source, path);
            case "storageos" -> storageOs(source, path);
            case "projected" -> projected(source, path);
            case "csi" -> csi(source, volumePath, path);
            case "ephemeral" -> ephemeral(source, volume, volumePath, path);
            case "image" ->
                faults.requiredOneOf(path + ".pullPolicy", Node.text(source, "pullPolicy"), List.of("Always", "IfNotPresent", "Never"));
            default -> {
                // Nothing beyond the needed members.
            }
        }
    }

    private void oneByte(JsonNode source, String member, String path) {
        if (Node.isOutside(Node.number(source, member), 0, MAX_BYTE)) {
            faults.invalid(path + "." + member, "must be 0 to " + MAX_BYTE);
        }
    }

    private void secretName(JsonNode source, String member, String path) {
        if (Node.isSet(source, member)) {
            faults.present(path + "." + member + ".name", Node.text(source.path(member), "name"));
        }
    }

    private void hostPath(JsonNode source, String path) {
        String host = Node.text(source, "path");
        if (!faults.present(path + ".path", host)) {
            return;
        }
        if (Formats.hasParentSegment(host)) {
            faults.invalid(path + ".path", "must not contain '..'");
        }
        if (Node.isSet(source, "type")) {
            faults.oneOf(path + ".type", Node.text(source, "type"), HOST_PATH_TYPES);
        }
    }

    private void keyed(JsonNode source, String path) {
        files.mode(source, "defaultMode", path);
        List<JsonNode> items = Node.items(source, "items");
        for (int k = 0; k < items.size(); k++) {
            files.keyToPath(items.get(k), path + ".items[" + k + "]");
        }
    }

    private void iscsi(JsonNode source, String path) {
        String iqn = Node.text(source, "iqn");
        if (!iqn.isEmpty() && !Formats.isIscsiName(iqn)) {
            faults.invalid(path + ".iqn", "must be an iqn., eui. or naa. name");
        }
        oneByte(source, "lun", path);
        if ((Node.isTrue(source, "chapAuthDiscovery") || Node.isTrue(source, "chapAuthSession")) && !Node.isSet(source, "secretRef")) {
            faults.required(path + ".secretRef", "CHAP authentication needs a secret");
        }
        if (Node.isSet(source, "initiatorName") && !Formats.isIscsiName(Node.text(source, "initiatorName"))) {
            faults.invalid(path + ".initiatorname", "must be an iqn., eui. or naa. name");
        }
    }

    private void flocker(JsonNode source, String path) {
        String name = Node.text(source, "datasetName");
        String uuid = Node.text(source, "datasetUUID");
        if (name.isEmpty() && uuid.isEmpty()) {
            faults.required(path, "needs datasetName or datasetUUID");
        } else if (!name.isEmpty() && !uuid.isEmpty()) {
            faults.invalid(path, "give datasetName or datasetUUID, not both");
        }
        if (name.contains("/")) {
            faults.invalid(path + ".datasetName", "must not contain '/'");
        }
    }

    private void quobyte(JsonNode source, String path) {
        String registry = Node.text(source, "registry");
        if (registry.isEmpty()) {
            faults.required(path + ".registry", "must be host:port pairs, separated by commas");
        } else if (Formats.length(Node.text(source, "tenant")) >= MAX_TENANT) {
            faults.required(path + ".tenant", "must have less than " + MAX_TENANT + " characters");
        } else {
            for (String part : registry.split(",", -1)) {
                if (!Formats.isHostPort(part)) {
                    faults.invalid(path + ".registry", Faults.quoted(part) + " is no host:port pair");
                }
            }
        }
        faults.present(path + ".volume", Node.text(source, "volume"));
    }

    private void fibreChannel(JsonNode source, String path) {
        boolean targets = !Node.items(source, "targetWWNs").isEmpty();
        boolean ids = !Node.items(source, "wwids").isEmpty();
        if (!targets && !ids) {
            faults.required(path + ".targetWWNs", "needs targetWWNs with lun, or wwids");
        } else if (targets && ids) {
            faults.invalid(path + ".targetWWNs", "give targetWWNs or wwids, not both");
        }
        if (targets) {
            if (Node.isSet(source, "lun")) {
                oneByte(source, "lun", path);
            } else {
                faults.required(path + ".lun", "must be given with targetWWNs");
            }
        }
    }

    private void flexVolume(JsonNode source, String path) {
        for (Map.Entry<String, JsonNode> option : Node.entries(source, "options")) {
            String domain = "." + Formats.lowerCase(option.getKey().split("/", -1)[0]);
            if (domain.endsWith(".kubernetes.io") || domain.endsWith(".k8s.io")) {
                faults.invalid(path + ".options[" + option.getKey() + "]",
                        "kubernetes.io and k8s.io are reserved: use a domain of your own");
            }
        }
    }

    private void azureDisk(JsonNode source, String path) {
        if (Node.isSet(source, "cachingMode")) {
            faults.oneOf(path + ".cachingMode", Node.text(source, "cachingMode"), List.of("None", "ReadOnly", "ReadWrite"));
        }
        if (Node.isSet(source, "kind")) {
            String kind = Node.text(source, "kind");
            faults.oneOf(path + ".kind", kind, List.of("Shared", "Dedicated", "Managed"));
            String prefix = kind.equals("Managed") ? "/subscriptions/" : "https://";
            if (!Node.text(source, "diskURI").startsWith(prefix)) {
                faults.oneOf(path + ".diskURI", Node.text(source, "diskURI"), List.of(prefix + "..."));
            }
        }
    }

    private void storageOs(JsonNode source, String path) {
        String name = Node.text(source, "volumeName");
        if (faults.present(path + ".volumeName", name)) {
            faults.invalidEach(path + ".volumeName", Formats.label(name));
        }
        String namespace = Node.text(source, "volumeNamespace");
        if (!namespace.isEmpty()) {
            faults.invalidEach(path + ".volumeNamespace", Formats.label(namespace));
        }
        secretName(source, "secretRef", path);
    }

    private void projected(JsonNode source, String path) {
        files.mode(source, "defaultMode", path);
        Set<String> used = new HashSet<>();
        List<JsonNode> sources = Node.items(source, "sources");
        for (int j = 0; j < sources.size(); j++) {
            files.projection(sources.get(j), path, path + ".sources[" + j + "]", used);
        }
    }

    private void csi(JsonNode source, String volumePath, String path) {
        String driver = Node.text(source, "driver");
        if (Formats.length(driver) > MAX_DRIVER) {
            faults.tooLong(path + ".driver", MAX_DRIVER);
        }
        faults.invalidEach(path + ".driver", Formats.subdomain(Formats.lowerCase(driver)));
        if (Node.isSet(source, "nodePublishSecretRef")) {
            String name = Node.text(source.path("nodePublishSecretRef"), "name");
            if (faults.present(path + ".nodePublishSecretRef.name", name)) {
                faults.invalidEach(volumePath + ".csi.name", Formats.subdomain(name));
            }
        }
    }

    private void ephemeral(JsonNode source, JsonNode volume, String volumePath, String path) {
        if (Node.isSet(source, "volumeClaimTemplate")) {
            claims.check(source.path("volumeClaimTemplate"), path + ".volumeClaimTemplate");
        } else {
            faults.required(path + ".volumeClaimTemplate", "must be given");
        }
        String name = Node.text(volume, "name");
        if (!name.isEmpty()) {
            faults.invalidEach(volumePath + ".name", Formats.subdomain("test-" + name));
        }
    }
}
