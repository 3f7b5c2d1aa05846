package dev.pillion.match;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

import org.jspecify.annotations.Nullable;

import dev.pillion.api.ByteOrder;
import dev.pillion.api.FixedJson;
import dev.pillion.api.Json;
import dev.pillion.api.SidecarContainer;
import dev.pillion.api.Wire;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** A container of a set with the parts that go into pods, made when the first pod asks for them. Safe for all threads. */
public final class CompiledContainer {
    private static final Set<String> SET_MEMBERS = Set.of("podInjectPolicy", "upgradeStrategy", "shareVolumePolicy",
            "shareVolumeDevicePolicy", "transferEnv", "resourcesPolicy");
    private static final String ENABLED = "enabled";

    /** The env that tells a container of ours. */
    private static final ObjectNode MARKER = FixedJson.of(Json.object().put("name", Wire.IS_INJECTED).put("value", "true"));

    private final SidecarContainer written;
    private volatile @Nullable Parts parts;

    private record Parts(ObjectNode core, ObjectNode rest, ArrayNode env, ObjectNode inPod, List<Transfer> transfers, Set<String> envNames,
            Set<String> mountPaths) {
    }

    /**
     * One entry of transferEnv.
     *
     * @param names of the variables, each once, in the order of the UTF-8 bytes
     * @param source the container they are of; "" when it is not written
     * @param fieldPath of the Pod, which tells the container instead
     */
    public record Transfer(List<String> names, String source, Optional<String> fieldPath) {
        private static Transfer of(JsonNode entry) {
            Set<String> names = new TreeSet<>(ByteOrder.UTF8);
            if (!Json.text(entry, "envName").isEmpty()) {
                names.add(Json.text(entry, "envName"));
            }
            entry.path("envNames").forEach(n -> names.add(n.asString("")));
            JsonNode fieldRef = entry.path("sourceContainerNameFrom").path("fieldRef");
            return new Transfer(List.copyOf(names), Json.text(entry, "sourceContainerName"),
                    fieldRef.isObject() ? Optional.of(Json.text(fieldRef, "fieldPath")) : Optional.empty());
        }
    }

    private CompiledContainer(SidecarContainer written) {
        this.written = written;
    }

    static CompiledContainer of(SidecarContainer written) {
        return new CompiledContainer(written);
    }

    public SidecarContainer written() {
        return written;
    }

    public String name() {
        return written.name();
    }

    /** The entry without the members that only a SidecarSet has, and without nulls (injection.md 7, step 10); unknown members go along. */
    public ObjectNode core() {
        return parts().core();
    }

    /** The core with the marker of injection: all there is to it, unless it takes something from the pod. Never changed. */
    public ObjectNode inPod() {
        return parts().inPod();
    }

    /** The core without env and whatever else may come out differently for each pod ({@link #takesFromPod}). Never changed. */
    public ObjectNode rest() {
        return parts().rest();
    }

    /** Its own env with the marker. Never changed. */
    public ArrayNode env() {
        return parts().env();
    }

    /** Names of the env of the container in the pod, the marker's among them, but for what it takes from the pod. */
    public Set<String> envNames() {
        return parts().envNames();
    }

    /** Where its own volumes and devices are in the container. */
    public Set<String> mountPaths() {
        return parts().mountPaths();
    }

    /** The env it takes from other containers, entry by entry. */
    public List<Transfer> transfers() {
        return parts().transfers();
    }

    /** Whether it takes resources, mounts, devices or env from the pod (injection.md 7, 9). */
    public boolean takesFromPod() {
        JsonNode raw = written.raw();
        return raw.path("resourcesPolicy").isObject() || !raw.path("transferEnv").isEmpty() || sharesVolumes() || sharesDevices();
    }

    private Parts parts() {
        Parts known = parts;
        if (known == null) {
            ObjectNode core = Json.object();
            written.raw().properties().forEach(member -> {
                if (!SET_MEMBERS.contains(member.getKey()) && !member.getValue().isNull()) {
                    core.set(member.getKey(), member.getValue());
                }
            });
            ObjectNode fixed = FixedJson.withParts(core);
            List<Transfer> transfers = new ArrayList<>();
            written.raw().path("transferEnv").forEach(entry -> transfers.add(Transfer.of(entry)));
            ArrayNode env = marked(fixed.path("env"));
            Set<String> open = open();
            ObjectNode rest = Json.object();
            ObjectNode all = Json.object();
            fixed.properties().forEach(member -> {
                all.set(member.getKey(), member.getValue());
                if (!open.contains(member.getKey())) {
                    rest.set(member.getKey(), member.getValue());
                }
            });
            all.set("env", env);
            Set<String> paths = texts(fixed.path("volumeDevices"), "devicePath");
            paths.addAll(texts(fixed.path("volumeMounts"), "mountPath"));
            known = new Parts(fixed, FixedJson.of(rest), env, FixedJson.of(all), List.copyOf(transfers), Set.copyOf(texts(env, "name")),
                    Set.copyOf(paths));
            parts = known;
        }
        return known;
    }

    private static Set<String> texts(JsonNode list, String member) {
        Set<String> texts = new HashSet<>();
        list.forEach(item -> texts.add(Json.text(item, member)));
        return texts;
    }

    private static ArrayNode marked(JsonNode own) {
        ArrayNode env = Json.NODES.arrayNode();
        own.forEach(env::add);
        // Compatible: appended even if the sidecar declares one.
        env.add(MARKER);
        return FixedJson.of(env);
    }

    /** Members that are made for each pod. */
    private Set<String> open() {
        Set<String> open = new HashSet<>(Set.of("env"));
        if (written.raw().path("resourcesPolicy").isObject()) {
            open.add("resources");
        }
        if (sharesVolumes()) {
            open.add("volumeMounts");
        }
        if (sharesDevices()) {
            open.add("volumeDevices");
        }
        return open;
    }

    public boolean sharesVolumes() {
        return written.shareVolumeType().equals(ENABLED);
    }

    public boolean sharesDevices() {
        return written.shareVolumeDeviceType().equals(ENABLED);
    }
}
