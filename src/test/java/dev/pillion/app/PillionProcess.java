package dev.pillion.app;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.URLClassLoader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.Collectors;

import dev.pillion.it.Eventually;

/** The program as a process of its own, with its output in a file. */
final class PillionProcess implements AutoCloseable {
    private static final long STOP_SECONDS = 30;
    private static final long CLOSE_SECONDS = 20;
    private static final Duration PATIENCE = Duration.ofSeconds(90);

    private final Process process;
    private final Path output;

    private PillionProcess(Process process, Path output) {
        this.process = process;
        this.output = output;
    }

    static PillionProcess start(String... arguments) {
        return start(Map.of(), arguments);
    }

    /** With more variables than this process has. */
    static PillionProcess start(Map<String, String> environment, String... arguments) {
        return start("dev.pillion.app.Main", environment, arguments);
    }

    static PillionProcess startMain(Class<?> main) {
        return start(main.getName(), Map.of());
    }

    private static PillionProcess start(String main, Map<String, String> environment, String... arguments) {
        try {
            Path output = Files.createTempFile("pillion-", ".log");
            List<String> command = new ArrayList<>(List.of(Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                    "--enable-native-access=ALL-UNNAMED", "-XX:+UseCompactObjectHeaders", "-XX:TieredStopAtLevel=1",
                    "-Dlogback.configurationFile=" + Path.of("config", "logback.xml").toAbsolutePath(), "-cp", classPath(),
                    main));
            command.addAll(List.of(arguments));
            ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(output.toFile());
            builder.environment().putAll(environment);
            return new PillionProcess(builder.start(), output);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** A test runner with a class loader of its own has only itself on the class path. */
    private static String classPath() {
        if (PillionProcess.class.getClassLoader() instanceof URLClassLoader loader) {
            return Arrays.stream(loader.getURLs()).map(u -> Path.of(URI.create(u.toString())).toString())
                    .collect(Collectors.joining(File.pathSeparator));
        }
        return System.getProperty("java.class.path");
    }

    String output() {
        try {
            return Files.readString(output, StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Waits for a piece of its output; a process that ends before is a failure. */
    void awaitOutput(String piece) {
        Eventually.until("it prints \"" + piece + "\"", PATIENCE, () -> {
            String printed = output();
            if (!printed.contains(piece) && !process.isAlive()) {
                throw new AssertionError("ended with " + process.exitValue() + " before it printed \"" + piece + "\":\n" + printed);
            }
            return printed;
        }, printed -> printed.contains(piece));
    }

    /** SIGSTOP: the whole process stands still, as in a long pause of the machine; its connections stay open. */
    void pause() throws IOException, InterruptedException {
        signal("STOP");
    }

    /** SIGCONT. */
    void goOn() throws IOException, InterruptedException {
        signal("CONT");
    }

    private void signal(String name) throws IOException, InterruptedException {
        int code = new ProcessBuilder("kill", "-" + name, Long.toString(process.pid())).inheritIO().start().waitFor();
        if (code != 0) {
            throw new AssertionError("kill -" + name + " ended with " + code);
        }
    }

    /** Waits until it has ended by itself; answers the exit code. */
    int awaitEnd() {
        return Eventually.until("it ends", PATIENCE, () -> process.isAlive() ? -1 : process.exitValue(), code -> code >= 0);
    }

    /** SIGKILL: no chance to drain anything. */
    void kill() throws InterruptedException {
        process.destroyForcibly().waitFor();
    }

    /** SIGTERM; returns the exit code. */
    int terminate() throws InterruptedException {
        process.destroy();
        if (!process.waitFor(STOP_SECONDS, TimeUnit.SECONDS)) {
            process.destroyForcibly();
            throw new AssertionError("did not end within " + STOP_SECONDS + " s of SIGTERM:\n" + output());
        }
        return process.exitValue();
    }

    /** In order if possible: a killed controller keeps the next one waiting until its Lease has stood still. */
    @Override
    public void close() throws IOException {
        process.destroy();
        try {
            process.onExit().get(CLOSE_SECONDS, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (ExecutionException | TimeoutException e) {
            System.out.println("a process did not end in order: " + e);
        }
        process.destroyForcibly().onExit().join();
        Files.deleteIfExists(output);
    }
}
