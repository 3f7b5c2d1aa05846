package dev.pillion.config;

import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * The kind of a setting's value: how its text is read, and the words that tell a user what is allowed.
 *
 * @param parser empty when the text is not allowed
 */
record Kind<T>(String allowed, Function<String, Optional<T>> parser) {
    private static final Pattern DURATION_PART = Pattern.compile("(\\d{1,9})(ms|s|m|h)");
    private static final Pattern DURATION = Pattern.compile("(\\d{1,9}(ms|s|m|h))+");
    private static final Pattern SIZE = Pattern.compile("(\\d{1,9})(KiB|MiB)?");
    private static final Pattern DNS_LABEL = Pattern.compile("[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?");

    static Kind<Integer> number(int least, int most) {
        return new Kind<>("a whole number from " + least + " to " + most, text -> {
            if (!text.matches("\\d{1,9}")) {
                return Optional.empty();
            }
            int value = Integer.parseInt(text);
            return value < least || value > most ? Optional.empty() : Optional.of(value);
        });
    }

    /** Digits with a unit, as 5ms, 8s, 1m, 2h, or several in a row as 1m30s. */
    static Kind<Duration> duration(Duration least, Duration most) {
        return new Kind<>("a duration such as 500ms, 8s, 1m or 1m30s, from " + text(least) + " to " + text(most),
                text -> parseDuration(text).filter(d -> d.compareTo(least) >= 0 && d.compareTo(most) <= 0));
    }

    /** Bytes, also with KiB or MiB. */
    static Kind<Integer> size(int least, int most) {
        return new Kind<>("a size in bytes, KiB or MiB such as 7MiB, from " + least / 1024 + "KiB to " + most / 1024 / 1024 + "MiB",
                text -> {
                    Matcher matcher = SIZE.matcher(text);
                    if (!matcher.matches()) {
                        return Optional.empty();
                    }
                    long unit = "MiB".equals(matcher.group(2)) ? 1024 * 1024 : "KiB".equals(matcher.group(2)) ? 1024 : 1;
                    long bytes = Long.parseLong(matcher.group(1)) * unit;
                    return bytes < least || bytes > most ? Optional.empty() : Optional.of((int) bytes);
                });
    }

    /** A path from the root, for a directory that may be mounted later. */
    static Kind<Path> absolutePath() {
        return new Kind<>("a path that starts with /", text -> {
            try {
                return Optional.of(Path.of(text)).filter(Path::isAbsolute);
            } catch (InvalidPathException _) {
                return Optional.empty();
            }
        });
    }

    /** A name as Kubernetes allows for a Namespace. */
    static Kind<String> dnsLabel() {
        return new Kind<>("lower-case letters, digits and '-', at most 63",
                text -> DNS_LABEL.matcher(text).matches() ? Optional.of(text) : Optional.empty());
    }

    /** The constants of an enum in lower case. */
    static <E extends Enum<E>> Kind<E> word(Class<E> type) {
        List<E> constants = Arrays.asList(type.getEnumConstants());
        return new Kind<>(constants.stream().map(Kind::word).collect(Collectors.joining(" or ")),
                text -> constants.stream().filter(c -> word(c).equals(text)).findFirst());
    }

    /** true or false, each standing for a constant. */
    static <E extends Enum<E>> Kind<E> yesOrNo(E yes, E no) {
        Map<String, E> values = Map.of("true", yes, "false", no);
        return new Kind<>("true or false", text -> Optional.ofNullable(values.get(text)));
    }

    private static String word(Enum<?> constant) {
        return constant.name().toLowerCase(Locale.ROOT);
    }

    private static Optional<Duration> parseDuration(String text) {
        if (!DURATION.matcher(text).matches()) {
            return Optional.empty();
        }
        Duration sum = Duration.ZERO;
        Matcher part = DURATION_PART.matcher(text);
        while (part.find()) {
            long amount = Long.parseLong(part.group(1));
            sum = sum.plus(switch (part.group(2)) {
                case "ms" -> Duration.ofMillis(amount);
                case "s" -> Duration.ofSeconds(amount);
                case "m" -> Duration.ofMinutes(amount);
                default -> Duration.ofHours(amount);
            });
        }
        return Optional.of(sum);
    }

    private static String text(Duration duration) {
        if (duration.isZero()) {
            return "0s";
        }
        return duration.toMillis() % 1000 != 0 ? duration.toMillis() + "ms" : duration.toSeconds() + "s";
    }
}
