package dev.pillion.inject;

import java.util.List;
import java.util.Random;

import dev.pillion.api.Json;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** Seeded choices for generators. */
record Dice(Random random) {
    /** Once in so many throws. */
    boolean onceIn(int throwsOf) {
        return random.nextInt(throwsOf) == 0;
    }

    boolean heads() {
        return random.nextBoolean();
    }

    int below(int bound) {
        return random.nextInt(bound);
    }

    String one(List<String> of) {
        return of.get(random.nextInt(of.size()));
    }

    String one(String... of) {
        return of[random.nextInt(of.length)];
    }

    /** JSON written with single quotes. */
    static JsonNode json(String text) {
        return Json.read(text.replace('\'', '"'));
    }

    static ObjectNode object(String text) {
        return (ObjectNode) json(text);
    }

    /** Adds members nobody knows to some objects of the tree, but not to maps of texts. */
    void sprinkle(JsonNode node) {
        if (node instanceof ObjectNode object && onceIn(6)) {
            object.set("invented" + below(3), json(one("1", "1.50", "null", "'x'", "{'a':[null,{}]}", "[1,[]]", "false")));
        }
        for (var member : List.copyOf(node.properties())) {
            if (!List.of("labels", "annotations", "limits", "requests", "nodeSelector").contains(member.getKey())) {
                sprinkle(member.getValue());
            }
        }
        if (node.isArray()) {
            node.forEach(this::sprinkle);
        }
    }
}
