package dev.pillion.rollout;

import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.Optional;

import dev.pillion.api.IntOrString;

/** partition and maxUnavailable as numbers of Pods (rollout.md 7.1, 7.2). */
final class Budget {
    private static final BigDecimal HUNDRED = BigDecimal.valueOf(100);

    private Budget() {
    }

    /**
     * How many waiting Pods to leave alone.
     *
     * @param pods number of matching Pods
     */
    static int partition(Optional<IntOrString> given, int pods) {
        if (given.isEmpty()) {
            return 0;
        }
        return switch (given.get()) {
            case IntOrString.Int(int value) -> clamp(value, pods);
            case IntOrString.Text(String text) -> {
                Optional<Double> percent = percent(text);
                if (percent.isEmpty()) {
                    yield 0;
                }
                double part = Math.ceil(percent.get() * pods / 100);
                // Compatible: less than 100% always lets one Pod through (trap b).
                yield part == pods && pods > 1 && !text.equals("100%") ? pods - 1 : clamp(part, pods);
            }
        };
    }

    private static Optional<Double> percent(String text) {
        if (!text.endsWith("%")) {
            return Optional.empty();
        }
        try {
            double value = Double.parseDouble(text.substring(0, text.length() - 1));
            return text.strip().equals(text) && !Character.isLetter(text.charAt(Math.max(0, text.length() - 2)))
                    ? Optional.of(value)
                    : Optional.empty();
        } catch (NumberFormatException e) {
            return Optional.empty();
        }
    }

    private static int clamp(double value, int pods) {
        return (int) Math.max(0, Math.min(value, pods));
    }

    /** How many Pods may be unavailable. Compatible: a text is a percentage even without %, a fraction in it gives 0 (trap c). */
    static int maxUnavailable(Optional<IntOrString> given, int pods) {
        if (given.isEmpty()) {
            return 1;
        }
        return switch (given.get()) {
            case IntOrString.Int(int value) -> value;
            case IntOrString.Text(String text) -> {
                try {
                    int percent = Integer.parseInt(text.replace("%", ""));
                    yield BigDecimal.valueOf(percent).multiply(BigDecimal.valueOf(pods)).divide(HUNDRED, 0, RoundingMode.CEILING)
                            .intValue();
                } catch (NumberFormatException e) {
                    yield 0;
                }
            }
        };
    }
}
