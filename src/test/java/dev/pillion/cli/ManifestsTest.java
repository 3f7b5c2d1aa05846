package dev.pillion.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import dev.pillion.api.Json;
import dev.pillion.cli.ObjectText.Format;
import dev.pillion.conformance.Vectors;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** Manifests mean here what they mean to kubectl. */
final class ManifestsTest {
    @TempDir
    private Path folder;

    private static List<Manifest> read(String text) throws IOException {
        return Manifests.readStream(stream(text), "f.yaml");
    }

    private static InputStream stream(String text) {
        return new ByteArrayInputStream(text.getBytes(StandardCharsets.UTF_8));
    }

    private static JsonNode value(String scalar) throws IOException {
        return read("apiVersion: v1\nkind: Pod\nvalue: " + scalar + "\n").getFirst().object().path("value");
    }

    /** Each value as it arrives at an API server when kubectl sends it. */
    @ParameterizedTest
    @CsvSource(quoteCharacter = '`', value = {"0644,420", "0o644,420", "0x1F,31", "0b11,3", "-0644,-420", "+5,5", "1_000,1000", "08,8",
            "1e3,1000", "1.10,1.1", ".5,0.5", "5.,5", "18446744073709551615,18446744073709551615", "yes,true",
            "On,true", "y,true", "no,false",
            "OFF,false", "n,false", "True,true", "~,null", "Null,null", "NULL,null", "2026-01-01,\"2026-01-01\"", "12:30:45,\"12:30:45\"",
            "'0644',\"0644\"", "\"yes\",\"yes\"", "!!str 5,\"5\"", "!!int \"5\",5", ".inf,\".inf\"", "1.2.3,\"1.2.3\"", "0o8,\"0o8\"",
            "yEs,\"yEs\"", "nginx:1.27,\"nginx:1.27\"", "500m,\"500m\"", "1Gi,\"1Gi\"", "1e999,\"1e999\"",
            "123456789012345678901234567890,123456789012345680000000000000"})
    void scalarsAreThoseOfKubectl(String written, String meant) throws IOException {
        JsonNode value = value(written);
        assertThat(value.isNumber() ? value.decimalValue().toPlainString() : value.toString()).isEqualTo(meant);
    }

    @Test
    void anchorsAndMergeKeysAreResolved() throws IOException {
        ObjectNode object = read("""
                apiVersion: v1
                kind: Pod
                base: &base {a: 1, b: 2}
                other: &other {b: 3, c: 4}
                same: *base
                one:
                  <<: *base
                  a: 9
                many:
                  <<: [*base, *other]
                """).getFirst().object();

        assertThat(object.path("same")).isEqualTo(Json.read("{\"a\":1,\"b\":2}"));
        assertThat(object.path("one")).isEqualTo(Json.read("{\"a\":9,\"b\":2}"));
        assertThat(object.path("many")).isEqualTo(Json.read("{\"a\":1,\"b\":2,\"c\":4}"));
    }

    @Test
    void aFileOfAliasesThatGrowsWithoutEndIsRefused() {
        StringBuilder bomb = new StringBuilder("apiVersion: v1\nkind: Pod\na0: &a0 [x, x, x, x, x, x, x, x, x, x]\n");
        for (int i = 1; i < 10; i++) {
            String alias = "*a" + (i - 1);
            bomb.append("a").append(i).append(": &a").append(i).append(" [").append(String.join(", ", Collections.nCopies(10, alias)))
                    .append("]\n");
        }
        assertThatThrownBy(() -> read(bomb.toString())).isInstanceOf(InputFault.class).hasMessageContaining("f.yaml", "values");
        assertThatThrownBy(() -> read("apiVersion: v1\nkind: &k [*k]\n")).isInstanceOf(InputFault.class).hasMessageContaining("line 2");
        assertThatThrownBy(() -> read("a: ".repeat(1) + "[".repeat(20_000))).isInstanceOf(InputFault.class);
    }

    @ParameterizedTest
    @ValueSource(strings = {"a: 1\na: 2\n", "a: [1\n", "a: b: c\n", "? [x]\n: 1\n", "{\"a\": 1,,}", "- x\n", "just text\n", "a: \"\\q\"\n",
            "a: *none\n", "<<: 5\n"})
    void faultsNameTheFileAndTheLine(String text) {
        assertThatThrownBy(() -> read(text)).isInstanceOf(InputFault.class).hasMessageMatching("(?s)f\\.yaml: .*(line|document) [0-9].*");
    }

    @Test
    void documentsAndItemsAreCountedAsWritten() throws IOException {
        List<Manifest> manifests = read("""
                # only a comment
                ---
                apiVersion: v1
                kind: Namespace
                metadata: {name: a}
                ---
                apiVersion: v1
                kind: List
                items:
                - {apiVersion: v1, kind: Pod, metadata: {name: b}}
                - {apiVersion: v1, kind: Pod, metadata: {name: c}}
                """);

        assertThat(manifests).extracting(Manifest::describe).containsExactly("f.yaml: document 1: Namespace a",
                "f.yaml: document 2, item 1: Pod b", "f.yaml: document 2, item 2: Pod c");
        assertThatThrownBy(() -> read("apiVersion: v1\nkind: Pod\n---\nkind: Pod\n")).hasMessageContaining("document 2")
                .hasMessageContaining("apiVersion");
        assertThatThrownBy(() -> read("{apiVersion: v1, kind: List, items: [{a: 1}]}")).hasMessageContaining("document 1, item 1");
    }

    @Test
    void jsonIsTakenAsOneObjectOrAsManyWithOrWithoutDashes() throws IOException {
        String pod = "{\"apiVersion\":\"v1\",\"kind\":\"Pod\",\"metadata\":{\"name\":\"a\\ud83d\\ude00\\u007f\"},\"n\":1.10}";

        assertThat(read(pod).getFirst().object().path("n").decimalValue().toPlainString()).isEqualTo("1.10");
        assertThat(read(pod + "\n---\n" + pod)).hasSize(2).allMatch(m -> m.name().equals("a\ud83d\ude00\u007f"));
        assertThat(read(pod + pod)).hasSize(2);
        assertThat(read("\ufeff" + pod)).hasSize(1);
        assertThat(read("")).isEmpty();
    }

    @Test
    void filesFoldersAndTheInputAreRead() throws IOException {
        Files.writeString(folder.resolve("b.yml"), "apiVersion: v1\nkind: Pod\nmetadata: {name: b}\n");
        Files.writeString(folder.resolve("a.json"), "{\"apiVersion\":\"v1\",\"kind\":\"Pod\",\"metadata\":{\"name\":\"a\"}}");
        Files.writeString(folder.resolve("c.txt"), "no manifest");
        Inputs inputs = new Inputs(stream("apiVersion: v1\nkind: Pod\nmetadata: {name: i}\n"));

        assertThat(inputs.read(List.of(folder.toString(), "-"))).extracting(Manifest::name).containsExactly("a", "b", "i");
        assertThatThrownBy(() -> inputs.read(List.of("-"))).isInstanceOf(InputFault.class).hasMessageContaining("only once");
        assertThatThrownBy(() -> inputs.read(List.of(folder.resolve("none.yaml").toString()))).hasMessageContaining("no such file");
        Path empty = Files.createDirectory(folder.resolve("empty"));
        assertThatThrownBy(() -> inputs.read(List.of(empty.toString()))).hasMessageContaining("no *.yaml");
        Files.write(folder.resolve("latin.yaml"), new byte[]{'a', ':', ' ', (byte) 0xE4});
        assertThatThrownBy(() -> inputs.read(List.of(folder.resolve("latin.yaml").toString()))).hasMessageContaining("UTF-8");
    }

    /** Whatever is printed is read back as what it was, also by readers with other rules for plain texts. */
    @Test
    void printedYamlIsReadBackAsItWas() throws IOException {
        List<ObjectNode> objects = new ArrayList<>();
        for (Vectors.Case c : Vectors.of("inject")) {
            objects.add(((ObjectNode) c.input().path("request").path("pod")).deepCopy().put("apiVersion", "v1").put("kind", "Pod"));
        }
        ObjectNode odd = Json.object().put("apiVersion", "v1").put("kind", "Pod");
        for (String text : List.of("", " ", "yes", "y", "no", "~", "null", "0644", "1e3", "0x1", ".5", "-", "--- a", "a: b", "a #b", "#",
                "*a",
                "&a", "!a", "%a", "@a", "`a", "a:", "a\nb", "a\nb\n", " a\nb", "a\n\n", "\n", "\t", "a\tb\n", "é\u2028\ud83d\ude00",
                "\u007f",
                "<<", "=", "1:2", "12:30:45", "2026-01-01", "nginx:1.27", "a/b@sha256:c", "True", "x".repeat(300), "a ".repeat(200))) {
            odd.put("text " + text, text);
            odd.put(text, 1);
        }
        objects.add(odd);
        for (Format format : Format.values()) {
            String text = ObjectText.of(objects, format);
            assertThat(read(text)).extracting(m -> (JsonNode) m.object()).containsExactlyElementsOf(objects);
        }
    }
}
