package dev.pillion.bench;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

import dev.pillion.api.Json;
import dev.pillion.api.Revision;
import dev.pillion.api.SidecarSet;
import dev.pillion.api.Wire;
import dev.pillion.match.NamespaceView;
import dev.pillion.match.SetIndex;
import dev.pillion.revision.Defaulting;
import dev.pillion.revision.SetDefaults;

import tools.jackson.databind.node.ObjectNode;

/** Sets to measure with: one large one to write, and clusters full of others. */
final class SampleSets {
    /** How many sets take the pods of a measurement at most. */
    static final int MATCHING = 3;

    private SampleSets() {
    }

    /** A set as users write it, without defaults: 8 containers and 2 init containers with the usual members, 3 volumes. */
    static ObjectNode tenContainers() {
        ObjectNode set = set("mesh", "mesh");
        ObjectNode spec = set.withObjectProperty("spec");
        for (int i = 0; i < 8; i++) {
            container(spec.withArrayProperty("containers").addObject(), "mesh-" + i);
        }
        for (int i = 0; i < 2; i++) {
            spec.withArrayProperty("initContainers").addObject().put("name", "prepare-" + i).put("image", "registry.example/prepare:1.0")
                    .putArray("command").add("sh").add("-c").add("cp -r /from/. /to && echo done");
        }
        for (int i = 0; i < 3; i++) {
            spec.withArrayProperty("volumes").addObject().put("name", "volume-" + i).putObject("emptyDir");
        }
        return set;
    }

    private static void container(ObjectNode container, String name) {
        container.put("name", name).put("image", "registry.example/mesh@sha256:" + "0123456789abcdef".repeat(4));
        container.putArray("args").add("--config=/etc/mesh/config.yaml").add("--log-level=info");
        container.putArray("ports").addObject().put("name", "http").put("containerPort", 15001);
        for (int i = 0; i < 6; i++) {
            container.withArrayProperty("env").addObject().put("name", "SETTING_" + i).put("value", "value " + i);
        }
        container.withArrayProperty("env").addObject().put("name", "POD_IP").putObject("valueFrom").putObject("fieldRef").put("fieldPath",
                "status.podIP");
        for (int i = 0; i < 3; i++) {
            container.withArrayProperty("volumeMounts").addObject().put("name", "volume-" + i).put("mountPath", "/var/mesh/" + i);
        }
        ObjectNode resources = container.putObject("resources");
        resources.putObject("requests").put("cpu", "100m").put("memory", "64Mi");
        resources.putObject("limits").put("cpu", "1").put("memory", "256Mi");
        container.putObject("readinessProbe").putObject("httpGet").put("port", "http").put("path", "/ready");
        container.putObject("livenessProbe").putObject("tcpSocket").put("port", 15001);
    }

    private static ObjectNode set(String name, String app) {
        ObjectNode set = Json.object().put("apiVersion", Wire.V1BETA1).put("kind", Wire.KIND);
        set.putObject("metadata").put("name", name);
        set.putObject("spec").putObject("selector").putObject("matchLabels").put("app", app);
        return set;
    }

    /** A set of one container called "agent", without defaults. */
    static ObjectNode small(String name, Map<String, String> labels, String image) {
        return small(name, labels, "agent", image);
    }

    /** A set of one container, without defaults. */
    static ObjectNode small(String name, Map<String, String> labels, String container, String image) {
        ObjectNode set = Json.object().put("apiVersion", Wire.V1BETA1).put("kind", Wire.KIND);
        set.putObject("metadata").put("name", name);
        ObjectNode spec = set.putObject("spec");
        ObjectNode selector = spec.putObject("selector").putObject("matchLabels");
        labels.forEach(selector::put);
        spec.putArray("containers").addObject().put("name", container).put("image", image);
        spec.putObject("updateStrategy");
        return set;
    }

    /** What the mutating webhook makes of a set. */
    static ObjectNode defaulted(ObjectNode set) {
        return switch (SetDefaults.apply(set, "v1beta1", "CREATE", SetDefaults.Unknown.KEEP)) {
            case Defaulting.Patch(_, ObjectNode result) -> result;
            case Defaulting.Unchanged _ -> set;
            case Defaulting.Refuse(_, String message) -> throw new IllegalStateException(message);
        };
    }

    /** A cluster with that many sets of one container each; three of them call it as the large set calls its first one, for other pods. */
    static SetIndex cluster(int sets) {
        List<SidecarSet> all = new ArrayList<>();
        for (int i = 0; i < sets; i++) {
            ObjectNode set = set("set-" + i, "app-" + i);
            set.withObjectProperty("spec").putArray("containers").addObject().put("name", i < 3 ? "mesh-0" : "container-" + i).put("image",
                    "registry.example/c:1");
            all.add(SidecarSet.of(defaulted(set)));
        }
        return SetIndex.of(all, List.of());
    }

    /**
     * A cluster with that many sets of which three, or all of fewer, take the pods of {@link SamplePods}. Those three share a label with
     * all others, and each has one container: the first shares the pod's volumes, the second takes variables of it.
     */
    static SetIndex.Content admitting(int sets) {
        List<SidecarSet> all = new ArrayList<>();
        for (int i = 0; i < sets; i++) {
            ObjectNode set = set("set-" + i, i < MATCHING ? "web" : "app-" + i);
            ObjectNode spec = set.withObjectProperty("spec");
            spec.withObjectProperty("selector").withObjectProperty("matchLabels").put("tier", "backend");
            ObjectNode container = spec.withArrayProperty("containers").addObject();
            container(container, "sidecar-" + i);
            switch (i) {
                case 0 -> container.putObject("shareVolumePolicy").put("type", "enabled");
                case 1 -> container.putArray("transferEnv").addObject().put("sourceContainerName", "app").putArray("envNames")
                        .add("SETTING_0").add("SETTING_1");
                default -> container.put("podInjectPolicy", "BeforeAppContainer");
            }
            for (int v = 0; v < 3; v++) {
                spec.withArrayProperty("volumes").addObject().put("name", "volume-" + v).putObject("emptyDir");
            }
            all.add(SidecarSet.of(defaulted(set)));
        }
        return new SetIndex.Content(all, List.of(new NamespaceView(SamplePods.NAMESPACE, Map.of("team", "checkout"))), List.of(),
                Optional.empty());
    }

    /** The same, where each of the sets that take the pods pins a revision of itself. */
    static SetIndex.Content pinned(SetIndex.Content content) {
        List<SidecarSet> sets = new ArrayList<>(content.sets());
        List<Revision> revisions = new ArrayList<>();
        for (int i = 0; i < Math.min(MATCHING, sets.size()); i++) {
            SidecarSet set = sets.get(i);
            String name = set.name() + "-55f5c8b7d4";
            revisions.add(new Revision(name, "uid-" + i, "1", 1, "2025-06-01T10:00:00Z", Map.of(Wire.SET_NAME_LABEL, set.name()),
                    Map.of(Wire.HASH, set.hash(), Wire.HASH_WITHOUT_IMAGE, set.hashWithoutImage()),
                    Json.write(Json.object().set("spec", set.raw().path("spec"))), Optional.of(set.uid())));
            ObjectNode raw = set.raw().deepCopy();
            raw.withObjectProperty("spec").withObjectProperty("injectionStrategy").putObject("revision").put("revisionName", name)
                    .put("policy", "Always");
            sets.set(i, SidecarSet.of(raw));
        }
        return new SetIndex.Content(sets, content.namespaces(), revisions, content.whitelist());
    }

    /** The same cluster after a write of its last set. */
    static SetIndex.Content oneChanged(SetIndex cluster) {
        List<SidecarSet> sets = new ArrayList<>(cluster.sets());
        sets.add(SidecarSet.of(sets.removeLast().raw().deepCopy()));
        return new SetIndex.Content(sets, cluster.namespaces(), List.of(), cluster.whitelist());
    }
}
