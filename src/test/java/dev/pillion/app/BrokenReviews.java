package dev.pillion.app;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.function.Consumer;

import dev.pillion.api.Json;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** Request bodies that no API server sends: bytes, JSON and reviews with one thing wrong, all drawn from a seed. */
final class BrokenReviews {
    private static final List<String> MEMBERS = List.of("apiVersion", "kind", "request", "uid", "object", "oldObject", "metadata", "name",
            "namespace",
            "annotations", "labels", "spec", "containers", "initContainers", "volumes", "env", "image", "selector", "matchLabels",
            "updateStrategy",
            "maxUnavailable", "status", "objects", "desiredAPIVersion", "", "a/b~c");
    private static final List<String> TEXTS = List.of("", "Pod", "SidecarSet", "apps.kruise.io/v1beta1", "apps.kruise.io/v1alpha1", "-1%",
            "200%", "\u0000",
            "\ud83d\ude80", "9".repeat(400), "[[[", "true", "../..", "CREATE");
    /** JSON texts that a tree cannot hold or that readers treat differently. */
    private static final List<String> ODD_TEXTS = List.of("\"\\ud800\"", "1e999999999", "-0", "123456789012345678901234567890", "0.1e-400",
            "{\"a\":1,\"a\":2}",
            "\"\\u0000\"", "[".repeat(2000), "[".repeat(300) + "]".repeat(300));
    private static final String PLACE = "-place-";
    private static final String QUOTED_PLACE = "\"-place-\"";

    private final Random random;

    BrokenReviews(long seed) {
        this.random = new Random(seed);
    }

    byte[] bytes() {
        byte[] bytes = new byte[random.nextInt(200)];
        random.nextBytes(bytes);
        return bytes;
    }

    byte[] json() {
        return withOddText(tree(4));
    }

    /** The review without its end, at least one byte of it missing. */
    byte[] cut(byte[] review) {
        return Arrays.copyOf(review, random.nextInt(review.length));
    }

    byte[] withOneByteChanged(byte[] review) {
        byte[] changed = review.clone();
        changed[random.nextInt(changed.length)] = (byte) random.nextInt(256);
        return changed;
    }

    /** The review with some member of it, at any depth, replaced by arbitrary JSON. */
    byte[] withOneMemberChanged(ObjectNode review) {
        ObjectNode copy = review.deepCopy();
        List<Consumer<JsonNode>> places = places(copy);
        places.get(random.nextInt(places.size())).accept(value(2));
        return withOddText(copy);
    }

    /** The review with each of its members, one at a time, replaced by each odd text. */
    static List<byte[]> withEachMemberOdd(ObjectNode review) {
        List<byte[]> all = new ArrayList<>();
        int count = places(review).size();
        for (int i = 0; i < count; i++) {
            ObjectNode copy = review.deepCopy();
            places(copy).get(i).accept(Json.NODES.stringNode(PLACE));
            ODD_TEXTS.forEach(odd -> all.add(Json.write(copy).replace(QUOTED_PLACE, odd).getBytes(StandardCharsets.UTF_8)));
        }
        return all;
    }

    /** One setter for each member and element of the tree. */
    private static List<Consumer<JsonNode>> places(JsonNode tree) {
        List<Consumer<JsonNode>> places = new ArrayList<>();
        if (tree instanceof ObjectNode object) {
            object.propertyNames().forEach(name -> places.add(value -> object.set(name, value)));
        } else if (tree instanceof ArrayNode array) {
            for (int i = 0; i < array.size(); i++) {
                int index = i;
                places.add(value -> array.set(index, value));
            }
        }
        tree.forEach(child -> places.addAll(places(child)));
        return places;
    }

    private JsonNode value(int depth) {
        return random.nextInt(4) == 0 ? Json.NODES.stringNode(PLACE) : tree(depth);
    }

    private byte[] withOddText(JsonNode tree) {
        return Json.write(tree).replace(QUOTED_PLACE, ODD_TEXTS.get(random.nextInt(ODD_TEXTS.size()))).getBytes(StandardCharsets.UTF_8);
    }

    private JsonNode tree(int depth) {
        return switch (random.nextInt(depth > 0 ? 9 : 6)) {
            case 0 -> Json.NODES.nullNode();
            case 1 -> Json.NODES.booleanNode(random.nextBoolean());
            case 2 -> Json.NODES.numberNode(random.nextLong());
            case 3 -> Json.NODES.numberNode(random.nextGaussian());
            case 4 -> Json.NODES.stringNode(TEXTS.get(random.nextInt(TEXTS.size())));
            case 5 -> Json.NODES.stringNode(PLACE);
            case 6 -> {
                ArrayNode array = Json.NODES.arrayNode();
                int count = random.nextInt(4);
                for (int i = 0; i < count; i++) {
                    array.add(tree(depth - 1));
                }
                yield array;
            }
            default -> {
                ObjectNode object = Json.object();
                int count = random.nextInt(5);
                for (int i = 0; i < count; i++) {
                    object.set(MEMBERS.get(random.nextInt(MEMBERS.size())), tree(depth - 1));
                }
                yield object;
            }
        };
    }
}
