package dev.pillion.api;

import java.util.Map;
import java.util.Optional;

import dev.pillion.expr.Quantity;

import tools.jackson.databind.JsonNode;

/**
 * Whether a value still is what somebody wrote, apart from what an API server and others made of it since (FR-20):
 * <ol>
 * <li>members, map entries and list elements that were added do not matter; elements of lists of plain values must be equal;
 * <li>what the server leaves out because it is zero ({@code "value":""}, {@code "readOnly":false}) counts as there;
 * <li>quantities are compared as numbers, also after the server's rounding to milli;
 * <li>a member that the table lacks may be missing, for the server may not know it either; when it is there it must be equal.
 * </ol>
 */
public final class TypedCover {
    private final MemberTable table;

    private TypedCover(MemberTable table) {
        this.table = table;
    }

    /** Whether a value of a pod, of a type such as "Container", covers the wanted one. */
    public static boolean inPod(JsonNode existing, JsonNode wanted, String type) {
        return new TypedCover(MemberTable.POD).covers(existing, wanted, MemberTable.POD.type(type));
    }

    private boolean covers(JsonNode existing, JsonNode wanted, GoType type) {
        return switch (type) {
            case GoType.Leaf leaf -> isSame(existing, wanted, leaf);
            case GoType.Raw _ -> existing.equals(wanted);
            case GoType.Pointer(GoType target) -> wanted.isNull() || covers(existing, wanted, target);
            case GoType.ListOf(GoType item) -> coversList(existing, wanted, item);
            case GoType.MapOf(GoType item) -> wanted.properties().stream()
                    .allMatch(e -> existing.has(e.getKey()) && covers(existing.path(e.getKey()), e.getValue(), item));
            case GoType.Struct(String name) -> coversStruct(existing, wanted, name);
        };
    }

    private static boolean isSame(JsonNode existing, JsonNode wanted, GoType.Leaf leaf) {
        if (existing.equals(wanted) || leaf != GoType.Leaf.QUANTITY) {
            return existing.equals(wanted);
        }
        Optional<Quantity> there = TypedDecode.quantity(existing);
        Optional<Quantity> asked = TypedDecode.quantity(wanted);
        return there.isPresent() && asked.isPresent()
                && (there.get().compareTo(asked.get()) == 0 || there.get().compareTo(asked.get().roundedToMilli()) == 0);
    }

    private boolean coversList(JsonNode existing, JsonNode wanted, GoType item) {
        if (!(item instanceof GoType.Struct)) {
            return existing.equals(wanted);
        }
        int next = 0;
        for (JsonNode element : existing) {
            if (next < wanted.size() && covers(element, wanted.path(next), item)) {
                next++;
            }
        }
        return next == wanted.size();
    }

    private boolean coversStruct(JsonNode existing, JsonNode wanted, String name) {
        for (Map.Entry<String, JsonNode> entry : wanted.properties()) {
            JsonNode there = existing.path(entry.getKey());
            Optional<MemberTable.Member> member = table.member(name, entry.getKey());
            boolean absent = there.isMissingNode() || there.isNull();
            if (absent
                    ? member.isPresent() && !isZero(entry.getValue(), member.get().type())
                    : !covers(there, entry.getValue(), member.map(MemberTable.Member::type).orElse(new GoType.Raw()))) {
                return false;
            }
        }
        return true;
    }

    /** Whether a server may leave the value out, so that it decodes to the same as none. */
    private boolean isZero(JsonNode value, GoType type) {
        if (value.isNull()) {
            return true;
        }
        return switch (type) {
            case GoType.Leaf.QUANTITY -> TypedDecode.quantity(value).filter(Quantity::isZero).isPresent();
            case GoType.Leaf _ -> value.equals(Json.NODES.stringNode("")) || value.equals(Json.NODES.booleanNode(false))
                    || (value.isIntegralNumber() && value.longValue() == 0);
            case GoType.ListOf _,GoType.MapOf _ -> value.isEmpty();
            case GoType.Struct(String name) -> value.properties().stream()
                    .allMatch(e -> table.member(name, e.getKey()).filter(m -> !isZero(e.getValue(), m.type())).isEmpty());
            case GoType.Pointer _,GoType.Raw _ -> false;
        };
    }
}
