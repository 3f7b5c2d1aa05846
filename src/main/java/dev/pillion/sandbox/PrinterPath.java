package dev.pillion.sandbox;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import tools.jackson.databind.JsonNode;

/** The part of JSONPath that printer columns use: members, `['a.b']`, `[0]`, `[*]` and `[?(@.type=="Ready")]`. */
final class PrinterPath {
    private static final Pattern STEP = Pattern.compile(
            "\\.((?:[^.\\[\\\\]|\\\\.)+)|\\['([^']*)']|\\[(\\d+)]|\\[(\\*)]|\\[\\?\\(@\\.([^=!]+?)\\s*==\\s*[\"']([^\"']*)[\"']\\)]");
    private final String path;

    PrinterPath(String path) {
        this.path = path.startsWith(".") || path.startsWith("[") ? path : "." + path;
    }

    /** All values at the path; none also for a path that cannot be read. */
    List<JsonNode> find(JsonNode object) {
        List<JsonNode> found = List.of(object);
        Matcher step = STEP.matcher(path);
        int at = 0;
        while (at < path.length()) {
            if (!step.find(at) || step.start() != at) {
                return List.of();
            }
            List<JsonNode> next = new ArrayList<>();
            for (JsonNode value : found) {
                follow(value, step, next);
            }
            found = next;
            at = step.end();
        }
        return found.stream().filter(value -> !Trees.isAbsent(value)).toList();
    }

    private static void follow(JsonNode value, Matcher step, List<JsonNode> next) {
        if (step.group(1) != null) {
            next.add(value.path(step.group(1).replace("\\", "")));
        } else if (step.group(2) != null) {
            next.add(value.path(step.group(2)));
        } else if (step.group(3) != null) {
            next.add(value.path(Integer.parseInt(step.group(3))));
        } else if (step.group(4) != null) {
            value.forEach(next::add);
        } else {
            PrinterPath wanted = new PrinterPath(step.group(5));
            for (JsonNode entry : value) {
                if (wanted.find(entry).stream().anyMatch(found -> found.asString("").equals(step.group(6)))) {
                    next.add(entry);
                }
            }
        }
    }
}
