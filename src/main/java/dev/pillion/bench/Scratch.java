package dev.pillion.bench;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/** A temporary folder that goes with everything in it. */
record Scratch(Path folder) implements AutoCloseable {
    private static final int LINES = 20;

    static Scratch create(String name) {
        try {
            return new Scratch(Files.createTempDirectory("pillion-" + name + "-"));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    Path file(String name) {
        return folder.resolve(name);
    }

    /** The last lines of a log, for the message of a failure. */
    String end(String log) {
        try {
            List<String> lines = Files.readAllLines(file(log), StandardCharsets.UTF_8);
            return String.join("\n", lines.subList(Math.max(0, lines.size() - LINES), lines.size())) + "\n";
        } catch (IOException e) {
            return log + " cannot be read: " + e.getMessage() + "\n";
        }
    }

    /** Takes back what was to run at the end of the JVM, unless that end has come. */
    static void forget(Thread hook) {
        try {
            Runtime.getRuntime().removeShutdownHook(hook);
        } catch (IllegalStateException _) {
            return;
        }
    }

    @Override
    public void close() {
        if (!Files.exists(folder)) {
            return;
        }
        try (Stream<Path> files = Files.walk(folder)) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.deleteIfExists(file);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
