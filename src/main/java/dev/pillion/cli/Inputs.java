package dev.pillion.cli;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** Manifests by the names that users give on a command line: files, folders (their *.yaml, *.yml and *.json by name), or {@code -}. */
final class Inputs {
    private static final String STANDARD_INPUT = "-";

    private final InputStream input;
    private boolean inputRead;

    /** @param input what {@code -} stands for; read at most once */
    Inputs(InputStream input) {
        this.input = input;
    }

    /** @throws InputFault naming the file and the place */
    List<Manifest> read(List<String> names) throws IOException {
        List<Manifest> all = new ArrayList<>();
        for (String name : names) {
            if (!name.equals(STANDARD_INPUT)) {
                all.addAll(readPath(Path.of(name)));
            } else if (inputRead) {
                throw new InputFault("\"-\" is the standard input, which can be read only once; one option takes all kinds of objects");
            } else {
                inputRead = true;
                all.addAll(Manifests.readStream(input, "standard input"));
            }
        }
        return all;
    }

    private static List<Manifest> readPath(Path path) throws IOException {
        if (!Files.isDirectory(path)) {
            return Manifests.readFile(path);
        }
        List<Path> files;
        try (Stream<Path> entries = Files.list(path)) {
            files = entries.filter(p -> p.toString().matches(".*\\.(yaml|yml|json)") && Files.isRegularFile(p)).sorted().toList();
        }
        if (files.isEmpty()) {
            throw new InputFault(path + ": the folder has no *.yaml, *.yml or *.json");
        }
        List<Manifest> all = new ArrayList<>();
        for (Path file : files) {
            all.addAll(Manifests.readFile(file));
        }
        return all;
    }
}
