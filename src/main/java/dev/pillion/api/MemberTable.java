package dev.pillion.api;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Which members the reference's typed structs have, in encoding order, and how each is encoded (api.md 2, 7). Types are written as in
 * Go: any number of "*", "[]" and "map[string]", then the name of a struct or of a simple type.
 */
public final class MemberTable {
    /** Types reachable from a SidecarSet of v1beta1. */
    public static final MemberTable V1BETA1 = load("sidecarset-v1beta1.json");
    public static final MemberTable V1ALPHA1 = load("sidecarset-v1alpha1.json");
    /** Types reachable from a Pod, Kubernetes 1.32, and the review that an API server sends of one. */
    public static final MemberTable POD = load("pod-v1.json", "review-v1.json");

    /** One member. Whether it is left out when empty is Go's omitempty. */
    record Member(String name, boolean omitEmpty, GoType type) {
    }

    private final Map<String, List<Member>> structs = new HashMap<>();
    private final Map<String, Map<String, Member>> byName = new HashMap<>();
    private final Map<String, Shape> shapes = new HashMap<>();

    private MemberTable(ObjectNode table) {
        Set<String> names = new HashSet<>();
        table.properties().stream().filter(e -> e.getValue().isArray()).forEach(e -> names.add(e.getKey()));
        for (Map.Entry<String, JsonNode> entry : table.properties()) {
            if (entry.getValue().isArray()) {
                List<Member> members = new ArrayList<>();
                for (JsonNode member : entry.getValue()) {
                    members.add(new Member(member.path("name").stringValue(), member.path("omitEmpty").booleanValue(),
                            type(member.path("type").stringValue(), names)));
                }
                structs.put(entry.getKey(), List.copyOf(members));
                Map<String, Member> named = new HashMap<>();
                members.forEach(m -> named.put(m.name(), m));
                byName.put(entry.getKey(), named);
                shapes.put(entry.getKey(), new Shape(entry.getKey()));
            }
        }
        shapes.forEach((name, shape) -> shape.fill(members(name), this::shape));
    }

    /** Parses a type expression such as "[]SidecarContainer". @throws IllegalArgumentException for a type the table lacks */
    GoType type(String text) {
        return type(text, structs.keySet());
    }

    private static GoType type(String text, Set<String> structNames) {
        if (text.startsWith("*")) {
            return new GoType.Pointer(type(text.substring(1), structNames));
        }
        if (text.startsWith("[]")) {
            return new GoType.ListOf(type(text.substring(2), structNames));
        }
        if (text.startsWith("map[string]")) {
            return new GoType.MapOf(type(text.substring("map[string]".length()), structNames));
        }
        for (GoType.Leaf leaf : GoType.Leaf.values()) {
            if (leaf.word().equals(text)) {
                return leaf;
            }
        }
        if (text.equals("FieldsV1") || text.equals("RawExtension")) {
            return new GoType.Raw();
        }
        if (!structNames.contains(text)) {
            throw new IllegalArgumentException("no type " + text);
        }
        return new GoType.Struct(text);
    }

    /** Members of a struct in encoding order. */
    List<Member> members(String struct) {
        List<Member> members = structs.get(struct);
        if (members == null) {
            throw new IllegalArgumentException("no struct " + struct);
        }
        return members;
    }

    Optional<Member> member(String struct, String name) {
        return Optional.ofNullable(named(struct).get(name));
    }

    /** A struct as a type to read by. */
    ScanType scanType(String struct) {
        return ScanType.of(new GoType.Struct(struct), this::shape);
    }

    /** The struct for reading it from text. @throws IllegalArgumentException when the table lacks it */
    Shape shape(String struct) {
        Shape shape = shapes.get(struct);
        if (shape == null) {
            throw new IllegalArgumentException("no struct " + struct);
        }
        return shape;
    }

    /** Members of a struct by name; none of a struct that is not there. */
    Map<String, Member> named(String struct) {
        return byName.getOrDefault(struct, Map.of());
    }

    private static MemberTable load(String... resources) {
        ObjectNode all = Json.object();
        for (String resource : resources) {
            try (InputStream in = MemberTable.class.getResourceAsStream(resource)) {
                if (in == null) {
                    throw new IllegalStateException("missing resource " + resource);
                }
                Json.read(in.readAllBytes()).properties().forEach(type -> all.set(type.getKey(), type.getValue()));
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
        return new MemberTable(all);
    }
}
