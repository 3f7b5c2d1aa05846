package dev.pillion.bench;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/** The folder with kube-apiserver and etcd: KUBEBUILDER_ASSETS, else what src/it/apiserver/prepare left in the user's cache. */
public record Assets(Path folder) {
    private static final String CACHED = "apiserver-";

    /**
     * Looks for the programs.
     *
     * @param environment of the process
     * @param version of Kubernetes, such as "1.36.3", that a folder of the cache must be for; empty: the newest one there
     */
    public static Optional<Assets> find(Map<String, String> environment, Optional<String> version) {
        String given = environment.getOrDefault("KUBEBUILDER_ASSETS", "");
        Optional<Path> folder = given.isEmpty() ? cached(cache(environment).resolve("pillion"), version) : Optional.of(Path.of(given));
        return folder.filter(Assets::isComplete).map(Assets::new);
    }

    /** The path of one of the programs. */
    public String program(String name) {
        return folder.resolve(name).toString();
    }

    /** The user's cache folder. */
    public static Path cache(Map<String, String> environment) {
        String given = environment.getOrDefault("XDG_CACHE_HOME", "");
        return given.isEmpty() ? Path.of(System.getProperty("user.home"), ".cache") : Path.of(given);
    }

    private static Optional<Path> cached(Path cache, Optional<String> version) {
        if (version.isPresent()) {
            return Optional.of(cache.resolve(CACHED + version.get()));
        }
        if (!Files.isDirectory(cache)) {
            return Optional.empty();
        }
        try (Stream<Path> folders = Files.list(cache)) {
            return folders.filter(f -> name(f).startsWith(CACHED) && isComplete(f))
                    .max(Comparator.comparing(Assets::order));
        } catch (IOException e) {
            throw new UncheckedIOException("cannot look into " + cache, e);
        }
    }

    /** Text that orders as the version does: each number at full width. */
    private static String order(Path folder) {
        StringBuilder order = new StringBuilder();
        for (String number : name(folder).substring(CACHED.length()).split("\\.", -1)) {
            order.append("0".repeat(Math.max(0, 8 - number.length()))).append(number).append('.');
        }
        return order.toString();
    }

    private static String name(Path folder) {
        return String.valueOf(folder.getFileName());
    }

    private static boolean isComplete(Path folder) {
        return Files.isExecutable(folder.resolve("kube-apiserver")) && Files.isExecutable(folder.resolve("etcd"));
    }
}
