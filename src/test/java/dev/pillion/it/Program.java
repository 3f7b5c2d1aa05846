package dev.pillion.it;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/** One call of another program, to its end. */
record Program(int code, String out, String err) {
    private static final long SECONDS = 60;

    /** Starts it, writes the input to it, and waits up to a minute. */
    static Program run(ProcessBuilder builder, String input) {
        try {
            Process process = builder.start();
            CompletableFuture<String> out = text(process.getInputStream());
            CompletableFuture<String> err = text(process.getErrorStream());
            try (var in = process.getOutputStream()) {
                in.write(input.getBytes(StandardCharsets.UTF_8));
            } catch (IOException e) {
                // It may end without reading its input; its exit code and error text tell why.
            }
            if (!process.waitFor(SECONDS, TimeUnit.SECONDS)) {
                process.destroyForcibly();
                throw new AssertionError(String.join(" ", builder.command()) + " did not end in " + SECONDS + " s");
            }
            return new Program(process.exitValue(), out.join(), err.join());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AssertionError("interrupted", e);
        }
    }

    private static CompletableFuture<String> text(InputStream stream) {
        return CompletableFuture.supplyAsync(() -> {
            try {
                return new String(stream.readAllBytes(), StandardCharsets.UTF_8);
            } catch (IOException e) {
                return "";
            }
        }, task -> Thread.ofVirtual().start(task));
    }
}
