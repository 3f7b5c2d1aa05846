package dev.pillion.sandbox;

import java.math.BigDecimal;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import tools.jackson.databind.JsonNode;

/** Resource quantities, as far as comparing them needs. */
final class Amount {
    private static final Pattern FORM = Pattern
            .compile("([+-]?(?:[0-9]+\\.?[0-9]*|\\.[0-9]+))(?:([eE][+-]?[0-9]{1,3})|(n|u|m|k|M|G|T|P|E|Ki|Mi|Gi|Ti|Pi|Ei))?");
    private static final Map<String, BigDecimal> UNITS = Map.ofEntries(Map.entry("n", new BigDecimal("1e-9")),
            Map.entry("u", new BigDecimal("1e-6")), Map.entry("m", new BigDecimal("1e-3")), Map.entry("k", new BigDecimal("1e3")),
            Map.entry("M", new BigDecimal("1e6")), Map.entry("G", new BigDecimal("1e9")), Map.entry("T", new BigDecimal("1e12")),
            Map.entry("P", new BigDecimal("1e15")), Map.entry("E", new BigDecimal("1e18")), Map.entry("Ki", binary(1)),
            Map.entry("Mi", binary(2)), Map.entry("Gi", binary(3)), Map.entry("Ti", binary(4)), Map.entry("Pi", binary(5)),
            Map.entry("Ei", binary(6)));

    private Amount() {
    }

    /** Empty when the node is neither a number nor the text of a quantity. */
    static Optional<BigDecimal> parse(JsonNode node) {
        if (!node.isNumber() && !node.isString()) {
            return Optional.empty();
        }
        Matcher match = FORM.matcher(node.asString());
        if (!match.matches()) {
            return Optional.empty();
        }
        String exponent = match.group(2) == null ? "" : match.group(2);
        BigDecimal number = new BigDecimal(match.group(1) + exponent);
        return Optional.of(match.group(3) == null ? number : number.multiply(UNITS.getOrDefault(match.group(3), BigDecimal.ONE)));
    }

    private static BigDecimal binary(int power) {
        return new BigDecimal(1024).pow(power);
    }
}
