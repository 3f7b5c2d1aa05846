package dev.pillion.validate;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** Text formats of core-validation.md 12. Each returns one problem for each violated clause; lengths are UTF-8 bytes. */
final class Formats {
    private static final String LABEL_TEXT = "[a-z0-9]([-a-z0-9]*[a-z0-9])?";
    private static final Pattern LABEL = Pattern.compile(LABEL_TEXT);
    private static final Pattern NAME_PART = Pattern.compile("([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]");
    private static final Pattern PORT_CHARACTERS = Pattern.compile("[-a-z0-9]+");
    private static final Pattern LETTER = Pattern.compile("[a-z]");
    private static final Pattern ENV = Pattern.compile("[-._a-zA-Z][-._a-zA-Z0-9]*");
    private static final Pattern CONFIG_KEY = Pattern.compile("[-._a-zA-Z0-9]+");
    private static final Pattern HEADER = Pattern.compile("[-A-Za-z0-9]+");
    /** RE2, since it is searched for: java.util.regex would begin anew at every place. */
    private static final com.google.re2j.Pattern IQN = com.google.re2j.Pattern
            .compile("iqn\\.[0-9]{4}-[0-9]{2}\\.[A-Za-z0-9.-]+:[^,;*&$| \\t\\n\\f\\r]+\\z");
    private static final Pattern EUI = Pattern.compile("eui[^\\n][A-Za-z0-9]{16}");
    private static final Pattern NAA = Pattern.compile("naa[^\\n][A-Za-z0-9]{32}");
    private static final int MAX_LABEL = 63;
    private static final int MAX_SUBDOMAIN = 253;
    private static final int MAX_PORT_NAME = 15;

    private Formats() {
    }

    static int length(String text) {
        return text.getBytes(StandardCharsets.UTF_8).length;
    }

    static List<String> label(String text) {
        List<String> problems = new ArrayList<>();
        atMost(text, MAX_LABEL, problems);
        matches(LABEL, text, "must be lower-case letters, digits and '-', beginning and ending with a letter or digit", problems);
        return problems;
    }

    static List<String> subdomain(String text) {
        List<String> problems = new ArrayList<>();
        atMost(text, MAX_SUBDOMAIN, problems);
        // Part by part: one expression for the whole needs a stack as deep as there are parts.
        if (!Stream.of(text.split("\\.", -1)).allMatch(part -> LABEL.matcher(part).matches())) {
            problems.add("\"" + text
                    + "\" must be lower-case letters, digits, '-' and '.', each part beginning and ending with a letter or digit");
        }
        return problems;
    }

    /** SUBDOMAIN-PREFIX: a final '-' is what a generated name may end with. */
    static List<String> subdomainPrefix(String text) {
        if (text.length() > 1 && text.endsWith("-")) {
            return subdomain(text.substring(0, text.offsetByCodePoints(text.length() - 1, -1)) + "a");
        }
        return subdomain(text);
    }

    static List<String> qualifiedName(String text) {
        String[] parts = text.split("/", -1);
        if (parts.length > 2) {
            return List.of("\"" + text + "\" must be a name, or a DNS subdomain, '/' and a name");
        }
        List<String> problems = new ArrayList<>();
        if (parts.length == 2) {
            if (parts[0].isEmpty()) {
                problems.add("the part before '/' must not be empty");
            } else {
                problems.addAll(subdomain(parts[0]));
            }
        }
        String name = parts[parts.length - 1];
        if (name.isEmpty() || length(name) > MAX_LABEL) {
            problems.add("the name part must have 1 to " + MAX_LABEL + " characters");
        }
        matches(NAME_PART, name, "the name part must be letters, digits, '-', '_' and '.', beginning and ending with a letter or digit",
                problems);
        return problems;
    }

    static List<String> labelValue(String text) {
        List<String> problems = new ArrayList<>();
        atMost(text, MAX_LABEL, problems);
        if (!text.isEmpty()) {
            matches(NAME_PART, text, "must be empty, or letters, digits, '-', '_' and '.', beginning and ending with a letter or digit",
                    problems);
        }
        return problems;
    }

    static List<String> portName(String text) {
        List<String> problems = new ArrayList<>();
        atMost(text, MAX_PORT_NAME, problems);
        matches(PORT_CHARACTERS, text, "must be lower-case letters, digits and '-'", problems);
        if (!LETTER.matcher(text).find()) {
            problems.add("\"" + text + "\" must have a letter");
        }
        if (text.contains("--")) {
            problems.add("\"" + text + "\" must not have two '-' in a row");
        }
        if (text.startsWith("-") || text.endsWith("-")) {
            problems.add("\"" + text + "\" must not begin or end with '-'");
        }
        return problems;
    }

    static List<String> envName(String text) {
        List<String> problems = new ArrayList<>();
        matches(ENV, text, "must be letters, digits, '-', '_' and '.', not beginning with a digit", problems);
        noDots(text, problems);
        return problems;
    }

    static List<String> configKey(String text) {
        List<String> problems = new ArrayList<>();
        atMost(text, MAX_SUBDOMAIN, problems);
        matches(CONFIG_KEY, text, "must be letters, digits, '-', '_' and '.'", problems);
        noDots(text, problems);
        return problems;
    }

    /** LOCAL: relative, and stays below its root. The empty text is fine. */
    static List<String> localPath(String text) {
        List<String> problems = new ArrayList<>();
        if (text.startsWith("/")) {
            problems.add("\"" + text + "\" must be relative: leave out the leading '/'");
        }
        if (hasParentSegment(text)) {
            problems.add("\"" + text + "\" must not contain '..'");
        }
        return problems;
    }

    /** LOCALNR: as LOCAL, and no first segment that only begins with two dots. */
    static List<String> localFileName(String text) {
        List<String> problems = localPath(text);
        if (text.startsWith("..") && !text.startsWith("../")) {
            problems.add("\"" + text + "\" must not begin with '..'");
        }
        return problems;
    }

    static boolean hasParentSegment(String path) {
        for (String segment : path.split("/", -1)) {
            if (segment.equals("..")) {
                return true;
            }
        }
        return false;
    }

    static boolean isHeaderName(String text) {
        return HEADER.matcher(text).matches();
    }

    static boolean isIscsiName(String text) {
        if (text.startsWith("iqn")) {
            return IQN.matcher(text).find();
        }
        return EUI.matcher(text).matches() || NAA.matcher(text).matches();
    }

    static boolean isHostPort(String text) {
        int last = text.lastIndexOf(':');
        if (last < 0) {
            return false;
        }
        if (text.startsWith("[")) {
            int close = text.indexOf(']');
            return close >= 0 && close + 1 == last && text.indexOf('[', 1) < 0 && text.indexOf(']', close + 1) < 0;
        }
        return text.indexOf(':') == last && !text.contains("[") && !text.contains("]");
    }

    /** White space as Go counts it (12.4), not as Java does. */
    static boolean isSpace(int c) {
        return (c >= 0x09 && c <= 0x0d) || c == ' ' || c == 0x85 || c == 0xa0 || c == 0x1680 || (c >= 0x2000 && c <= 0x200a) || c == 0x2028
                || c == 0x2029
                || c == 0x202f || c == 0x205f || c == 0x3000;
    }

    static boolean hasOuterSpace(String text) {
        return !text.isEmpty() && (isSpace(text.codePointAt(0)) || isSpace(text.codePointBefore(text.length())));
    }

    /** One code point for one, whatever the locale. */
    static String lowerCase(String text) {
        StringBuilder lower = new StringBuilder(text.length());
        text.codePoints().map(Character::toLowerCase).forEach(lower::appendCodePoint);
        return lower.toString();
    }

    private static void noDots(String text, List<String> problems) {
        if (text.equals(".") || text.startsWith("..")) {
            problems.add("\"" + text + "\" must not be '.' or begin with '..'");
        }
    }

    private static void atMost(String text, int limit, List<String> problems) {
        if (length(text) > limit) {
            problems.add("must have at most " + limit + " characters");
        }
    }

    private static void matches(Pattern pattern, String text, String rule, List<String> problems) {
        if (!pattern.matcher(text).matches()) {
            problems.add("\"" + text + "\" " + rule);
        }
    }
}
