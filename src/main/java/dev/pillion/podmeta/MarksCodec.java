package dev.pillion.podmeta;

import java.util.Map;

import dev.pillion.api.PodMarks;

/** Decodes the injection annotations of a Pod (api.md 4.2, rollout.md 9.4). */
public final class MarksCodec {
    private MarksCodec() {
    }

    /** Reads the annotations that {@link dev.pillion.api.Wire#isPodMark} names; never throws, whatever they hold. */
    public static PodMarks decode(Map<String, String> annotations) {
        throw new UnsupportedOperationException("decode " + annotations.size());
    }
}
