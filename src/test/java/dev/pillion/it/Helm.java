package dev.pillion.it;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

import dev.pillion.bench.Assets;

/**
 * Runs helm 3: the program that HELM names, else that of the PATH, else what src/it/helm/prepare left in the cache. Without one the
 * tests are left out with one line on the terminal; {@code -Dpillion.helm=required} makes that a failure.
 */
public final class Helm {
    private static final Pattern VERSION = Pattern.compile("helm\\.sh/helm/v3 v([0-9.]+)");
    private final String program;

    private Helm(String program) {
        this.program = program;
    }

    /** What one call printed and how it ended. */
    public record Answer(int code, String out, String err) {
        /** The standard output of a call that must have succeeded. */
        public String ok() {
            if (code != 0) {
                throw new AssertionError("helm ended with " + code + ": " + err + out);
            }
            return out;
        }
    }

    /** helm, if it can be had. */
    public static Optional<Helm> find() {
        Optional<Helm> found = candidates().filter(Files::isExecutable).map(Path::toString).map(Helm::new)
                .filter(h -> h.run("version", "--short").out().startsWith("v3.")).findFirst();
        if (found.isEmpty()) {
            String how = "run src/it/helm/prepare, or set HELM to the program";
            if (System.getProperty("pillion.helm", "optional").equals("required")) {
                throw new IllegalStateException("-Dpillion.helm=required, but there is no helm 3: " + how);
            }
            System.out.println("helm: SKIPPED, the chart is not rendered. To get it: " + how);
        }
        return found;
    }

    public Answer run(String... arguments) {
        List<String> command = new ArrayList<>(List.of(program));
        command.addAll(List.of(arguments));
        Program ended = Program.run(new ProcessBuilder(command), "");
        return new Answer(ended.code(), ended.out(), ended.err());
    }

    private static Stream<Path> candidates() {
        String given = System.getenv().getOrDefault("HELM", "");
        if (!given.isEmpty()) {
            return Stream.of(Path.of(given));
        }
        Stream<Path> path = Stream.of(System.getenv().getOrDefault("PATH", "").split(":", -1)).map(folder -> Path.of(folder, "helm"));
        return Stream.concat(path,
                Stream.of(Assets.cache(System.getenv()).resolve("pillion").resolve("helm-" + version()).resolve("helm")));
    }

    private static String version() {
        try {
            Matcher line = VERSION.matcher(Files.readString(Path.of("src", "it", "helm", "go.mod")));
            return line.find() ? line.group(1) : "";
        } catch (IOException e) {
            throw new UncheckedIOException("the tests run in the project's folder", e);
        }
    }
}
