package dev.pillion.inject;

import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

import dev.pillion.api.TypedCover;
import dev.pillion.inject.InjectOptions.SameName;

import tools.jackson.databind.JsonNode;

/**
 * Puts built containers into one list of the pod (injection.md 7.6): over the element of the same name, else in front of or behind the
 * list, each group in order. Elements that are nobody's sidecar never move.
 */
final class Placement {
    private final RawPod pod;
    private final String member;
    private final List<JsonNode> submitted;
    private final Map<String, List<Integer>> indexes = new HashMap<>();
    private final Set<Integer> kept = new HashSet<>();
    private final Map<Integer, Slot> replaced = new HashMap<>();
    private final List<Slot> front = new ArrayList<>();
    private final List<Slot> back = new ArrayList<>();
    private final Set<String> changedSets = new HashSet<>();

    /** @param member containers or initContainers */
    Placement(RawPod pod, String member) {
        this.pod = pod;
        this.member = member;
        this.submitted = pod.list(member);
        for (int i = 0; i < submitted.size(); i++) {
            indexes.computeIfAbsent(Parts.name(submitted.get(i)), _ -> new ArrayList<>(1)).add(i);
        }
    }

    /**
     * Places containers in order.
     *
     * @param current sets whose entry on the pod is up to date: their containers stay when they cover what would be written
     */
    void place(List<Built> ordered, Set<String> current, SameName onSameName, List<String> warnings) throws RefusedException {
        Map<String, Built> last = new HashMap<>();
        ordered.forEach(built -> last.put(built.name(), built));
        List<Built> over = new ArrayList<>();
        Set<Built> stay = Collections.newSetFromMap(new IdentityHashMap<>());
        for (Built built : ordered) {
            if (!indexes.containsKey(built.name())) {
                changedSets.add(built.set());
                (built.place() == Built.Place.BEFORE ? front : back).add(new Slot.Added(built.set(), built.place(), built.container()));
            } else if (current.contains(built.set()) && isThere(built)) {
                stay.add(built);
            } else {
                over.add(built);
            }
        }
        for (Built built : over) {
            // Of several sets with one name the last has written over the others, and would again (trap 28).
            if (!current.contains(built.set()) || !stay.contains(last.get(built.name()))) {
                replace(built, onSameName, warnings);
            }
        }
    }

    /** Two sets may have put containers of one name there: each keeps its own. */
    private boolean isThere(Built built) {
        for (int i : indexes.getOrDefault(built.name(), List.of())) {
            if (TypedCover.inPod(submitted.get(i), built.container(), "Container") && kept.add(i)) {
                return true;
            }
        }
        return false;
    }

    private void replace(Built built, SameName onSameName, List<String> warnings) throws RefusedException {
        int index = indexes.getOrDefault(built.name(), List.of()).getFirst();
        JsonNode existing = submitted.get(index);
        if (!Parts.isMarked(existing)) {
            String where = "spec." + member + "[" + index + "] \"" + built.name() + "\" of Pod " + pod.describe();
            if (onSameName == SameName.REFUSE) {
                throw RefusedException.of(Reason.SAME_NAME, where + " has the name of a container of SidecarSet " + built.set()
                        + "; rename one of them (setting injection.same-name is refuse)").by(built.set());
            }
            warnings.add(where + " was replaced by the container of SidecarSet " + built.set() + " with the same name");
        }
        changedSets.add(built.set());
        replaced.put(index, new Slot.Replaced(built.set(), index, existing, built.container()));
    }

    /** Sets of which a container was added or written over. */
    Set<String> changedSets() {
        return changedSets;
    }

    /** The list as it will be. */
    List<Slot> slots() {
        List<Slot> slots = new ArrayList<>(front);
        for (int i = 0; i < submitted.size(); i++) {
            Slot over = replaced.get(i);
            slots.add(over == null ? new Slot.Own(i, submitted.get(i)) : over);
        }
        slots.addAll(back);
        return slots;
    }
}
