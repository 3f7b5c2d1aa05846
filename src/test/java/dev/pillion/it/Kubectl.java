package dev.pillion.it;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

import dev.pillion.bench.Assets;

/** Runs the machine's kubectl with one kubeconfig and a cache folder of its own. */
public final class Kubectl {
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
        return answer(Program.run(builder(arguments), input));
    }

    private static Answer answer(Program ended) {
        return new Answer(ended.code(), ended.out(), ended.err());
    }

    /** Starts a call that goes on, such as {@code get -w}; the caller ends it. */
    public Process start(String... arguments) throws IOException {
        return builder(arguments).start();
    }

    private ProcessBuilder builder(String... arguments) {
        List<String> command = new ArrayList<>(List.of(program(), "--kubeconfig", kubeconfig.toString(), "--cache-dir",
                kubeconfig.resolveSibling(kubeconfig.getFileName() + ".cache").toString()));
        command.addAll(List.of(arguments));
        ProcessBuilder builder = new ProcessBuilder(command);
        Map<String, String> environment = builder.environment();
        environment.put("KUBE_EDITOR", environment.getOrDefault("PILLION_TEST_EDITOR", "true"));
        return builder;
    }

    /** Runs {@code edit} with a shell command as the editor; the file's name is its last argument. */
    public Answer edit(String editor, String... arguments) {
        List<String> command = new ArrayList<>(
                List.of("/usr/bin/env", "KUBE_EDITOR=" + editor, program(), "--kubeconfig", kubeconfig.toString(), "edit"));
        command.addAll(List.of(arguments));
        return answer(Program.run(new ProcessBuilder(command), ""));
    }

    private static String program() {
        Stream<Path> path = Stream.of(System.getenv().getOrDefault("PATH", "").split(":")).map(Path::of);
        Stream<Path> beside = Clusters.assets().map(Assets::folder).stream();
        return Stream.concat(path, beside).map(folder -> folder.resolve("kubectl")).filter(Files::isExecutable).findFirst()
                .map(Path::toString).orElse("");
    }
}
