package dev.pillion.podmeta;

import java.util.HashMap;
import java.util.List;
import java.util.Map;

import dev.pillion.api.MarkTexts;
import dev.pillion.api.PodMarks;
import dev.pillion.api.PodMarks.HashEntry;
import dev.pillion.api.Wire;

/** Decodes the injection annotations of a Pod (api.md 4.2, rollout.md 9.4). */
public final class MarksCodec {
    private MarksCodec() {
    }

    /** Reads the annotations that {@link dev.pillion.api.Wire#isPodMark} names; never throws, whatever they hold. */
    public static PodMarks decode(Map<String, String> annotations) {
        Map<String, String> raw = new HashMap<>();
        annotations.forEach((key, text) -> {
            if (Wire.isPodMark(key)) {
                raw.put(key, text);
            }
        });
        if (raw.isEmpty()) {
            return PodMarks.NONE;
        }
        String list = raw.getOrDefault(Wire.INJECTED_LIST, "");
        String state = raw.get(Wire.IN_PLACE_STATE);
        return new PodMarks(list.isEmpty() ? List.of() : List.of(list.split(",", -1)), hashes(raw, Wire.HASH),
                hashes(raw, Wire.HASH_WITHOUT_IMAGE), WorkingMap.of(raw.getOrDefault(Wire.WORKING_HOT_UPGRADE, "")).twins(),
                state == null ? new PodMarks.InPlace.Absent() : InPlaceState.of(state).mark(), MarkTexts.of(raw));
    }

    private static Map<String, HashEntry> hashes(Map<String, String> raw, String key) {
        Map<String, HashEntry> entries = new HashMap<>();
        HashAnnotation.of(raw.getOrDefault(key, "")).readable()
                .forEach((name, e) -> entries.put(name, new HashEntry(e.hash(), e.controllerRevision())));
        return entries;
    }
}
