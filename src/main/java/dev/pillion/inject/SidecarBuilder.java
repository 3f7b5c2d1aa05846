package dev.pillion.inject;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Supplier;

import dev.pillion.api.Json;
import dev.pillion.api.Wire;
import dev.pillion.match.CompiledContainer;
import dev.pillion.match.CompiledSet;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Makes the container that goes into the pod out of a set's entry (injection.md 7):
 * <ol>
 * <li>resources computed from the pod's containers;
 * <li>shared mounts and devices, and the env that their sub-paths need;
 * <li>transferred env;
 * <li>the marker IS_INJECTED, always appended;
 * <li>two twins instead of one container for a hot upgrade.
 * </ol>
 * The fragments of the set and the pod's own nodes go in as they are; nobody may change them afterwards.
 */
final class SidecarBuilder {
    private static final String ENABLED = "enabled";

    private final PodFacts facts;
    private final ResourcesPolicy resources;
    private final Notes notes;

    SidecarBuilder(PodFacts facts, ResourcesPolicy resources, Notes notes) {
        this.facts = facts;
        this.resources = resources;
        this.notes = notes;
    }

    /** Appends one container, or two twins; their annotations go into the given map. */
    void build(CompiledSet set, CompiledContainer container, boolean hot, List<Built> into, Map<String, String> annotations)
            throws RefusedException {
        ObjectNode node = container.takesFromPod() ? withPartsOfThePod(set, container) : container.inPod();
        Built.Place place = container.written().podInjectPolicy().equals("BeforeAppContainer") ? Built.Place.BEFORE : Built.Place.AFTER;
        if (!hot) {
            into.add(new Built(set.name(), node, place));
            return;
        }
        String image = container.written().hotUpgradeEmptyImage();
        into.add(new Built(set.name(), twin(node, container.name() + "-1", container.written().image(), annotations, "1", "0"), place));
        into.add(new Built(set.name(), twin(node, container.name() + "-2", image, annotations, "0", "1"), place));
    }

    private ObjectNode withPartsOfThePod(CompiledSet set, CompiledContainer container) throws RefusedException {
        ObjectNode node = Json.object();
        container.core().properties().forEach(member -> node.set(member.getKey(), member.getValue()));
        JsonNode policy = container.written().raw().path("resourcesPolicy");
        if (policy.isObject()) {
            node.set("resources", resources.compute(set, container, policy));
        }
        ArrayNode env = env(set, container);
        mounts(container, node);
        devices(container, node);
        return node.set("env", env);
    }

    private static ObjectNode twin(ObjectNode original, String name, String image, Map<String, String> annotations, String version,
            String versionAlt) {
        ObjectNode twin = Json.object();
        original.properties().forEach(member -> twin.set(member.getKey(), member.getValue()));
        twin.put("name", name);
        if (image.isEmpty()) {
            twin.remove("image");
        } else {
            twin.put("image", image);
        }
        ArrayNode env = Json.NODES.arrayNode();
        original.path("env").forEach(env::add);
        env.add(annotationEnv(Wire.SIDECARSET_VERSION, Wire.VERSION_PREFIX + name));
        env.add(annotationEnv(Wire.SIDECARSET_VERSION_ALT, Wire.VERSION_ALT_PREFIX + name));
        twin.set("env", env);
        annotations.put(Wire.VERSION_PREFIX + name, version);
        annotations.put(Wire.VERSION_ALT_PREFIX + name, versionAlt);
        return twin;
    }

    private static ObjectNode annotationEnv(String name, String annotation) {
        ObjectNode env = Json.object();
        env.put("name", name);
        env.putObject("valueFrom").putObject("fieldRef").put("fieldPath", "metadata.annotations['" + annotation + "']");
        return env;
    }

    /** Own env, the marker, then transferred ones of new names; the first of equals wins. */
    private ArrayNode env(CompiledSet set, CompiledContainer container) {
        List<JsonNode> transferred = new ArrayList<>();
        for (CompiledContainer.Transfer transfer : container.transfers()) {
            transfer(transfer, transferred,
                    note -> notes.add(set.name(), () -> "transferEnv of container " + container.name() + ": " + note.get()));
        }
        if (container.written().shareVolumeType().equals(ENABLED)) {
            transferred.addAll(facts.shared().env());
        }
        ArrayNode env = Json.NODES.arrayNode();
        container.inPod().path("env").forEach(env::add);
        addNew(transferred, "name", container.envNames(), env);
        return env;
    }

    private void transfer(CompiledContainer.Transfer transfer, List<JsonNode> transferred, Consumer<Supplier<String>> note) {
        Optional<String> source = transfer.fieldPath().isPresent()
                ? facts.fieldRef(transfer.fieldPath().get())
                : Optional.of(transfer.source());
        if (source.isEmpty()) {
            // Compatible: an invalid path skips the entry.
            note.accept(() -> "fieldPath " + transfer.fieldPath().orElse("") + " cannot be read; the entry is left out");
            return;
        }
        for (String name : transfer.names()) {
            facts.env(source.get(), name).ifPresentOrElse(transferred::add,
                    () -> note.accept(() -> "the Pod has no container \"" + source.get() + "\" with env " + name + "; it is left out"));
        }
    }

    private void mounts(CompiledContainer container, ObjectNode node) {
        if (!container.written().shareVolumeType().equals(ENABLED)) {
            return;
        }
        ArrayNode mounts = Json.NODES.arrayNode();
        container.core().path("volumeMounts").forEach(mounts::add);
        addNew(facts.shared().mounts(), "mountPath", container.mountPaths(), mounts);
        set(node, "volumeMounts", mounts);
    }

    private void devices(CompiledContainer container, ObjectNode node) {
        if (!container.written().shareVolumeDeviceType().equals(ENABLED)) {
            return;
        }
        ArrayNode devices = Json.NODES.arrayNode();
        Set<String> paths = names(container.core().path("volumeDevices"), "devicePath");
        paths.addAll(names(node.path("volumeMounts"), "mountPath"));
        container.core().path("volumeDevices").forEach(devices::add);
        for (JsonNode device : facts.shared().devices()) {
            if (paths.add(Json.text(device, "devicePath"))) {
                devices.add(device);
            }
        }
        set(node, "volumeDevices", devices);
    }

    /** Adds the items whose member is neither known nor that of an item before. */
    private static void addNew(List<JsonNode> items, String member, Set<String> known, ArrayNode into) {
        if (items.isEmpty()) {
            return;
        }
        Set<String> added = new HashSet<>();
        for (JsonNode item : items) {
            String text = Json.text(item, member);
            if (!known.contains(text) && added.add(text)) {
                into.add(item);
            }
        }
    }

    private static Set<String> names(JsonNode list, String member) {
        Set<String> names = new HashSet<>();
        list.forEach(item -> names.add(Json.text(item, member)));
        return names;
    }

    private static void set(ObjectNode node, String member, ArrayNode list) {
        if (!list.isEmpty()) {
            node.set(member, list);
        }
    }
}
