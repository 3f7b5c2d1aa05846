package dev.pillion.sandbox;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.RoundingMode;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import tools.jackson.databind.JsonNode;

/** Resource quantities, as far as comparing and storing them needs. */
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

    /** The form in which a real server stores a quantity: "0.1" becomes "100m", "1024Mi" becomes "1Gi". Empty when the node is none. */
    static Optional<String> canonical(JsonNode node) {
        return parse(node).map(value -> {
            Matcher match = FORM.matcher(node.asString());
            boolean known = match.matches();
            String unit = known && match.group(3) != null ? match.group(3) : "";
            BigDecimal rounded = value.setScale(9, value.signum() < 0 ? RoundingMode.DOWN : RoundingMode.CEILING);
            if (unit.endsWith("i") && rounded.abs().compareTo(new BigDecimal(1024)) >= 0) {
                return binary(rounded.setScale(0, RoundingMode.CEILING).toBigIntegerExact());
            }
            return decimal(rounded, known && match.group(2) != null);
        });
    }

    private static String binary(BigInteger value) {
        BigInteger step = BigInteger.valueOf(1024);
        BigInteger rest = value;
        int power = 0;
        while (power < 6 && rest.mod(step).signum() == 0) {
            rest = rest.divide(step);
            power++;
        }
        return rest + List.of("", "Ki", "Mi", "Gi", "Ti", "Pi", "Ei").get(power);
    }

    private static String decimal(BigDecimal value, boolean exponent) {
        if (value.signum() == 0) {
            return "0";
        }
        int power = Math.max(-9, Math.min(18, Math.floorDiv(-value.stripTrailingZeros().scale(), 3) * 3));
        String digits = value.movePointLeft(power).toBigIntegerExact().toString();
        if (exponent) {
            return power == 0 ? digits : digits + "e" + power;
        }
        return digits + List.of("n", "u", "m", "", "k", "M", "G", "T", "P", "E").get((power + 9) / 3);
    }

    private static BigDecimal binary(int power) {
        return new BigDecimal(1024).pow(power);
    }
}
