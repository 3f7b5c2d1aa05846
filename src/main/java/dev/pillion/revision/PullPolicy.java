package dev.pillion.revision;

import java.util.Locale;

import com.google.re2j.Matcher;
import com.google.re2j.Pattern;

/** The default of imagePullPolicy: Always for the tag "latest", given or assumed (validation.md 3.2). */
final class PullPolicy {
    private static final String DOMAIN_PART = "(?:[a-zA-Z0-9]|[a-zA-Z0-9][a-zA-Z0-9-]*[a-zA-Z0-9])";
    private static final String DOMAIN = "(?:" + DOMAIN_PART + "(?:\\." + DOMAIN_PART + ")*|\\[(?:[a-fA-F0-9:]+)\\])(?::[0-9]+)?";
    private static final String PATH_PART = "[a-z0-9]+(?:(?:[._]|__|[-]+)[a-z0-9]+)*";
    private static final Pattern IMAGE = Pattern
            .compile(DOMAIN + "/(" + PATH_PART + "(?:/" + PATH_PART + ")*)(?::([A-Za-z0-9_][A-Za-z0-9_.-]{0,127}))?(?:@("
                    + "sha256:[a-f0-9]{64}|sha384:[a-f0-9]{96}|sha512:[a-f0-9]{128}))?");
    private static final Pattern BARE_ID = Pattern.compile("[a-f0-9]{64}");
    private static final int LONGEST_PATH = 255;

    private PullPolicy() {
    }

    static String of(String image) {
        return isLatest(image) ? "Always" : "IfNotPresent";
    }

    private static boolean isLatest(String image) {
        if (BARE_ID.matches(image)) {
            return false;
        }
        int slash = image.indexOf('/');
        String first = slash < 0 ? "" : image.substring(0, slash);
        boolean hasDomain = slash >= 0 && (first.contains(".") || first.contains(":") || first.equals("localhost")
                || !first.toLowerCase(Locale.ROOT).equals(first));
        String domain = hasDomain ? first : "docker.io";
        String rest = hasDomain ? image.substring(slash + 1) : image;
        String path = (domain.equals("docker.io") || domain.equals("index.docker.io")) && !rest.contains("/") ? "library/" + rest : rest;
        Matcher parts = IMAGE.matcher(domain + "/" + path);
        if (!parts.matches() || parts.group(1).length() > LONGEST_PATH) {
            return false;
        }
        String tag = parts.group(2);
        return tag == null ? parts.group(3) == null : tag.equals("latest");
    }
}
