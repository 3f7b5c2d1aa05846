package dev.pillion.expr;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.RoundingMode;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import org.jspecify.annotations.Nullable;

/**
 * A Kubernetes quantity: an exact decimal number, the class of its suffix and, when the reference's parser keeps it, the text as typed
 * (api.md 6.1). Immutable. Two quantities are equal when number, class and text are; compare numbers with {@link #compareTo}.
 */
public final class Quantity implements Comparable<Quantity> {

    /** Which suffixes the canonical text uses. */
    public enum Format {
        DECIMAL, BINARY, EXPONENT
    }

    public static final Quantity ZERO = new Quantity(BigDecimal.ZERO, Format.DECIMAL, "");

    private static final Pattern FORM = Pattern
            .compile("([+-]?)([0-9]*)(?:\\.([0-9]*))?((?:[KMGTPE]i)|[numkMGTPE]|(?:[eE][+-]?[0-9]+))?");
    private static final String[] DECIMAL_SUFFIXES = {"n", "u", "m", "", "k", "M", "G", "T", "P", "E"};
    private static final String[] BINARY_SUFFIXES = {"", "Ki", "Mi", "Gi", "Ti", "Pi", "Ei"};
    /** No real quantity is as long, and reading millions of digits takes minutes. */
    private static final int LONGEST_TEXT = 1000;
    private static final int NANO = 9;
    private static final int MILLI = 3;
    private static final BigInteger KIBI = BigInteger.valueOf(1024);
    private static final BigDecimal LARGEST_BINARY = BigDecimal.valueOf(Long.MAX_VALUE);
    /** Beyond this many digits exact arithmetic would fill the memory ("1e2147483647" is a quantity); no real resource comes near. */
    private static final int LARGEST_EXPONENT = 64;
    private static final BigDecimal LARGEST_OPERAND = BigDecimal.ONE.scaleByPowerOfTen(LARGEST_EXPONENT);

    private final BigDecimal value;
    private final Format format;
    /** The text as typed, or "" when the canonical one is printed. */
    private final String kept;

    private Quantity(BigDecimal value, Format format, String kept) {
        this.value = value;
        this.format = format;
        this.kept = kept;
    }

    /** Reads a quantity; empty when the text is none. Blanks around it are not allowed: the reader of the JSON strips them. */
    public static Optional<Quantity> parse(String text) {
        Matcher form = FORM.matcher(text);
        if (text.isEmpty() || text.length() > LONGEST_TEXT || !form.matches()) {
            return Optional.empty();
        }
        String digits = stripZeros(form.group(2));
        String fraction = orEmpty(form.group(3));
        String suffix = orEmpty(form.group(4));
        boolean digitless = form.group(2).isEmpty() && fraction.isEmpty();
        if (digitless && (suffix.equals("Pi") || suffix.equals("Ei"))) {
            return Optional.empty();
        }
        if (suffix.length() == 2 && suffix.charAt(1) == 'i') {
            return Optional.of(binary(text, digits, fraction, indexOf(BINARY_SUFFIXES, suffix)).signed(form.group(1)));
        }
        Format format = suffix.length() > 1 ? Format.EXPONENT : Format.DECIMAL;
        int exponent;
        if (format == Format.EXPONENT) {
            try {
                // The reference reads 64 bits and keeps the lower 32.
                exponent = (int) Long.parseLong(suffix.substring(1));
            } catch (NumberFormatException e) {
                return Optional.empty();
            }
        } else {
            exponent = (indexOf(DECIMAL_SUFFIXES, suffix) - MILLI) * 3;
        }
        return Optional.of(decimal(text, digits, fraction, exponent, format).signed(form.group(1)));
    }

    private static Quantity decimal(String text, String digits, String fraction, int exponent, Format format) {
        BigInteger unscaled = new BigInteger(digits + fraction);
        long lowest = (long) exponent - fraction.length();
        boolean kept = digits.length() + fraction.length() <= 18 && lowest >= -NANO && lowest % 3 == 0 && !digits.startsWith("0")
                && !(digits + fraction).endsWith("000");
        if (unscaled.signum() == 0) {
            return new Quantity(BigDecimal.ZERO, format, "");
        }
        if (lowest < -NANO - (long) digits.length() - fraction.length()) {
            return new Quantity(BigDecimal.ONE.movePointLeft(NANO), format, "");
        }
        BigDecimal value = new BigDecimal(unscaled, (int) -Math.min(lowest, Integer.MAX_VALUE));
        return new Quantity(value.scale() > NANO ? value.setScale(NANO, RoundingMode.UP) : value, format, kept ? text : "");
    }

    private static Quantity binary(String text, String digits, String fraction, int power) {
        BigDecimal typed = new BigDecimal(new BigInteger(digits + fraction), fraction.length());
        BigDecimal value = typed.multiply(new BigDecimal(KIBI.pow(power)));
        int longestKept = switch (power) {
            case 1 -> 11;
            case 2 -> 8;
            case 3 -> 5;
            case 4 -> 2;
            default -> 0;
        };
        if (fraction.isEmpty() && digits.length() <= longestKept) {
            boolean kept = new BigInteger(digits).mod(BigInteger.valueOf(8)).signum() != 0;
            return new Quantity(value, Format.BINARY, kept ? text : "");
        }
        BigDecimal rounded = (value.scale() > NANO ? value.setScale(NANO, RoundingMode.UP) : value).min(LARGEST_BINARY);
        boolean belowOne = rounded.signum() > 0 && rounded.compareTo(BigDecimal.ONE) < 0;
        return new Quantity(rounded, belowOne ? Format.DECIMAL : Format.BINARY, "");
    }

    private Quantity signed(String sign) {
        return sign.equals("-") ? new Quantity(value.negate(), format, kept) : this;
    }

    /** A computed decimal quantity of so many thousandths. */
    public static Quantity ofMilli(BigInteger thousandths) {
        return new Quantity(new BigDecimal(thousandths, MILLI), Format.DECIMAL, "");
    }

    public static Quantity ofMilli(BigInteger thousandths, Format format) {
        return new Quantity(new BigDecimal(thousandths, MILLI), format, "");
    }

    public static Quantity ofMilli(long thousandths, Format format) {
        return ofMilli(BigInteger.valueOf(thousandths), format);
    }

    public static Quantity of(long number) {
        return new Quantity(BigDecimal.valueOf(number), Format.DECIMAL, "");
    }

    /** The sum. It has this format, or the other's when this is zero; a kept text is dropped. */
    public Quantity plus(Quantity other) {
        return new Quantity(operand().add(other.operand()), isZero() ? other.format : format, "");
    }

    /** The difference, with the format rule of {@link #plus}. */
    public Quantity minus(Quantity other) {
        return new Quantity(operand().subtract(other.operand()), isZero() ? other.format : format, "");
    }

    public Quantity negated() {
        return new Quantity(value.negate(), format, "");
    }

    /** Thousandths, rounded away from zero to a whole number. */
    public BigInteger milli() {
        return operand().movePointRight(MILLI).setScale(0, RoundingMode.UP).toBigIntegerExact();
    }

    /** This quantity rounded away from zero to thousandths, as defaulting does to resource lists; a text that needs no rounding is kept. */
    public Quantity roundedToMilli() {
        if (value.scale() <= MILLI) {
            return this;
        }
        BigDecimal rounded = value.setScale(MILLI, RoundingMode.UP);
        return new Quantity(rounded, format, "");
    }

    public BigDecimal value() {
        return value;
    }

    public Format format() {
        return format;
    }

    public int signum() {
        return value.signum();
    }

    public boolean isZero() {
        return value.signum() == 0;
    }

    /** The canonical text, whatever was typed. */
    public String canonical() {
        if (isZero()) {
            return "0";
        }
        return switch (format) {
            case BINARY -> canonicalBinary();
            case DECIMAL -> canonicalDecimal(Format.DECIMAL);
            case EXPONENT -> canonicalDecimal(Format.EXPONENT);
        };
    }

    private String canonicalBinary() {
        BigDecimal plain = value.abs();
        if (plain.compareTo(new BigDecimal(KIBI)) < 0 || plain.stripTrailingZeros().scale() > 0) {
            return canonicalDecimal(Format.DECIMAL);
        }
        BigInteger number = value.toBigInteger();
        int power = 0;
        while (power < BINARY_SUFFIXES.length - 1 && number.mod(KIBI).signum() == 0) {
            number = number.divide(KIBI);
            power++;
        }
        return number + BINARY_SUFFIXES[power];
    }

    private String canonicalDecimal(Format suffixes) {
        BigDecimal shortest = (value.scale() > NANO ? value.setScale(NANO, RoundingMode.UP) : value).stripTrailingZeros();
        int exponent = Math.floorDiv(-shortest.scale(), 3) * 3;
        BigInteger mantissa = shortest.unscaledValue().multiply(BigInteger.TEN.pow(-shortest.scale() - exponent));
        if (suffixes == Format.EXPONENT) {
            return exponent == 0 ? mantissa.toString() : mantissa + "e" + exponent;
        }
        int index = exponent / 3 + MILLI;
        // Compatible: api.md 6.1, a power above E loses its suffix.
        return mantissa + (index < DECIMAL_SUFFIXES.length ? DECIMAL_SUFFIXES[index] : "");
    }

    private BigDecimal operand() {
        if (value.precision() - (long) value.scale() > LARGEST_EXPONENT) {
            return value.signum() < 0 ? LARGEST_OPERAND.negate() : LARGEST_OPERAND;
        }
        return value;
    }

    @Override
    public int compareTo(Quantity other) {
        return value.compareTo(other.value);
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Quantity q && value.compareTo(q.value) == 0 && format == q.format && kept.equals(q.kept);
    }

    @Override
    public int hashCode() {
        return value.stripTrailingZeros().hashCode();
    }

    /** The text that JSON gets: as typed when it was kept, else canonical. */
    @Override
    public String toString() {
        return kept.isEmpty() ? canonical() : kept;
    }

    private static String stripZeros(String digits) {
        int start = 0;
        while (start < digits.length() && digits.charAt(start) == '0') {
            start++;
        }
        return start == digits.length() ? "0" : digits.substring(start);
    }

    private static String orEmpty(@Nullable String text) {
        return text == null ? "" : text;
    }

    private static int indexOf(String[] suffixes, String suffix) {
        for (int i = 0; i < suffixes.length; i++) {
            if (suffixes[i].equals(suffix)) {
                return i;
            }
        }
        throw new IllegalArgumentException(suffix);
    }
}
