package dev.pillion.cli;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The examples of a page of the manual: files, and sessions of commands with what they print. With -Dpillion.refresh=true outputs that
 * differ are written into the page instead of failing the test.
 */
public final class Manual {
    private static final Pattern BLOCK = Pattern.compile("(?m)^(?:<!-- (file: (\\S+)|cluster) -->\\n)?```(yaml|console)\\n((?s:.*?))^```$");
    private static final String PROMPT = "$ ";

    /** Where a session belongs. */
    public enum Place {
        FILES, CLUSTER
    }

    /** One command with its output as printed on the page; empty or ended by a line break. */
    public record Step(String command, String output) {
    }

    private final Path page;
    private final Map<String, String> files = new LinkedHashMap<>();
    private final Map<Place, List<Step>> sessions = new EnumMap<>(Place.class);

    private Manual(Path page) {
        this.page = page;
    }

    public static Manual read(Path page) throws IOException {
        Manual manual = new Manual(page);
        Matcher block = BLOCK.matcher(Files.readString(page));
        while (block.find()) {
            if (block.group(2) != null) {
                manual.files.put(block.group(2), block.group(4));
            } else if (block.group(3).equals("console")) {
                manual.sessions.computeIfAbsent(block.group(1) == null ? Place.FILES : Place.CLUSTER, _ -> new ArrayList<>())
                        .addAll(steps(block.group(4)));
            }
        }
        return manual;
    }

    private static List<Step> steps(String session) {
        List<Step> steps = new ArrayList<>();
        for (String part : session.split("(?m)^" + Pattern.quote(PROMPT), -1)) {
            if (!part.isBlank()) {
                int end = part.indexOf('\n');
                steps.add(new Step(part.substring(0, end), part.substring(end + 1)));
            }
        }
        return steps;
    }

    public List<Step> steps(Place place) {
        return List.copyOf(sessions.getOrDefault(place, List.of()));
    }

    /** Writes the example files into a folder. */
    public void writeFiles(Path folder) throws IOException {
        for (Map.Entry<String, String> file : files.entrySet()) {
            Files.writeString(folder.resolve(file.getKey()), file.getValue());
        }
    }

    /** The arguments of a command, its files being those of the folder. */
    public String[] arguments(String command, Path folder) {
        List<String> arguments = new ArrayList<>(List.of(command.split(" ", -1)));
        arguments.replaceAll(a -> files.containsKey(a) ? folder.resolve(a).toString() : a);
        return arguments.subList(1, arguments.size()).toArray(String[]::new);
    }

    /** An output with the folder's name taken out, as it would be in that folder. */
    public static String inFolder(String output, Path folder) {
        return output.replace(folder + "/", "");
    }

    public static boolean refreshes() {
        return Boolean.getBoolean("pillion.refresh");
    }

    /** Puts outputs into the page, one for each step of a place. */
    public void refresh(Place place, List<String> outputs) throws IOException {
        String text = Files.readString(page);
        StringBuilder rewritten = new StringBuilder();
        Matcher block = BLOCK.matcher(text);
        int copied = 0;
        int next = 0;
        while (block.find()) {
            boolean mine = block.group(3).equals("console") && (block.group(1) == null ? Place.FILES : Place.CLUSTER) == place;
            if (mine) {
                rewritten.append(text, copied, block.start(4));
                for (Step step : steps(block.group(4))) {
                    rewritten.append(PROMPT).append(step.command()).append('\n').append(outputs.get(next++));
                }
                copied = block.end(4);
            }
        }
        Files.writeString(page, rewritten.append(text, copied, text.length()).toString());
    }
}
