package dev.pillion.rollout;

import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SequencedMap;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Predicate;

import dev.pillion.api.GoTime;
import dev.pillion.api.Json;
import dev.pillion.api.PodView;
import dev.pillion.api.PodView.Container;
import dev.pillion.api.PodView.ContainerStatus;
import dev.pillion.api.PodView.UpgradableCondition;
import dev.pillion.api.SidecarSet;
import dev.pillion.api.Wire;
import dev.pillion.match.PodState;
import dev.pillion.podmeta.InPlaceState;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** Bodies of the writes of rollout.md 8-10: strategic merge patches with uid and resourceVersion that name only what changes (trap U). */
public final class PodPatch {
    private PodPatch() {
    }

    /**
     * Section 9: new images in the pod's own container order, and annotations.
     *
     * @param metadataAnnotations all annotations of the pod, read live, when the set has patchPodMetadata; otherwise empty and not looked at
     * @throws IllegalStateException when a metadata patch meets text that is no JSON (9.7); the pod must then not be written
     */
    public static String upgrade(SidecarSet set, PodView pod, Map<String, String> metadataAnnotations, String latestRevision,
            RolloutOptions options, Instant now) {
        UpgradeChange change = UpgradeChange.of(set, pod, metadataAnnotations, latestRevision, options, now);
        return body(pod, change.images(), change.annotations());
    }

    /** Section 10.4. */
    public static String flip(SidecarSet set, PodView pod, RolloutOptions options, Instant now) {
        SequencedMap<String, String> images = new LinkedHashMap<>();
        SortedMap<String, String> annotations = new TreeMap<>();
        for (HotTwins twins : HotTwins.of(set, pod)) {
            if (twins.isFlipDue(set, pod, options)) {
                images.put(twins.idle(), twins.emptyImage());
                annotations.put(Wire.VERSION_PREFIX + twins.idle(), "0");
                annotations.put(Wire.VERSION_ALT_PREFIX + twins.working(), "0");
            }
        }
        annotations.put(Wire.IN_PLACE_STATE, inPlace(set, pod, images.sequencedKeySet(), options, now));
        return body(pod, images, annotations);
    }

    /** Rule 9.5 for the changed containers. */
    static String inPlace(SidecarSet set, PodView pod, Iterable<String> changed, RolloutOptions options, Instant now) {
        String text = pod.marks().raw().text(Wire.IN_PLACE_STATE);
        Map<String, String> ids = new LinkedHashMap<>();
        for (String name : changed) {
            ids.put(name, PodState.status(pod, name).map(ContainerStatus::imageId).orElse(""));
        }
        return InPlaceState.of(text).with(set.name(), set.hash(), ids, now);
    }

    private static String body(PodView pod, Map<String, String> images, SortedMap<String, String> annotations) {
        ObjectNode root = Json.object();
        ObjectNode changed = metadata(root, pod).putObject("annotations");
        annotations.forEach(changed::put);
        containers(root, "initContainers", pod.initContainers(), images);
        containers(root, "containers", pod.containers(), images);
        return Json.write(root);
    }

    private static ObjectNode metadata(ObjectNode root, PodView pod) {
        return root.putObject("metadata").put("uid", pod.uid()).put("resourceVersion", pod.resourceVersion());
    }

    private static void containers(ObjectNode root, String member, List<Container> containers, Map<String, String> images) {
        List<ObjectNode> changed = new ArrayList<>();
        for (Container container : containers) {
            String image = images.get(container.name());
            if (image != null && !image.equals(container.image())) {
                changed.add(Json.object().put("name", container.name()).put("image", image));
            }
        }
        if (!changed.isEmpty()) {
            ObjectNode spec = root.get("spec") instanceof ObjectNode present ? present : root.putObject("spec");
            ArrayNode list = spec.putArray(member);
            changed.forEach(list::add);
        }
    }

    /**
     * Section 8: the status patch, or empty when the condition would not change.
     *
     * @param setExists tells the sets that are still there; entries of others are dropped (trap G)
     * @throws IllegalStateException in reference mode, when the message of the condition is no JSON object (trap F)
     */
    public static Optional<String> condition(String setName, PodView pod, boolean upgradable, Predicate<String> setExists,
            RolloutOptions options, Instant now) {
        Optional<SortedMap<String, JsonNode>> entries = UpgradableMessage.entries(pod);
        if (entries.isEmpty() && !options.fixesFaults()) {
            throw new IllegalStateException("condition " + Wire.UPGRADABLE_CONDITION + " of pod " + pod.key()
                    + " has a message that is no JSON object; remove the condition or mend its message");
        }
        UpgradableMessage.Upgradable value = upgradable ? UpgradableMessage.Upgradable.YES : UpgradableMessage.Upgradable.NO;
        return UpgradableMessage.next(setName, pod, value, entries.orElse(new TreeMap<>()),
                name -> !options.fixesFaults() || setExists.test(name)).map(condition -> {
                    ObjectNode root = Json.object();
                    if (options.fixesFaults()) {
                        metadata(root, pod);
                    }
                    times(condition, pod.upgradable(), now);
                    root.putObject("status").putArray("conditions").add(condition);
                    return Json.write(root);
                });
    }

    /** Rule 8.5: the transition time moves with the status only. */
    private static void times(ObjectNode condition, Optional<UpgradableCondition> before, Instant now) {
        boolean same = before.isPresent() && before.get().status().equals(Json.text(condition, "status"));
        if (!same) {
            condition.put("lastTransitionTime", GoTime.write(now));
        } else if (!before.get().lastTransition().isEmpty()) {
            condition.put("lastTransitionTime", before.get().lastTransition());
        }
        before.map(UpgradableCondition::lastProbe).filter(t -> !t.isEmpty()).ifPresent(t -> condition.put("lastProbeTime", t));
    }
}
