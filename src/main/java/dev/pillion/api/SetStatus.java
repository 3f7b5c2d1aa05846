package dev.pillion.api;

import java.util.Optional;
import java.util.OptionalInt;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** status of a set (api.md 2.6, rollout.md 4.1). An absent collision count differs from 0. */
public record SetStatus(long observedGeneration, int matchedPods, int updatedPods, int readyPods, int updatedReadyPods,
        String latestRevision,
        OptionalInt collisionCount) {

    public static final SetStatus EMPTY = new SetStatus(0, 0, 0, 0, 0, "", OptionalInt.empty());

    public static SetStatus of(JsonNode node) {
        JsonNode collisions = node.path("collisionCount");
        return new SetStatus(node.path("observedGeneration").asLong(0), node.path("matchedPods").asInt(0),
                node.path("updatedPods").asInt(0),
                node.path("readyPods").asInt(0), node.path("updatedReadyPods").asInt(0), Json.text(node, "latestRevision"),
                collisions.isIntegralNumber() && collisions.canConvertToInt()
                        ? OptionalInt.of(collisions.intValue())
                        : OptionalInt.empty());
    }

    /** The status object with the members and omit rules of api.md 2.6. */
    public ObjectNode toJson() {
        ObjectNode node = Json.object();
        if (observedGeneration != 0) {
            node.put("observedGeneration", observedGeneration);
        }
        node.put("matchedPods", matchedPods).put("updatedPods", updatedPods).put("readyPods", readyPods);
        if (updatedReadyPods != 0) {
            node.put("updatedReadyPods", updatedReadyPods);
        }
        if (!latestRevision.isEmpty()) {
            node.put("latestRevision", latestRevision);
        }
        collisionCount.ifPresent(c -> node.put("collisionCount", c));
        return node;
    }

    /** Rule 4.6: a write is due when the generation grew or any count, name or collision count differs. */
    public boolean differsFrom(SetStatus stored) {
        return observedGeneration > stored.observedGeneration || !withGeneration(0).equals(stored.withGeneration(0));
    }

    public SetStatus withGeneration(long generation) {
        return new SetStatus(generation, matchedPods, updatedPods, readyPods, updatedReadyPods, latestRevision, collisionCount);
    }

    public Optional<String> latest() {
        return latestRevision.isEmpty() ? Optional.empty() : Optional.of(latestRevision);
    }
}
