package dev.pillion.sandbox;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

import tools.jackson.databind.JsonNode;

/**
 * The checks of core/v1 pod specs that manifests and injectors run into: names, duplicates, images, ports, env, volumes and their mounts, policies, resources.
 * Not the whole list of a real server.
 */
final class PodValidation {
    /** Of Kubernetes 1.36; any other member of a volume is none. */
    private static final Set<String> VOLUME_SOURCES = Set.of("hostPath", "emptyDir", "gcePersistentDisk", "awsElasticBlockStore", "gitRepo",
            "secret",
            "nfs", "iscsi", "glusterfs", "persistentVolumeClaim", "rbd", "flexVolume", "cinder", "cephfs", "flocker", "downwardAPI", "fc",
            "azureFile",
            "configMap", "vsphereVolume", "quobyte", "azureDisk", "photonPersistentDisk", "projected", "portworxVolume", "scaleIO",
            "storageos", "csi",
            "ephemeral", "image");
    private final String root;
    private final List<Cause> faults = new ArrayList<>();
    private final Set<String> volumes = new HashSet<>();
    private final Set<String> containers = new HashSet<>();

    /** @param root path of the pod spec, "spec" or "spec.template.spec" */
    PodValidation(String root) {
        this.root = root;
    }

    List<Cause> check(JsonNode spec) {
        checkVolumes(spec.path("volumes"));
        if (spec.path("containers").isEmpty()) {
            faults.add(Cause.required(root + ".containers", ""));
        }
        checkContainers(spec.path("containers"), root + ".containers");
        checkContainers(spec.path("initContainers"), root + ".initContainers");
        checkContainers(spec.path("ephemeralContainers"), root + ".ephemeralContainers");
        oneOf(spec, "restartPolicy", root, "\"Always\", \"OnFailure\", \"Never\"");
        oneOf(spec, "dnsPolicy", root, "\"ClusterFirst\", \"ClusterFirstWithHostNet\", \"Default\", \"None\"");
        JsonNode grace = spec.path("terminationGracePeriodSeconds");
        if (grace.isNumber() && grace.longValue() < 0) {
            faults.add(Cause.invalid(root + ".terminationGracePeriodSeconds", grace.toString(), "must be greater than or equal to 0"));
        }
        JsonNode references = spec.path("imagePullSecrets");
        for (int i = 0; i < references.size(); i++) {
            required(references.path(i), "name", root + ".imagePullSecrets[" + i + "]");
        }
        return List.copyOf(faults);
    }

    private void checkVolumes(JsonNode list) {
        for (int i = 0; i < list.size(); i++) {
            String at = root + ".volumes[" + i + "]";
            JsonNode volume = list.path(i);
            String name = Trees.text(volume, "name");
            if (name.isEmpty()) {
                faults.add(Cause.required(at + ".name", ""));
            } else if (!Names.isLabel(name)) {
                faults.add(Cause.invalid(at + ".name", Names.quoted(name), Names.LABEL_TEXT));
            } else if (!volumes.add(name)) {
                faults.add(Cause.duplicate(at + ".name", Names.quoted(name)));
            }
            List<String> sources = volume.propertyStream()
                    .filter(entry -> VOLUME_SOURCES.contains(entry.getKey()) && !entry.getValue().isNull())
                    .map(Map.Entry::getKey).toList();
            if (sources.isEmpty()) {
                faults.add(Cause.required(at, "must specify a volume type"));
            } else if (sources.size() > 1) {
                faults.add(Cause.forbidden(at + "." + sources.get(1), "may not specify more than 1 volume type"));
            }
        }
    }

    private void checkContainers(JsonNode list, String path) {
        for (int i = 0; i < list.size(); i++) {
            checkContainer(list.path(i), path + "[" + i + "]");
        }
    }

    private void checkContainer(JsonNode container, String at) {
        String name = Trees.text(container, "name");
        if (name.isEmpty()) {
            faults.add(Cause.required(at + ".name", ""));
        } else if (!Names.isLabel(name)) {
            faults.add(Cause.invalid(at + ".name", Names.quoted(name), Names.LABEL_TEXT));
        } else if (!containers.add(name)) {
            faults.add(Cause.duplicate(at + ".name", Names.quoted(name)));
        }
        checkImage(container, at);
        oneOf(container, "imagePullPolicy", at, "\"Always\", \"IfNotPresent\", \"Never\"");
        oneOf(container, "terminationMessagePolicy", at, "\"FallbackToLogsOnError\", \"File\"");
        checkPorts(container.path("ports"), at + ".ports");
        JsonNode env = container.path("env");
        for (int i = 0; i < env.size(); i++) {
            required(env.path(i), "name", at + ".env[" + i + "]");
            if (!Trees.text(env.path(i), "value").isEmpty() && !env.path(i).path("valueFrom").isEmpty()) {
                faults.add(Cause.invalid(at + ".env[" + i + "].valueFrom", "\"\"", "may not be specified when `value` is not empty"));
            }
        }
        checkMounts(container, at);
        checkResources(container.path("resources"), at + ".resources");
    }

    private void checkImage(JsonNode container, String at) {
        String image = Trees.text(container, "image");
        if (image.isEmpty() && root.equals("spec")) {
            faults.add(Cause.required(at + ".image", ""));
        } else if (!image.strip().equals(image)) {
            faults.add(Cause.invalid(at + ".image", Names.quoted(image), "must not have leading or trailing whitespace"));
        }
    }

    private void checkPorts(JsonNode ports, String path) {
        Set<String> names = new HashSet<>();
        for (int i = 0; i < ports.size(); i++) {
            JsonNode port = ports.path(i);
            String at = path + "[" + i + "]";
            JsonNode number = port.path("containerPort");
            if (number.asInt(0) == 0) {
                faults.add(Cause.required(at + ".containerPort", ""));
            } else if (number.asInt(0) < 1 || number.asInt(0) > 65_535) {
                faults.add(Cause.invalid(at + ".containerPort", number.toString(), "must be between 1 and 65535, inclusive"));
            }
            String name = Trees.text(port, "name");
            if (name.length() > 15 || (!name.isEmpty() && !Names.isLabel(name))) {
                faults.add(Cause.invalid(at + ".name", Names.quoted(name),
                        name.length() > 15
                                ? "must be no more than 15 characters"
                                : "must contain only alpha-numeric characters (a-z, 0-9), and hyphens (-)"));
            } else if (!name.isEmpty() && !names.add(name)) {
                faults.add(Cause.duplicate(at + ".name", Names.quoted(name)));
            }
            oneOf(port, "protocol", at, "\"SCTP\", \"TCP\", \"UDP\"");
        }
    }

    private void checkMounts(JsonNode container, String at) {
        Set<String> paths = new HashSet<>();
        JsonNode mounts = container.path("volumeMounts");
        for (int i = 0; i < mounts.size(); i++) {
            String mount = at + ".volumeMounts[" + i + "]";
            String name = Trees.text(mounts.path(i), "name");
            if (name.isEmpty()) {
                faults.add(Cause.required(mount + ".name", ""));
            }
            if (!volumes.contains(name)) {
                faults.add(Cause.notFound(mount + ".name", Names.quoted(name)));
            }
            String path = Trees.text(mounts.path(i), "mountPath");
            if (path.isEmpty()) {
                faults.add(Cause.required(mount + ".mountPath", ""));
            } else if (!paths.add(path)) {
                faults.add(Cause.invalid(mount + ".mountPath", Names.quoted(path), "must be unique"));
            }
        }
        JsonNode devices = container.path("volumeDevices");
        for (int i = 0; i < devices.size(); i++) {
            if (!volumes.contains(Trees.text(devices.path(i), "name"))) {
                faults.add(Cause.notFound(at + ".volumeDevices[" + i + "].name", Names.quoted(Trees.text(devices.path(i), "name"))));
            }
        }
    }

    private void checkResources(JsonNode resources, String at) {
        for (String list : List.of("limits", "requests")) {
            resources.path(list).properties().forEach(entry -> {
                if (Amount.parse(entry.getValue()).isEmpty()) {
                    throw ApiError
                            .badRequest("Pod in version \"v1\" cannot be handled as a Pod: quantities must match the regular expression"
                                    + " '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'");
                }
            });
        }
        resources.path("requests").properties().forEach(entry -> {
            JsonNode limit = resources.path("limits").path(entry.getKey());
            if (!limit.isMissingNode() && Amount.parse(entry.getValue()).orElseThrow().compareTo(Amount.parse(limit).orElseThrow()) > 0) {
                faults.add(Cause.invalid(at + ".requests", Names.quoted(entry.getValue().asString()),
                        "must be less than or equal to " + entry.getKey() + " limit of " + limit.asString()));
            }
        });
    }

    private void required(JsonNode object, String member, String at) {
        if (Trees.text(object, member).isEmpty()) {
            faults.add(Cause.required(at + "." + member, ""));
        }
    }

    private void oneOf(JsonNode object, String member, String at, String supported) {
        JsonNode value = object.path(member);
        if (value.isString() && !List.of(supported.split(", ", -1)).contains(Names.quoted(value.stringValue()))) {
            faults.add(Cause.notSupported(at + "." + member, Names.quoted(value.stringValue()), supported));
        }
    }
}
