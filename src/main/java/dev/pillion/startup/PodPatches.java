package dev.pillion.startup;

import java.time.Instant;
import java.time.temporal.ChronoUnit;

import dev.pillion.api.Json;
import dev.pillion.api.PodView;
import dev.pillion.api.Wire;

import tools.jackson.databind.node.ObjectNode;

/** Strategic merge patches of a Pod that starts. */
final class PodPatches {
    private PodPatches() {
    }

    /**
     * Status patch that adds the condition (neighbours.md 2.2). The resourceVersion keeps it from reaching a Pod that somebody has held
     * back meanwhile: merged over a foreign condition it would set that one True.
     */
    static String ready(PodView pod, Instant now) {
        ObjectNode patch = Json.object();
        patch.putObject("metadata").put("uid", pod.uid()).put("resourceVersion", pod.resourceVersion());
        patch.putObject("status").putArray("conditions").addObject().put("type", Wire.READY_GATE).put("status", "True")
                .put("lastTransitionTime", now.truncatedTo(ChronoUnit.SECONDS).toString());
        return Json.write(patch);
    }

    /** Says that all barriers are open. */
    static String completed(PodView pod) {
        ObjectNode patch = Json.object();
        patch.putObject("metadata").put("uid", pod.uid()).putObject("annotations").put(Wire.LAUNCH_COMPLETED, "true");
        return Json.write(patch);
    }
}
