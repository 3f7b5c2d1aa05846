package dev.pillion.api;

import java.util.Random;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** Random SidecarSets made from the member tables, with members that no table knows on every level. */
final class SetGenerator {
    private static final String[] TEXTS = {"a", "", "x-1", "<&>", "é\u2028", "\ud83d\ude00", "0.5"};

    private final Random random;

    SetGenerator(Random random) {
        this.random = random;
    }

    ObjectNode v1alpha1() {
        ObjectNode object = Json.object().put("apiVersion", Wire.V1ALPHA1).put("kind", Wire.KIND);
        ObjectNode metadata = object.putObject("metadata").put("name", "set-" + random.nextInt(100));
        if (random.nextBoolean()) {
            ObjectNode labels = metadata.putObject("labels");
            if (random.nextBoolean()) {
                labels.put(Wire.CUSTOM_VERSION_LABEL, random.nextBoolean() ? "" : "v" + random.nextInt(3));
            }
            if (labels.isEmpty() || random.nextBoolean()) {
                labels.put("team", "net");
            }
        }
        if (random.nextBoolean()) {
            metadata.putObject("annotations").put("note", TEXTS[random.nextInt(TEXTS.length)]);
        }
        ObjectNode spec = (ObjectNode) struct("SidecarSetSpec", 0);
        // An explicit empty namespace is no namespace: S1 records others only.
        spec.remove("namespace");
        if (random.nextBoolean()) {
            spec.put("namespace", "n" + random.nextInt(3));
        }
        object.set("spec", spec);
        if (random.nextBoolean()) {
            object.set("status", struct("SidecarSetStatus", 0));
        }
        if (random.nextInt(4) == 0) {
            object.put("unknownTop", 1);
        }
        return object;
    }

    private JsonNode struct(String name, int depth) {
        ObjectNode node = Json.object();
        for (MemberTable.Member member : MemberTable.V1ALPHA1.members(name)) {
            if (random.nextInt(depth < 2 ? 2 : 5) == 0) {
                node.set(member.name(), value(member.type(), depth + 1));
            }
        }
        if (random.nextInt(5) == 0) {
            node.set("unknown" + random.nextInt(3), Json.read("{\"deep\":[1,null,{\"x\":1.50}]}"));
        }
        return node;
    }

    private JsonNode value(GoType type, int depth) {
        return switch (type) {
            case GoType.Leaf leaf -> leaf(leaf);
            case GoType.Raw _ -> Json.read("{\"f:x\":{}}");
            case GoType.Pointer(GoType target) -> value(target, depth);
            case GoType.ListOf(GoType item) -> {
                ArrayNode list = Json.NODES.arrayNode();
                for (int i = random.nextInt(3); i > 0; i--) {
                    list.add(value(item, depth));
                }
                yield list;
            }
            case GoType.MapOf(GoType item) -> {
                ObjectNode map = Json.object();
                for (int i = random.nextInt(3); i > 0; i--) {
                    map.set("k" + i, value(item, depth));
                }
                yield map;
            }
            case GoType.Struct(String name) -> struct(name, depth);
        };
    }

    private JsonNode leaf(GoType.Leaf leaf) {
        return switch (leaf) {
            case TEXT -> Json.NODES.stringNode(TEXTS[random.nextInt(TEXTS.length)]);
            case BOOL -> Json.NODES.booleanNode(random.nextBoolean());
            case INT32 -> Json.NODES.numberNode(random.nextInt());
            case INT64 -> Json.NODES.numberNode(random.nextLong());
            case INT_OR_STRING -> random.nextBoolean() ? Json.NODES.numberNode(random.nextInt(9)) : Json.NODES.stringNode("10%");
            case TIME -> Json.NODES.stringNode("2026-01-02T03:04:05Z");
            case QUANTITY -> Json.NODES.stringNode(new String[]{"1024Mi", "0.5", "100m", "+2"}[random.nextInt(4)]);
        };
    }
}
