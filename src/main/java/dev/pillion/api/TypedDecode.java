package dev.pillion.api;

import java.time.DateTimeException;
import java.time.OffsetDateTime;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

import org.jspecify.annotations.Nullable;

import dev.pillion.expr.Quantity;

import tools.jackson.databind.JsonNode;

/**
 * Whether a JSON value decodes into the reference's typed structs. A value of a wrong kind anywhere, or a quantity that cannot be read,
 * refuses the object with code 400 (validation.md 3, step 2). Unknown members are no error, and null counts as absent.
 */
public final class TypedDecode {
    private static final String PLAIN_TIME = "0000-00-00T00:00:00Z";
    private static final int PLAIN_DIGITS = 15;
    private static final Set<String> PLAIN_SUFFIXES = Set.of("", "m", "k", "M", "G", "T", "Ki", "Mi", "Gi", "Ti");

    /** Where the first value of a wrong kind is, as "spec.containers[0].ports[1].hostPort", and what belongs there. */
    public record Misfit(String path, String text) {
        /** Paths grow from the inside out, so that a value that fits costs no text. */
        private Misfit under(String parent) {
            return new Misfit(parent + path, text);
        }
    }

    private TypedDecode() {
    }

    /** Checks a whole SidecarSet of the version the table describes: metadata, spec and status. */
    public static Optional<Misfit> checkSidecarSet(JsonNode object, MemberTable table) {
        if (!object.isObject()) {
            return Optional.of(new Misfit("", "must be an object"));
        }
        return check(object.path("apiVersion"), "string", table, "apiVersion")
                .or(() -> check(object.path("kind"), "string", table, "kind"))
                .or(() -> check(object.path("metadata"), "ObjectMeta", table, "metadata"))
                .or(() -> check(object.path("spec"), "SidecarSetSpec", table, "spec"))
                .or(() -> check(object.path("status"), "SidecarSetStatus", table, "status"));
    }

    /** Checks one value against a type of the table, such as "[]Volume"; path is where the value stands. */
    public static Optional<Misfit> check(JsonNode value, String type, MemberTable table, String path) {
        return value instanceof TypedObject known && known.fits(type, table)
                ? Optional.empty()
                : Optional.ofNullable(find(value, table.type(type), table)).map(m -> m.under(path));
    }

    private static @Nullable Misfit find(JsonNode value, GoType type, MemberTable table) {
        if (value.isMissingNode() || value.isNull()) {
            return null;
        }
        return switch (type) {
            case GoType.Leaf leaf -> fits(value, leaf) ? null : new Misfit("", "must be " + wanted(leaf));
            case GoType.Raw _ -> null;
            case GoType.Pointer(GoType target) -> find(value, target, table);
            case GoType.ListOf(GoType item) -> {
                if (!value.isArray()) {
                    yield new Misfit("", "must be a list");
                }
                for (int i = 0; i < value.size(); i++) {
                    Misfit misfit = find(value.path(i), item, table);
                    if (misfit != null) {
                        yield misfit.under("[" + i + "]");
                    }
                }
                yield null;
            }
            case GoType.MapOf(GoType item) -> {
                if (!value.isObject()) {
                    yield new Misfit("", "must be an object");
                }
                for (Map.Entry<String, JsonNode> entry : value.properties()) {
                    Misfit misfit = find(entry.getValue(), item, table);
                    if (misfit != null) {
                        yield misfit.under("[" + entry.getKey() + "]");
                    }
                }
                yield null;
            }
            case GoType.Struct(String name) -> {
                if (!value.isObject()) {
                    yield new Misfit("", "must be an object");
                }
                // By what is there, not by what could be: most members of a struct are absent.
                Map<String, MemberTable.Member> members = table.named(name);
                for (Map.Entry<String, JsonNode> entry : value.properties()) {
                    MemberTable.Member member = members.get(entry.getKey());
                    Misfit misfit = member == null ? null : find(entry.getValue(), member.type(), table);
                    if (misfit != null) {
                        yield misfit.under("." + entry.getKey());
                    }
                }
                yield null;
            }
        };
    }

    /** Whether the value itself is of the kind, not looking into lists, maps and structs. Nothing and null never fit. */
    static boolean fits(JsonNode value, GoType type) {
        return switch (type) {
            case GoType.Leaf leaf -> fits(value, leaf);
            case GoType.Raw _ -> !value.isMissingNode();
            case GoType.Pointer(GoType target) -> fits(value, target);
            case GoType.ListOf _ -> value.isArray();
            case GoType.MapOf _,GoType.Struct _ -> value.isObject();
        };
    }

    private static boolean fits(JsonNode value, GoType.Leaf leaf) {
        return switch (leaf) {
            case TEXT -> value.isString();
            case BOOL -> value.isBoolean();
            case INT32 -> value.isIntegralNumber() && value.canConvertToInt();
            case INT64 -> value.isIntegralNumber() && value.canConvertToLong();
            case INT_OR_STRING -> value.isString() || (value.isIntegralNumber() && value.canConvertToInt());
            case TIME -> value.isString() && isTime(value.stringValue());
            case QUANTITY -> (value.isString() && isPlainQuantity(value.stringValue())) || quantity(value).isPresent();
        };
    }

    /** A quantity given as a string or as a number; blanks around it do not count (api.md 6, rule 6). */
    static Optional<Quantity> quantity(JsonNode value) {
        return value.isString() || value.isNumber() ? Quantity.parse(value.asString().strip()) : Optional.empty();
    }

    /** Digits and a usual suffix, as nearly all are. */
    private static boolean isPlainQuantity(String text) {
        int digits = 0;
        while (digits < text.length() && text.charAt(digits) >= '0' && text.charAt(digits) <= '9') {
            digits++;
        }
        return digits > 0 && digits <= PLAIN_DIGITS && PLAIN_SUFFIXES.contains(text.substring(digits));
    }

    private static boolean isTime(String text) {
        return isPlainTime(text) || isAnyTime(text);
    }

    /** The form that API servers write, "2026-03-01T12:00:00Z", on days that every month has; a parser costs a hundred times as much. */
    private static boolean isPlainTime(String text) {
        return text.length() == PLAIN_TIME.length() && isDigits(text) && isBetween(text, 5, 1, 12) && isBetween(text, 8, 1, 28)
                && isBetween(text, 11, 0, 23) && isBetween(text, 14, 0, 59) && isBetween(text, 17, 0, 59);
    }

    private static boolean isDigits(String text) {
        for (int i = 0; i < PLAIN_TIME.length(); i++) {
            char wanted = PLAIN_TIME.charAt(i);
            char c = text.charAt(i);
            if (wanted == '0' ? c < '0' || c > '9' : c != wanted) {
                return false;
            }
        }
        return true;
    }

    private static boolean isBetween(String text, int at, int least, int most) {
        int number = (text.charAt(at) - '0') * 10 + text.charAt(at + 1) - '0';
        return number >= least && number <= most;
    }

    private static boolean isAnyTime(String text) {
        try {
            OffsetDateTime.parse(text);
            return true;
        } catch (DateTimeException e) {
            return false;
        }
    }

    private static String wanted(GoType.Leaf leaf) {
        return switch (leaf) {
            case TEXT -> "a string";
            case BOOL -> "true or false";
            case INT32 -> "a whole number of 32 bits";
            case INT64 -> "a whole number of 64 bits";
            case INT_OR_STRING -> "a whole number or a string";
            case TIME -> "a time as in RFC 3339";
            case QUANTITY -> "a quantity such as 100m or 64Mi";
        };
    }
}
