package dev.pillion.config;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

import org.junit.jupiter.api.Test;

import tools.jackson.databind.JsonNode;
import tools.jackson.dataformat.yaml.YAMLMapper;

/** config/pillion.yaml names every setting with its default and explains it. */
final class SettingsFileTest {
    private static final Path FILE = Path.of("config", "pillion.yaml");

    @Test
    void holdsExactlyTheSettingsWithTheirDefaults() throws IOException {
        Map<String, String> inFile = new LinkedHashMap<>();
        flatten("", new YAMLMapper().readTree(Files.readString(FILE)), inFile);

        Map<String, String> inCode = Settings.all().stream().collect(
                Collectors.toMap(Setting::key, Setting::standard, (a, b) -> a, LinkedHashMap::new));
        assertThat(inFile).containsExactlyInAnyOrderEntriesOf(inCode);
        assertThat(inFile.keySet()).containsExactlyElementsOf(inCode.keySet());
    }

    @Test
    void isReadAsTheDefaults() throws IOException {
        assertThat(ConfigReader.read(Map.of(), Map.of(), "pillion.yaml", Files.readString(FILE)))
                .isEqualTo(ConfigReader.read(Map.of(), Map.of(), "none", ""));
    }

    @Test
    void explainsEverySettingJustAboveIt() throws IOException {
        List<String> unexplained = new ArrayList<>();
        String before = "";
        for (String line : Files.readAllLines(FILE)) {
            boolean isSetting = line.matches(" *[a-z-]+: .+");
            boolean explained = before.strip().startsWith("#") || before.endsWith("admission:");
            if (isSetting && !explained) {
                unexplained.add(line);
            }
            before = line;
        }

        assertThat(unexplained).isEmpty();
    }

    private static void flatten(String prefix, JsonNode node, Map<String, String> into) {
        node.properties().forEach(e -> {
            if (e.getValue().isObject()) {
                flatten(prefix + e.getKey() + ".", e.getValue(), into);
            } else {
                into.put(prefix + e.getKey(), e.getValue().asString());
            }
        });
    }
}
