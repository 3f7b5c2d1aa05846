package dev.pillion.bench;

import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

import dev.pillion.api.Json;
import dev.pillion.api.SidecarContainer;
import dev.pillion.api.SidecarSet;
import dev.pillion.api.Wire;
import dev.pillion.podmeta.HashAnnotation;
import dev.pillion.podmeta.HashAnnotation.Entry;

import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Pods as a cluster stores them: owner, labels of a Deployment, two containers with variables and probes, the sidecars of some sets
 * injected, 5 to 6 KB of JSON. Names, owners, nodes, labels and times differ as those of real ones do.
 */
final class StoredPods {
    private static final Instant FIRST = Instant.parse("2026-01-02T03:04:05Z");
    private static final String CREATED = FIRST.toString();
    private static final int PER_OWNER = 20;
    private static final int NODES = 500;

    private final String namespace;
    private final List<SidecarSet> sets;
    private final Map<String, String> annotations = new HashMap<>();

    /** @param sets whose sidecars every Pod of these has, as they are stored */
    StoredPods(String namespace, List<SidecarSet> sets) {
        this.namespace = namespace;
        this.sets = List.copyOf(sets);
        Map<String, Entry> hashes = new HashMap<>();
        Map<String, Entry> withoutImage = new HashMap<>();
        for (SidecarSet set : sets) {
            Optional<List<String>> names = Optional.of(set.containers().stream().map(SidecarContainer::name).sorted().toList());
            hashes.put(set.name(), new Entry(Optional.of(CREATED), set.hash(), set.name(), names, set.status().latestRevision()));
            withoutImage.put(set.name(), new Entry(Optional.of(CREATED), set.hashWithoutImage(), set.name(), names, ""));
        }
        annotations.put(Wire.HASH, HashAnnotation.present(hashes).write());
        annotations.put(Wire.HASH_WITHOUT_IMAGE, HashAnnotation.present(withoutImage).write());
        annotations.put(Wire.INJECTED_LIST, String.join(",", sets.stream().map(SidecarSet::name).sorted().toList()));
    }

    /**
     * One Pod on its node, without status.
     *
     * @param number makes name, owner and node; Pods of the same twenty numbers have one owner
     * @param labels besides those of the owner
     */
    ObjectNode pod(int number, Map<String, String> labels) {
        int owner = owner(number);
        String hash = Integer.toHexString(0x5f3759df + owner * 7919);
        ObjectNode pod = Json.object().put("apiVersion", "v1").put("kind", "Pod");
        ObjectNode metadata = pod.putObject("metadata");
        String application = "service-" + owner;
        metadata.put("name", application + "-" + hash + "-" + suffix(number)).put("generateName", application + "-" + hash + "-")
                .put("namespace", namespace);
        ObjectNode own = metadata.putObject("labels").put("app.kubernetes.io/name", application).put("pod-template-hash", hash);
        labels.forEach(own::put);
        ObjectNode texts = metadata.putObject("annotations").put("prometheus.io/scrape", "true").put("prometheus.io/port", "9090");
        annotations.forEach((key, text) -> texts.put(key, text.replace(CREATED, created(number))));
        metadata.putArray("ownerReferences").addObject().put("apiVersion", "apps/v1").put("kind", "ReplicaSet")
                .put("name", application + "-" + hash).put("uid", "00000000-0000-4000-8000-" + String.format(Locale.ROOT, "%012x", owner))
                .put("controller", true);
        spec(pod.putObject("spec"), number, application);
        return pod;
    }

    /** The owner of the Pod of this number; all its Pods have the same labels. */
    static int owner(int number) {
        return number / PER_OWNER;
    }

    /** When the Pod of this number was created: each in a second of its own. */
    private static String created(int number) {
        return FIRST.plusSeconds(number).toString();
    }

    /** Gives a Pod the status of one that runs what it should and is ready. */
    static void run(ObjectNode pod, int number) {
        String created = created(number);
        ObjectNode status = pod.putObject("status").put("phase", "Running").put("startTime", created).put("podIP", "10.1.2.3");
        ArrayNode conditions = status.putArray("conditions");
        for (String type : List.of("PodScheduled", "Initialized", "ContainersReady", "Ready")) {
            conditions.addObject().put("type", type).put("status", "True").put("lastTransitionTime", created);
        }
        ArrayNode statuses = status.putArray("containerStatuses");
        pod.path("spec").path("containers").forEach(container -> {
            String image = Json.text(container, "image");
            statuses.addObject().put("name", Json.text(container, "name")).put("image", image).put("imageID", imageId(image))
                    .put("ready", true).put("restartCount", 0).put("started", true).putObject("state").putObject("running")
                    .put("startedAt", created);
        });
    }

    private static String imageId(String image) {
        return image.substring(0, image.lastIndexOf(':')) + "@sha256:" + Integer.toHexString(image.hashCode()).repeat(8);
    }

    private void spec(ObjectNode spec, int number, String application) {
        spec.put("nodeName", "node-" + number % NODES + ".cluster.example").put("terminationGracePeriodSeconds", 30);
        ArrayNode containers = spec.putArray("containers");
        container(containers.addObject(), "main", "registry.example/shop/" + application + ":2026.01." + number % 3, 20);
        container(containers.addObject(), "cache", "registry.example/shop/cache:7.2", 6);
        for (SidecarSet set : sets) {
            for (SidecarContainer container : set.containers()) {
                ObjectNode injected = containers.addObject().put("name", container.name()).put("image", container.image());
                injected.putArray("env").addObject().put("name", Wire.IS_INJECTED).put("value", "true");
                injected.putArray("volumeMounts").addObject().put("name", "spool").put("mountPath", "/spool");
            }
        }
        spec.putArray("volumes").addObject().put("name", "spool").putObject("emptyDir");
    }

    private static void container(ObjectNode container, String name, String image, int variables) {
        container.put("name", name).put("image", image);
        ArrayNode env = container.putArray("env");
        for (int i = 0; i < variables; i++) {
            env.addObject().put("name", name.toUpperCase(Locale.ROOT) + "_SETTING_" + i).put("value",
                    "https://configuration.example/" + name + "/" + i);
        }
        ObjectNode resources = container.putObject("resources");
        resources.putObject("requests").put("cpu", "250m").put("memory", "256Mi");
        resources.putObject("limits").put("memory", "512Mi");
        container.putObject("readinessProbe").put("periodSeconds", 5).putObject("httpGet").put("path", "/ready").put("port", 8080);
        container.putObject("livenessProbe").put("periodSeconds", 10).putObject("httpGet").put("path", "/live").put("port", 8080);
        container.putArray("volumeMounts").addObject().put("name", "spool").put("mountPath", "/spool");
    }

    /** Five letters, as the API server makes them from a generateName, different for each number below 30 million. */
    private static String suffix(int number) {
        StringBuilder text = new StringBuilder();
        String letters = "bcdfghjklmnpqrstvwxz2456789";
        for (int rest = number, i = 0; i < 5; i++, rest /= letters.length()) {
            text.append(letters.charAt((rest + i * 7) % letters.length()));
        }
        return text.toString();
    }
}
