package dev.pillion.app;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** The program as a process of its own, with its output in a file. */
final class PillionProcess implements AutoCloseable {
    private static final long STOP_SECONDS = 30;

    private final Process process;
    private final Path output;

    private PillionProcess(Process process, Path output) {
        this.process = process;
        this.output = output;
    }

    static PillionProcess start(String... arguments) {
        try {
            Path output = Files.createTempFile("pillion-" + arguments[0], ".log");
            List<String> command = new ArrayList<>(List.of(Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                    "--enable-native-access=ALL-UNNAMED", "-XX:+UseCompactObjectHeaders", "-cp", System.getProperty("java.class.path"),
                    "dev.pillion.app.Main"));
            command.addAll(List.of(arguments));
            return new PillionProcess(new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(output.toFile()).start(), output);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    static int freePort() {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    String output() {
        try {
            return Files.readString(output, StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
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

    @Override
    public void close() throws InterruptedException, IOException {
        kill();
        Files.deleteIfExists(output);
    }
}
