package dev.pillion.conformance;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.zip.GZIPInputStream;

import dev.pillion.api.Json;

import tools.jackson.databind.JsonNode;

/** Reads the recorded cases: from the test resources, or from the folder that -Dpillion.vectors names. */
public final class Vectors {
    /** One case. Tags are for reports only; no deviation may look at them. */
    public record Case(String id, JsonNode input, JsonNode expect) {
        @Override
        public String toString() {
            return id;
        }
    }

    private Vectors() {
    }

    public static List<Case> of(String kind) {
        List<Case> cases = new ArrayList<>();
        try (InputStream in = open(kind); BufferedReader lines = new BufferedReader(new InputStreamReader(in, StandardCharsets.UTF_8))) {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                if (!line.isBlank()) {
                    JsonNode node = Json.read(line);
                    cases.add(new Case(node.path("id").stringValue(), node.path("input"), node.path("expect")));
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return cases;
    }

    private static InputStream open(String kind) throws IOException {
        String folder = System.getProperty("pillion.vectors");
        if (folder != null) {
            return Files.newInputStream(Path.of(folder, kind + ".jsonl"));
        }
        InputStream resource = Vectors.class.getResourceAsStream("/conformance/" + kind + ".jsonl.gz");
        if (resource == null) {
            throw new IOException("no recorded cases of kind " + kind);
        }
        return new GZIPInputStream(resource);
    }
}
