package dev.pillion.revision;

import java.util.Optional;

import org.junit.jupiter.api.Test;

import dev.pillion.conformance.Conformance;
import dev.pillion.conformance.Vectors;

import tools.jackson.databind.JsonNode;

/** Both hashes of every recorded set, in either version. */
final class HashConformanceTest {
    private record Hashes(String hash, String hashWithoutImage) {
    }

    @Test
    void agrees() {
        run("hash");
    }

    @Test
    void agreesWithProductOptions() {
        run("hash/pillion");
    }

    private static void run(String label) {
        new Conformance<Hashes>(label, HashConformanceTest::hashes, HashConformanceTest::difference).verify(Vectors.of("hash"), 0);
    }

    private static Hashes hashes(JsonNode input) {
        return new Hashes(SetHash.hash(input.path("object")), SetHash.hashWithoutImage(input.path("object")));
    }

    private static Optional<String> difference(JsonNode input, JsonNode expect, Hashes result) {
        Hashes wanted = new Hashes(expect.path("hash").stringValue(), expect.path("hashWithoutImage").stringValue());
        return wanted.equals(result) ? Optional.empty() : Optional.of(result + " instead of " + wanted);
    }
}
