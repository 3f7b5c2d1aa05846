package dev.pillion.bench;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** A second process that sends load; started with the same Java and class path. */
final class LoadProcess implements AutoCloseable {
    private static final long STOP_SECONDS = 10;
    private static final List<String> OPTIONS = List.of("--enable-native-access=ALL-UNNAMED", "-XX:+UseSerialGC", "-Xmx512m");

    private final Process process;
    private final PrintStream jobs;
    private final BufferedReader outcomes;

    private LoadProcess(Process process) {
        this.process = process;
        this.jobs = new PrintStream(process.getOutputStream(), false, StandardCharsets.UTF_8);
        this.outcomes = new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
    }

    /** @param authorityPem the CA that the servers' certificate comes from */
    static LoadProcess start(String authorityPem) throws IOException {
        List<String> command = new ArrayList<>(List.of(Path.of(System.getProperty("java.home"), "bin", "java").toString()));
        command.addAll(OPTIONS);
        String logging = System.getProperty("logback.configurationFile");
        if (logging != null) {
            command.add("-Dlogback.configurationFile=" + logging);
        }
        command.addAll(List.of("-cp", System.getProperty("java.class.path"), LoadMain.class.getName()));
        LoadProcess load = new LoadProcess(new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).start());
        load.jobs.println(Base64.getEncoder().encodeToString(authorityPem.getBytes(StandardCharsets.UTF_8)));
        return load;
    }

    static byte[] decode(String line) {
        return Base64.getDecoder().decode(line);
    }

    /** Has a job done. @throws IOException when the process has ended */
    Job.Outcome run(Job job) throws IOException {
        jobs.println(job.line());
        jobs.flush();
        String outcome = outcomes.readLine();
        if (outcome == null) {
            throw new IOException("the load process has ended; its error output says why");
        }
        return Job.Outcome.of(outcome);
    }

    @Override
    public void close() {
        jobs.close();
        try {
            if (!process.waitFor(STOP_SECONDS, TimeUnit.SECONDS)) {
                process.destroyForcibly();
            }
        } catch (InterruptedException _) {
            process.destroyForcibly();
            Thread.currentThread().interrupt();
        }
    }
}
