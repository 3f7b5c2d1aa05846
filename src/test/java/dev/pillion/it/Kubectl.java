package dev.pillion.it;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/** Runs the machine's kubectl with one kubeconfig and a cache folder of its own. */
public final class Kubectl {
    private static final long SECONDS = 60;
    private final Path kubeconfig;

    public Kubectl(Path kubeconfig) {
        this.kubeconfig = kubeconfig;
    }

    /** What one call printed and how it ended. */
    public record Answer(int code, String out, String err) {
        /** The standard output of a call that must have succeeded. */
        public String ok() {
            if (code != 0) {
                throw new AssertionError("kubectl ended with " + code + ": " + err + out);
            }
            return out;
        }
    }

    /** Whether there is a kubectl on the PATH or beside the real server; tests assume it. */
    public static boolean present() {
        return !program().isEmpty();
    }

    public Answer run(String... arguments) {
        return with("", arguments);
    }

    /** Runs kubectl with a standard input, as for {@code apply -f -}. */
    public Answer with(String input, String... arguments) {
        try {
            Process process = start(arguments);
            CompletableFuture<String> out = text(process.getInputStream());
            CompletableFuture<String> err = text(process.getErrorStream());
            try (var in = process.getOutputStream()) {
                in.write(input.getBytes(StandardCharsets.UTF_8));
            } catch (IOException e) {
                // kubectl may end without reading its input; its exit code and error text tell why.
            }
            if (!process.waitFor(SECONDS, TimeUnit.SECONDS)) {
                process.destroyForcibly();
                throw new AssertionError("kubectl " + String.join(" ", arguments) + " did not end in " + SECONDS + " s");
            }
            return new Answer(process.exitValue(), out.join(), err.join());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AssertionError("interrupted", e);
        }
    }

    /** Starts a call that goes on, such as {@code get -w}; the caller ends it. */
    public Process start(String... arguments) throws IOException {
        List<String> command = new ArrayList<>(List.of(program(), "--kubeconfig", kubeconfig.toString(), "--cache-dir",
                kubeconfig.resolveSibling(kubeconfig.getFileName() + ".cache").toString()));
        command.addAll(List.of(arguments));
        ProcessBuilder builder = new ProcessBuilder(command);
        Map<String, String> environment = builder.environment();
        environment.put("KUBE_EDITOR", environment.getOrDefault("PILLION_TEST_EDITOR", "true"));
        return builder.start();
    }

    /** Runs {@code edit} with a shell command as the editor; the file's name is its last argument. */
    public Answer edit(String editor, String... arguments) {
        List<String> command = new ArrayList<>(
                List.of("/usr/bin/env", "KUBE_EDITOR=" + editor, program(), "--kubeconfig", kubeconfig.toString(), "edit"));
        command.addAll(List.of(arguments));
        try {
            Process process = new ProcessBuilder(command).start();
            process.getOutputStream().close();
            CompletableFuture<String> out = text(process.getInputStream());
            CompletableFuture<String> err = text(process.getErrorStream());
            return new Answer(process.waitFor(), out.join(), err.join());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AssertionError("interrupted", e);
        }
    }

    private static String program() {
        Stream<Path> path = Stream.of(System.getenv().getOrDefault("PATH", "").split(":")).map(Path::of);
        Stream<Path> beside = Assets.find().map(Assets::folder).stream();
        return Stream.concat(path, beside).map(folder -> folder.resolve("kubectl")).filter(Files::isExecutable).findFirst()
                .map(Path::toString).orElse("");
    }

    private static CompletableFuture<String> text(java.io.InputStream stream) {
        return CompletableFuture.supplyAsync(() -> {
            try {
                return new String(stream.readAllBytes(), StandardCharsets.UTF_8);
            } catch (IOException e) {
                return "";
            }
        }, task -> Thread.ofVirtual().start(task));
    }
}
