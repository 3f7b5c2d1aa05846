package dev.pillion.sandbox;

import java.util.Comparator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Priority of version names: v2, v1, v1beta2, v1beta1, v1alpha1, then all others by name. */
final class VersionOrder {
    private static final Pattern FORM = Pattern.compile("v([0-9]{1,9})(?:(alpha|beta)([0-9]{1,9}))?");
    static final Comparator<String> NEWEST_FIRST = Comparator.comparingInt(VersionOrder::stability)
            .thenComparing(Comparator.comparingInt(VersionOrder::major).reversed())
            .thenComparing(Comparator.comparingInt(VersionOrder::minor).reversed()).thenComparing(Comparator.naturalOrder());

    private VersionOrder() {
    }

    private static int stability(String version) {
        Matcher match = FORM.matcher(version);
        if (!match.matches()) {
            return 3;
        }
        return match.group(2) == null ? 0 : match.group(2).equals("beta") ? 1 : 2;
    }

    private static int major(String version) {
        Matcher match = FORM.matcher(version);
        return match.matches() ? Integer.parseInt(match.group(1)) : 0;
    }

    private static int minor(String version) {
        Matcher match = FORM.matcher(version);
        return match.matches() && match.group(3) != null ? Integer.parseInt(match.group(3)) : 0;
    }
}
