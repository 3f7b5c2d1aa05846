package dev.pillion.it;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The folder with kube-apiserver and etcd: KUBEBUILDER_ASSETS, else what src/it/apiserver/prepare left in the cache. */
record Assets(Path folder) {
    private static final Pattern VERSION = Pattern.compile("k8s\\.io/kubernetes v([0-9.]+)");

    static Optional<Assets> find() {
        String given = System.getenv("KUBEBUILDER_ASSETS");
        Path folder = given != null && !given.isEmpty() ? Path.of(given) : cache().resolve("pillion", "apiserver-" + version());
        boolean complete = Files.isExecutable(folder.resolve("kube-apiserver")) && Files.isExecutable(folder.resolve("etcd"));
        return complete ? Optional.of(new Assets(folder)) : Optional.empty();
    }

    String program(String name) {
        return folder.resolve(name).toString();
    }

    static Path cache() {
        String given = System.getenv("XDG_CACHE_HOME");
        return given != null && !given.isEmpty() ? Path.of(given) : Path.of(System.getProperty("user.home"), ".cache");
    }

    private static String version() {
        try {
            Matcher line = VERSION.matcher(Files.readString(Path.of("src/it/apiserver/go.mod")));
            return line.find() ? line.group(1) : "";
        } catch (IOException e) {
            throw new UncheckedIOException("the integration tests run in the project's folder", e);
        }
    }
}
