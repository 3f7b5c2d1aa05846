package dev.pillion.naive;

import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.List;
import java.util.Optional;

/**
 * A quantity as texts such as 250m, 2, 1G, 64Mi have it (api.md 6.1).
 *
 * @param kept the text as given, "" for a computed one
 */
record Amount(BigDecimal value, boolean binary, String kept) {
    static final Amount ZERO = new Amount(BigDecimal.ZERO, false, "");
    private static final BigDecimal THOUSAND = BigDecimal.valueOf(1000);
    private static final BigDecimal KIBI = BigDecimal.valueOf(1024);
    private static final List<String> BINARY = List.of("", "Ki", "Mi", "Gi", "Ti");
    private static final List<String> DECIMAL = List.of("m", "", "k", "M", "G", "T");

    static Amount known(String text) {
        return of(text).orElseThrow();
    }

    /** Empty for "". */
    static Optional<Amount> of(String text) {
        if (text.isEmpty()) {
            return Optional.empty();
        }
        String suffix = text.replaceAll("[0-9]", "");
        BigDecimal digits = new BigDecimal(text.substring(0, text.length() - suffix.length()));
        int binary = BINARY.indexOf(suffix);
        return Optional.of(binary > 0
                ? new Amount(digits.multiply(KIBI.pow(binary)), true, text)
                : new Amount(digits.movePointRight(3 * (DECIMAL.indexOf(suffix) - 1)), false, text));
    }

    boolean isNegative() {
        return value.signum() < 0;
    }

    Amount plus(Amount other) {
        return new Amount(value.add(other.value), value.signum() == 0 ? other.binary : binary, "");
    }

    Amount times(double factor) {
        double milli = value.multiply(THOUSAND).setScale(0, RoundingMode.CEILING).longValueExact();
        return milli((long) (milli * factor));
    }

    Amount dividedBy(double divisor) {
        double milli = value.multiply(THOUSAND).setScale(0, RoundingMode.CEILING).longValueExact();
        return milli((long) (milli / divisor));
    }

    private Amount milli(long milli) {
        return new Amount(BigDecimal.valueOf(milli, 3), binary, "");
    }

    Amount max(Amount other) {
        return other.value.compareTo(value) > 0 ? other : this;
    }

    String print() {
        if (!kept.isEmpty()) {
            return kept;
        }
        if (value.signum() == 0) {
            return "0";
        }
        BigDecimal rest = value;
        if (binary && isWhole(rest) && rest.abs().compareTo(KIBI) >= 0) {
            int suffix = 0;
            while (suffix + 1 < BINARY.size() && isWhole(rest.divide(KIBI))) {
                rest = rest.divide(KIBI);
                suffix++;
            }
            return rest.toBigIntegerExact() + BINARY.get(suffix);
        }
        rest = rest.multiply(THOUSAND);
        int suffix = 0;
        while (suffix + 1 < DECIMAL.size() && isWhole(rest.divide(THOUSAND))) {
            rest = rest.divide(THOUSAND);
            suffix++;
        }
        return rest.toBigIntegerExact() + DECIMAL.get(suffix);
    }

    private static boolean isWhole(BigDecimal number) {
        return number.stripTrailingZeros().scale() <= 0;
    }
}
