package dev.pillion.bench;

import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.lang.management.ManagementFactory;
import java.net.URI;
import java.net.URLClassLoader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;

/**
 * A part of a measurement in a JVM of its own, so that its CPU and memory are its own. It is told what to do by lines on its standard
 * input and ends with that, so nothing is left behind when this JVM dies. Its log is a file.
 */
final class PartProcess implements AutoCloseable {
    private static final String MAIN = "dev.pillion.app.Main";
    private static final String LOG = "log";
    private static final Duration FAREWELL = Duration.ofSeconds(30);

    private final Process process;
    private final Scratch scratch;
    private final Writer orders;
    private final BufferedReader answers;

    private final Thread hook = new Thread(this::end, "stop-part");

    private PartProcess(Process process, Scratch scratch) {
        this.process = process;
        this.scratch = scratch;
        Runtime.getRuntime().addShutdownHook(hook);
        this.orders = process.outputWriter(StandardCharsets.UTF_8);
        this.answers = process.inputReader(StandardCharsets.UTF_8);
    }

    /**
     * Starts {@code pillion bench part ...}.
     *
     * @param scratch goes with the part
     * @param jvm further options of the JVM
     */
    static PartProcess start(Scratch scratch, List<String> jvm, List<String> arguments) {
        List<String> command = new ArrayList<>(List.of(Path.of(System.getProperty("java.home"), "bin", "java").toString()));
        ManagementFactory.getRuntimeMXBean().getInputArguments().stream().filter(PartProcess::isInherited).forEach(command::add);
        command.addAll(jvm);
        command.addAll(List.of("-cp", classPath(), MAIN, "bench", "part"));
        command.addAll(arguments);
        try {
            return new PartProcess(new ProcessBuilder(command).redirectError(scratch.file(LOG).toFile()).start(), scratch);
        } catch (IOException e) {
            scratch.close();
            throw new UncheckedIOException(e);
        }
    }

    /** What the launcher sets, and nothing that sizes or debugs this JVM. */
    private static boolean isInherited(String option) {
        return option.startsWith("-Dlogback.") || option.startsWith("-Dpillion.") || option.startsWith("--enable-native-access")
                || option.equals("-XX:+UseCompactObjectHeaders") || option.startsWith("-XX:AOTCache=")
                || option.matches("-XX:[+]Use(\\w*GC|TransparentHugePages)");
    }

    /** A test runner with a class loader of its own has only itself on the class path. */
    private static String classPath() {
        if (PartProcess.class.getClassLoader() instanceof URLClassLoader loader) {
            return Arrays.stream(loader.getURLs()).map(u -> Path.of(URI.create(u.toString())).toString())
                    .collect(Collectors.joining(File.pathSeparator));
        }
        return System.getProperty("java.class.path");
    }

    /** Gives an order and waits for the answer. @throws IllegalStateException when the part reports a failure or has ended */
    String ask(String order) {
        try {
            orders.write(order);
            orders.write('\n');
            orders.flush();
            String line = answers.readLine();
            while (line != null && !line.startsWith(Part.ANSWER) && !line.startsWith(Part.FAILURE)) {
                line = answers.readLine();
            }
            if (line == null) {
                throw new IllegalStateException(
                        "a part of the benchmark ended while it was told to \"" + order + "\":\n" + scratch.end(LOG));
            }
            if (line.startsWith(Part.FAILURE)) {
                throw new IllegalStateException(line.substring(Part.FAILURE.length()) + "\n" + scratch.end(LOG));
            }
            return line.substring(Part.ANSWER.length());
        } catch (IOException e) {
            throw new IllegalStateException("a part of the benchmark has ended:\n" + scratch.end(LOG), e);
        }
    }

    /** CPU time of it so far. */
    Duration cpu() {
        return Cost.of(process.toHandle());
    }

    /** What it prints besides answers; read it only when no more is asked. */
    BufferedReader output() {
        return answers;
    }

    @Override
    public void close() {
        end();
        Scratch.forget(hook);
    }

    private void end() {
        try {
            orders.close();
        } catch (IOException _) {
            // It has ended already.
        }
        try {
            if (!process.waitFor(FAREWELL.toSeconds(), TimeUnit.SECONDS)) {
                process.destroyForcibly().waitFor();
            }
        } catch (InterruptedException e) {
            process.destroyForcibly();
            Thread.currentThread().interrupt();
        }
        scratch.close();
    }
}
