package dev.pillion.api;

import java.math.BigDecimal;

/** The text of a 64-bit float in Go's JSON: plain digits, or an exponent below 1e-6 and from 1e21 on. */
final class GoFloat {
    private GoFloat() {
    }

    static String text(double value) {
        if (value == 0) {
            return 1 / value < 0 ? "-0" : "0";
        }
        double size = Math.abs(value);
        // Double.toString gives the shortest digits that read back as the same double, as Go does.
        BigDecimal shortest = new BigDecimal(Double.toString(value)).stripTrailingZeros();
        if (size >= 1e-6 && size < 1e21) {
            return shortest.toPlainString();
        }
        String digits = shortest.unscaledValue().abs().toString();
        int exponent = digits.length() - 1 - shortest.scale();
        String mantissa = digits.length() == 1 ? digits : digits.charAt(0) + "." + digits.substring(1);
        return (value < 0 ? "-" : "") + mantissa + "e" + (exponent < 0 ? "-" : "+") + Math.abs(exponent);
    }
}
