package dev.pillion.sandbox;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;

import tools.jackson.databind.JsonNode;

/** Parameter fieldSelector: `field=value`, `==` and `!=`, joined by commas. Name and namespace are answered without parsing the object. */
final class FieldSelection {
    private final List<Part> parts;

    private record Part(String field, List<String> path, boolean equal, String value) {
    }

    private FieldSelection(List<Part> parts) {
        this.parts = parts;
    }

    /** Throws 400 for a text that is no selector and for a field that the type does not offer. */
    static FieldSelection parse(String text, Map<String, List<String>> offered, ResourceType.Origin origin) {
        List<Part> parts = new ArrayList<>();
        for (String term : List.of(text.split(",", -1))) {
            if (term.isBlank()) {
                continue;
            }
            int sign = term.indexOf('=');
            if (sign <= 0) {
                throw ApiError.badRequest("invalid selector: '" + term + "'; can't understand '" + term + "'");
            }
            boolean equal = term.charAt(sign - 1) != '!';
            String field = term.substring(0, equal ? sign : sign - 1).strip();
            String value = term.substring(term.startsWith("==", sign) ? sign + 2 : sign + 1);
            parts.add(new Part(field, path(field, offered, origin), equal, value));
        }
        return new FieldSelection(List.copyOf(parts));
    }

    private static List<String> path(String field, Map<String, List<String>> offered, ResourceType.Origin origin) {
        if (field.equals("metadata.name") || field.equals("metadata.namespace")) {
            return List.of();
        }
        List<String> path = offered.get(field);
        if (path == null && offered.isEmpty() && origin == ResourceType.Origin.BUILT_IN) {
            throw ApiError.badRequest("\"" + field + "\" is not a known field selector: only \"metadata.name\", \"metadata.namespace\"");
        }
        if (path == null) {
            throw ApiError.badRequest("field label not supported: " + field);
        }
        return path;
    }

    boolean isEmpty() {
        return parts.isEmpty();
    }

    /** The name that everything selected must have, when there is one. */
    Optional<String> singleName() {
        return parts.stream().filter(part -> part.equal() && part.field().equals("metadata.name")).map(Part::value).findFirst();
    }

    Predicate<Stored> test() {
        return stored -> {
            JsonNode tree = null;
            for (Part part : parts) {
                String value;
                if (part.path().isEmpty()) {
                    value = part.field().equals("metadata.name") ? stored.name() : stored.namespace();
                } else {
                    tree = tree == null ? stored.tree() : tree;
                    value = text(tree, part.path());
                }
                if (value.equals(part.value()) != part.equal()) {
                    return false;
                }
            }
            return true;
        };
    }

    private static String text(JsonNode tree, List<String> path) {
        JsonNode at = tree;
        for (String member : path) {
            at = at.path(member);
        }
        return Trees.isAbsent(at) ? "" : at.asString();
    }
}
