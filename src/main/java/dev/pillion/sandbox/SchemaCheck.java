package dev.pillion.sandbox;

import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** Checks a value against a schema and words the faults as a real API server does. Rules in CEL (x-kubernetes-validations) are not evaluated. */
final class SchemaCheck {
    private final List<Cause> faults = new ArrayList<>();

    private SchemaCheck() {
    }

    /** Checks a whole custom object; apiVersion, kind and metadata are the server's own business. */
    static List<Cause> check(ObjectNode object, Schema schema) {
        SchemaCheck check = new SchemaCheck();
        check.required(object, schema, "");
        object.properties().forEach(member -> {
            if (!Set.of("apiVersion", "kind", "metadata").contains(member.getKey())) {
                check.value(member.getValue(), schema.member(member.getKey()), member.getKey());
            }
        });
        check.combinations(object, schema, "");
        return check.faults;
    }

    private static List<Cause> of(JsonNode value, Schema schema, String path) {
        SchemaCheck check = new SchemaCheck();
        check.value(value, schema, path);
        return check.faults;
    }

    private void value(JsonNode value, Schema schema, String path) {
        if (schema.node().isMissingNode() || (value.isNull() && schema.isNullable())) {
            return;
        }
        if (!hasType(value, schema)) {
            String wanted = schema.isIntOrString() ? "integer,string" : schema.type();
            String got = typeOf(value);
            faults.add(new Cause("FieldValueTypeInvalid", path,
                    "Invalid value: \"" + got + "\": " + path + " in body must be of type " + wanted + ": \"" + got + "\""));
            return;
        }
        oneOf(value, schema, path);
        switch (value) {
            case ObjectNode object -> members(object, schema, path);
            case ArrayNode list -> entries(list, schema, path);
            default -> {
                if (value.isString()) {
                    text(value.stringValue(), schema, path);
                } else if (value.isNumber()) {
                    number(value, schema, path);
                }
            }
        }
        combinations(value, schema, path);
    }

    private void members(ObjectNode object, Schema schema, String path) {
        required(object, schema, path);
        object.properties().forEach(member -> {
            if (schema.isEmbedded() && member.getKey().equals("metadata")) {
                return;
            }
            value(member.getValue(), schema.member(member.getKey()), path + "." + member.getKey());
        });
        bound(object.size(), schema, "maxProperties", path, "must have at most ", " items");
    }

    private void required(ObjectNode object, Schema schema, String path) {
        schema.node().path("required").forEach(name -> {
            if (!object.has(name.stringValue(""))) {
                String field = path.isEmpty() ? name.stringValue("") : path + "." + name.stringValue("");
                faults.add(Cause.required(field, ""));
            }
        });
    }

    private void entries(ArrayNode list, Schema schema, String path) {
        bound(list.size(), schema, "maxItems", path, "must have at most ", " items");
        long least = Trees.number(schema.node().path("minItems"), 0);
        if (list.size() < least) {
            faults.add(Cause.invalid(path, Integer.toString(list.size()), path + " in body should have at least " + least + " items"));
        }
        for (int i = 0; i < list.size(); i++) {
            value(list.get(i), schema.items(), path + "[" + i + "]");
        }
        Set<JsonNode> seen = new HashSet<>();
        for (int i = 0; i < list.size(); i++) {
            JsonNode identity = identity(list.get(i), schema);
            if (!identity.isMissingNode() && !seen.add(identity)) {
                faults.add(Cause.duplicate(path + "[" + i + "]", Trees.text(identity)));
            }
        }
    }

    /** What makes an entry of a list of type set or map one of its kind; missing for other lists. */
    private static JsonNode identity(JsonNode entry, Schema schema) {
        return switch (schema.listType()) {
            case "set" -> entry;
            case "map" -> {
                ObjectNode keys = Trees.object();
                for (String key : schema.listMapKeys()) {
                    if (entry.has(key)) {
                        keys.set(key, entry.path(key));
                    }
                }
                yield keys;
            }
            default -> Trees.object().path("missing");
        };
    }

    private void bound(int size, Schema schema, String keyword, String path, String before, String after) {
        long most = Trees.number(schema.node().path(keyword), Long.MAX_VALUE);
        if (size > most) {
            faults.add(new Cause("FieldValueTooMany", path, "Too many: " + size + ": " + before + most + after));
        }
    }

    /** The first of length and pattern that does not fit, and the format. */
    private void text(String text, Schema schema, String path) {
        long length = text.codePointCount(0, text.length());
        long least = Trees.number(schema.node().path("minLength"), 0);
        long most = Trees.number(schema.node().path("maxLength"), Long.MAX_VALUE);
        String pattern = Trees.text(schema.node(), "pattern");
        if (length > most) {
            faults.add(Cause.tooLong(path, (int) most));
        } else if (length < least) {
            faults.add(Cause.invalid(path, quoted(text), path + " in body should be at least " + least + " chars long"));
        } else if (!pattern.isEmpty() && !Pattern.compile(pattern).matcher(text).find()) {
            faults.add(Cause.invalid(path, quoted(text), path + " in body should match '" + pattern + "'"));
        }
        if ("date-time".equals(Trees.text(schema.node(), "format")) && !isTime(text)) {
            faults.add(new Cause("FieldValueTypeInvalid", path,
                    "Invalid value: " + quoted(text) + ": " + path + " in body must be of type date-time: " + quoted(text)));
        }
    }

    private void number(JsonNode value, Schema schema, String path) {
        BigDecimal number = value.decimalValue();
        JsonNode least = schema.node().path("minimum");
        if (least.isNumber()) {
            boolean open = schema.says("exclusiveMinimum");
            int order = number.compareTo(least.decimalValue());
            if (order < 0 || (open && order == 0)) {
                faults.add(Cause.invalid(path, value.asString(),
                        path + " in body should be greater than " + (open ? "" : "or equal to ") + least.asString()));
            }
        }
        JsonNode most = schema.node().path("maximum");
        if (most.isNumber()) {
            boolean open = schema.says("exclusiveMaximum");
            int order = number.compareTo(most.decimalValue());
            if (order > 0 || (open && order == 0)) {
                faults.add(Cause.invalid(path, value.asString(),
                        path + " in body should be less than " + (open ? "" : "or equal to ") + most.asString()));
            }
        }
    }

    private void oneOf(JsonNode value, Schema schema, String path) {
        JsonNode allowed = schema.node().path("enum");
        if (!allowed.isArray()) {
            return;
        }
        List<String> names = new ArrayList<>();
        for (JsonNode one : allowed) {
            if (one.equals(value)) {
                return;
            }
            names.add(Trees.text(one.isString() ? one : Trees.object().stringNode(one.asString())));
        }
        faults.add(Cause.notSupported(path, Trees.text(value), String.join(", ", names)));
    }

    private void combinations(JsonNode value, Schema schema, String path) {
        for (Schema part : schema.all("allOf")) {
            faults.addAll(of(value, part, path));
        }
        String shown = path.isEmpty() ? "<nil>" : path;
        List<Schema> any = schema.isIntOrString() ? List.of() : schema.all("anyOf");
        if (!any.isEmpty() && any.stream().noneMatch(part -> of(value, part, path).isEmpty())) {
            faults.add(Cause.invalid(shown, "\"\"", "\"" + path + "\" must validate at least one schema (anyOf)"));
        }
        List<Schema> one = schema.all("oneOf");
        if (!one.isEmpty() && one.stream().filter(part -> of(value, part, path).isEmpty()).count() != 1) {
            faults.add(Cause.invalid(shown, "\"\"", "\"" + path + "\" must validate one and only one schema (oneOf)"));
        }
        JsonNode not = schema.node().path("not");
        if (not.isObject() && of(value, new Schema(not), path).isEmpty()) {
            faults.add(Cause.invalid(shown, "\"\"", "\"" + path + "\" must not validate the schema (not)"));
        }
    }

    private static boolean hasType(JsonNode value, Schema schema) {
        if (schema.isIntOrString()) {
            return value.isString() || isWhole(value);
        }
        return switch (schema.type()) {
            case "object" -> value.isObject();
            case "array" -> value.isArray();
            case "string" -> value.isString();
            case "boolean" -> value.isBoolean();
            case "integer" -> isWhole(value);
            case "number" -> value.isNumber();
            default -> true;
        };
    }

    private static boolean isWhole(JsonNode value) {
        return value.isNumber() && (value.isIntegralNumber() || value.decimalValue().stripTrailingZeros().scale() <= 0);
    }

    private static String typeOf(JsonNode value) {
        if (value.isNumber()) {
            return isWhole(value) ? "integer" : "number";
        }
        return value.isNull() ? "null" : value.isString() ? "string" : value.isBoolean() ? "boolean" : value.isArray() ? "array" : "object";
    }

    private static boolean isTime(String text) {
        try {
            java.time.OffsetDateTime.parse(text);
            return true;
        } catch (java.time.DateTimeException _) {
            return false;
        }
    }

    private static String quoted(String text) {
        return Trees.text(Trees.object().stringNode(text));
    }
}
