package dev.pillion.match;

import java.util.Map;
import java.util.Optional;

import com.google.re2j.Matcher;
import com.google.re2j.Pattern;

/**
 * An image reference {@code name[:tag][@digest]} by the grammar of rollout.md 4.4. tag and digest are "" when absent.
 */
record ImageReference(String name, String tag, String digest) {
    private static final String DOMAIN_PART = "(?:[a-zA-Z0-9]|[a-zA-Z0-9][a-zA-Z0-9-]*[a-zA-Z0-9])";
    private static final String DOMAIN = DOMAIN_PART + "(?:\\." + DOMAIN_PART + ")*(?::[0-9]+)?";
    private static final String PATH_PART = "[a-z0-9]+(?:(?:[._]|__|[-]*)[a-z0-9]+)*";
    private static final String NAME = "(?:" + DOMAIN + "/)?" + PATH_PART + "(?:/" + PATH_PART + ")*";
    private static final Pattern GRAMMAR = Pattern.compile("^(" + NAME + ")(?::(\\w[\\w.-]{0,127}))?"
            + "(?:@([A-Za-z][A-Za-z0-9]*(?:[-_+.][A-Za-z][A-Za-z0-9]*)*:[0-9a-fA-F]{32,}))?$");
    private static final int MAX_NAME = 255;
    private static final Map<String, Integer> DIGEST_LENGTHS = Map.of("sha256", 64, "sha384", 96, "sha512", 128);
    private static final String DEFAULT_DOMAIN = "docker.io";

    /** Empty when the text is no reference. */
    static Optional<ImageReference> of(String text) {
        Matcher matcher = GRAMMAR.matcher(text);
        if (!matcher.matches() || matcher.group(1).length() > MAX_NAME) {
            return Optional.empty();
        }
        String digest = matcher.group(3) == null ? "" : matcher.group(3);
        if (!digest.isEmpty() && !isDigest(digest)) {
            return Optional.empty();
        }
        return Optional.of(new ImageReference(matcher.group(1), matcher.group(2) == null ? "" : matcher.group(2), digest));
    }

    private static boolean isDigest(String text) {
        int colon = text.indexOf(':');
        String hex = text.substring(colon + 1);
        return DIGEST_LENGTHS.getOrDefault(text.substring(0, colon), -1) == hex.length()
                && hex.chars().noneMatch(c -> c >= 'A' && c <= 'F');
    }

    /** Rule 4.4: by digest when both have one, else by tag; names as given. */
    boolean isSameImage(ImageReference other) {
        if (!name.equals(other.name)) {
            return false;
        }
        boolean byDigest = !digest.isEmpty() && !other.digest.isEmpty();
        return byDigest ? digest.equals(other.digest) : tag.equals(other.tag);
    }

    /** With the default domain, {@code library/} and the tag {@code latest} filled in, as runtimes report it. */
    ImageReference normalized() {
        int slash = name.indexOf('/');
        String first = slash < 0 ? "" : name.substring(0, slash);
        String full;
        if (first.equals("index.docker.io")) {
            full = DEFAULT_DOMAIN + name.substring(slash);
        } else if (isDomain(first)) {
            full = name;
        } else {
            full = DEFAULT_DOMAIN + "/" + name;
        }
        String path = full.substring(full.indexOf('/') + 1);
        if (full.startsWith(DEFAULT_DOMAIN + "/") && path.indexOf('/') < 0) {
            full = DEFAULT_DOMAIN + "/library/" + path;
        }
        return new ImageReference(full, tag.isEmpty() && digest.isEmpty() ? "latest" : tag, digest);
    }

    private static boolean isDomain(String first) {
        return first.equals("localhost") || first.indexOf('.') >= 0 || first.indexOf(':') >= 0
                || first.chars().anyMatch(c -> c >= 'A' && c <= 'Z');
    }
}
