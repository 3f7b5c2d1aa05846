package dev.pillion.inject;

import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;

/** metadata.labels['key'] or metadata.annotations['key'], the only field paths transferEnv knows (injection.md 7, step 3b). */
final class FieldPath {
    private static final Pattern NAME = Pattern.compile("(?:[A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]");
    private static final Pattern PREFIX = Pattern.compile("[a-z0-9](?:[-a-z0-9]*[a-z0-9])?(?:\\.[a-z0-9](?:[-a-z0-9]*[a-z0-9])?)*");
    private static final int LONGEST_NAME = 63;
    private static final int LONGEST_PREFIX = 253;

    private FieldPath() {
    }

    /** The value: "" when the pod lacks the key, empty when the path is not valid. */
    static Optional<String> read(String path, Map<String, String> labels, Map<String, String> annotations) {
        int open = path.indexOf("['");
        if (open <= 0 || !path.endsWith("']") || open + 2 > path.length() - 2) {
            return Optional.empty();
        }
        String key = path.substring(open + 2, path.length() - 2);
        return switch (path.substring(0, open)) {
            case "metadata.labels" -> isQualified(key) ? Optional.of(labels.getOrDefault(key, "")) : Optional.empty();
            // Compatible: checked in lower case, looked up as written.
            case "metadata.annotations" -> isQualified(key.toLowerCase(Locale.ROOT))
                    ? Optional.of(annotations.getOrDefault(key, ""))
                    : Optional.empty();
            default -> Optional.empty();
        };
    }

    private static boolean isQualified(String key) {
        int slash = key.indexOf('/');
        String name = key.substring(slash + 1);
        if (slash >= 0) {
            String prefix = key.substring(0, slash);
            if (prefix.length() > LONGEST_PREFIX || !PREFIX.matcher(prefix).matches()) {
                return false;
            }
        }
        return name.length() <= LONGEST_NAME && NAME.matcher(name).matches();
    }
}
