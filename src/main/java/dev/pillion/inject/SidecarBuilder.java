package dev.pillion.inject;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Supplier;

import dev.pillion.api.ExtendedJson;
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
    private final PodFacts facts;
    private final ResourcesPolicy resources;
    private final Notes notes;

    SidecarBuilder(PodFacts facts, ResourcesPolicy resources, Notes notes) {
        this.facts = facts;
        this.resources = resources;
        this.notes = notes;
    }

    /** Appends one container. */
    void build(CompiledSet set, CompiledContainer container, List<Built> into) throws RefusedException {
        into.add(new Built(set.name(), node(set, container), place(container)));
    }

    /** Appends the two twins of a container; their annotations go into the given map. */
    void buildTwins(CompiledSet set, CompiledContainer container, List<Built> into, Map<String, String> annotations)
            throws RefusedException {
        ObjectNode node = node(set, container);
        Built.Place place = place(container);
        String image = container.written().hotUpgradeEmptyImage();
        into.add(new Built(set.name(), twin(node, container.name() + "-1", container.written().image(), annotations, "1", "0"), place));
        into.add(new Built(set.name(), twin(node, container.name() + "-2", image, annotations, "0", "1"), place));
    }

    private ObjectNode node(CompiledSet set, CompiledContainer container) throws RefusedException {
        return container.takesFromPod() ? withPartsOfThePod(set, container) : container.inPod();
    }

    private static Built.Place place(CompiledContainer container) {
        return container.written().podInjectPolicy().equals("BeforeAppContainer") ? Built.Place.BEFORE : Built.Place.AFTER;
    }

    private ObjectNode withPartsOfThePod(CompiledSet set, CompiledContainer container) throws RefusedException {
        Map<String, JsonNode> own = new LinkedHashMap<>();
        JsonNode policy = container.written().raw().path("resourcesPolicy");
        if (policy.isObject()) {
            own.put("resources", resources.compute(set, container, policy));
        }
        ArrayNode env = env(set, container);
        if (container.sharesVolumes()) {
            put(container, "volumeMounts", addNew(container.core().path("volumeMounts"), facts.shared().mounts(), "mountPath",
                    container.mountPaths()), own);
        }
        if (container.sharesDevices()) {
            put(container, "volumeDevices", devices(container, own.getOrDefault("volumeMounts", container.core().path("volumeMounts"))),
                    own);
        }
        own.put("env", env);
        return ExtendedJson.of(container.rest(), own);
    }

    /** An empty list is left out, unless it was written. */
    private static void put(CompiledContainer container, String member, ArrayNode list, Map<String, JsonNode> own) {
        if (!list.isEmpty()) {
            own.put(member, list);
        } else if (container.core().has(member)) {
            own.put(member, container.core().path(member));
        }
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
        if (container.sharesVolumes()) {
            transferred.addAll(facts.shared().env());
        }
        return addNew(container.env(), transferred, "name", container.envNames());
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

    private ArrayNode devices(CompiledContainer container, JsonNode mounts) {
        Set<String> paths = new HashSet<>(container.mountPaths());
        mounts.forEach(mount -> paths.add(Json.text(mount, "mountPath")));
        return addNew(container.core().path("volumeDevices"), facts.shared().devices(), "devicePath", paths);
    }

    /** The list and those items whose member is neither known nor that of an item before. */
    private static ArrayNode addNew(JsonNode list, List<JsonNode> items, String member, Set<String> known) {
        List<JsonNode> more = new ArrayList<>(items.size());
        Set<String> added = new HashSet<>();
        for (JsonNode item : items) {
            String text = Json.text(item, member);
            if (!known.contains(text) && added.add(text)) {
                more.add(item);
            }
        }
        return ExtendedJson.of(list instanceof ArrayNode own ? own : Json.NODES.arrayNode(), more);
    }
}
