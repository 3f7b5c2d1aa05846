package dev.pillion.cli;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import dev.pillion.api.Json;

import tools.jackson.databind.JsonNode;

/**
 * What an unquoted scalar of a manifest means: YAML 1.1 as Kubernetes' own tools read it, so {@code 0644} is 420, {@code yes} is true and
 * {@code ~} is null; dates are texts.
 */
final class YamlScalar {
    private static final Set<String> TRUE = Set.of("y", "Y", "yes", "Yes", "YES", "true", "True", "TRUE", "on", "On", "ON");
    private static final Set<String> FALSE = Set.of("n", "N", "no", "No", "NO", "false", "False", "FALSE", "off", "Off", "OFF");
    private static final Set<String> NULL = Set.of("", "~", "null", "Null", "NULL");
    private static final Pattern INTEGER = Pattern.compile("([-+]?)(0[xX][0-9a-fA-F]+|0[bB][01]+|0[oO]?[0-7]+|0|[1-9][0-9]*)");
    private static final Pattern DECIMAL = Pattern.compile("[-+]?(\\.[0-9]+|[0-9]+(\\.[0-9]*)?)([eE][-+]?[0-9]+)?");
    private static final int SIGNED_BITS = 63;
    private static final int UNSIGNED_BITS = 64;

    private YamlScalar() {
    }

    static JsonNode of(String text) {
        if (NULL.contains(text)) {
            return Json.NODES.nullNode();
        }
        if (TRUE.contains(text) || FALSE.contains(text)) {
            return Json.NODES.booleanNode(TRUE.contains(text));
        }
        return number(text.replace("_", "")).orElseGet(() -> Json.NODES.stringNode(text));
    }

    /** Whether a text would be taken for something else if it stood there without quotes. */
    static boolean needsQuotes(String text) {
        return !of(text).isString();
    }

    private static Optional<JsonNode> number(String plain) {
        Matcher integer = INTEGER.matcher(plain);
        if (integer.matches()) {
            BigInteger value = digits(integer.group(2));
            BigInteger signed = integer.group(1).equals("-") ? value.negate() : value;
            if (signed.bitLength() <= SIGNED_BITS) {
                return Optional.of(fitting(signed));
            }
            if (signed.signum() > 0 && signed.bitLength() <= UNSIGNED_BITS) {
                return Optional.of(Json.NODES.numberNode(signed));
            }
        }
        if (!DECIMAL.matcher(plain).matches()) {
            return Optional.empty();
        }
        double value = Double.parseDouble(plain);
        if (Double.isInfinite(value)) {
            return Optional.empty();
        }
        // Written without a fraction when it has none, as Go does: 1e3 is a whole number for whoever reads the JSON.
        BigDecimal exact = BigDecimal.valueOf(value);
        boolean whole = exact.stripTrailingZeros().scale() <= 0 && Math.abs(value) < 1e21;
        return Optional.of(whole ? fitting(exact.toBigInteger()) : Json.NODES.numberNode(exact));
    }

    private static JsonNode fitting(BigInteger value) {
        if (value.bitLength() < Integer.SIZE) {
            return Json.NODES.numberNode(value.intValue());
        }
        return value.bitLength() < Long.SIZE ? Json.NODES.numberNode(value.longValue()) : Json.NODES.numberNode(value);
    }

    private static BigInteger digits(String text) {
        boolean prefixed = text.length() > 1 && text.charAt(0) == '0';
        if (!prefixed) {
            return new BigInteger(text);
        }
        return switch (text.charAt(1)) {
            case 'x', 'X' -> new BigInteger(text.substring(2), 16);
            case 'b', 'B' -> new BigInteger(text.substring(2), 2);
            case 'o', 'O' -> new BigInteger(text.substring(2), 8);
            default -> new BigInteger(text.substring(1), 8);
        };
    }
}
