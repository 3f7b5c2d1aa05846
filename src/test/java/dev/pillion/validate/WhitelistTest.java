package dev.pillion.validate;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import java.util.Optional;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import dev.pillion.api.Json;
import dev.pillion.api.Wire;
import dev.pillion.validate.ValidateOptions.MetadataDefaults;

import tools.jackson.databind.JsonNode;

/** Faulty whitelists and what is said about them (validation.md 7.3, FR-10). */
final class WhitelistTest {
    private static final List<JsonNode> ENTRIES = List.of(Json.read("{\"annotations\":{\"oom-score\":\"1\"},\"patchPolicy\":\"Retain\"}"));

    private static Optional<String> problem(String text, MetadataDefaults defaults) {
        return Whitelist.problem(ENTRIES, Map.of("app", "a"), Optional.of(Map.of(Wire.WHITELIST_KEY, text)), defaults);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '~', value = {"{\"rules\": [} | line 1, column 12", "~~ | is empty", "[] | no JSON object",
            "{\"rules\":{}} | rules is no list", "{\"rules\":[3]} | rules[0] is no JSON object",
            "{\"rules\":[{},{\"selector\":7}]} | rules[1].selector is no label selector",
            "{\"rules\":[{\"selector\":{\"matchExpressions\":[{\"key\":\"a\",\"operator\":\"Odd\"}]}}]} | rules[0].selector.matchExpressions[0].operator",
            "{\"rules\":[{\"allowedAnnotationKeyExprs\":\"x\"}]} | allowedAnnotationKeyExprs is no list",
            "{\"rules\":[{\"allowedAnnotationKeyExprs\":[3]}]} | must hold strings",
            "{\"rules\":[{\"allowedAnnotationKeyExprs\":[\"a(\"]}]} | \"a(\" in rules[0] is no RE2 expression (missing closing ))"})
    void aFaultyWhitelistIsNamedWhateverTheDefault(String text, String says) {
        for (MetadataDefaults defaults : MetadataDefaults.values()) {
            assertThat(problem(text, defaults)).hasValueSatisfying(p -> assertThat(p).contains(says));
        }
    }

    @Test
    void aRuleThatDoesNotApplyMayBeFaulty() {
        String text = "{\"rules\":[{\"selector\":{\"matchLabels\":{\"app\":\"b\"}},\"allowedAnnotationKeyExprs\":[\"a(\"]},"
                + "{\"allowedAnnotationKeyExprs\":[\"oom\"]}]}";
        assertThat(problem(text, MetadataDefaults.REFUSED)).isEmpty();
    }

    @Test
    void noWhitelistIsUpToTheSetting() {
        for (String nothing : List.of("null", "{}", "{\"rules\":null}", "{\"rules\":[{\"allowedAnnotationKeyExprs\":[]}]}")) {
            assertThat(problem(nothing, MetadataDefaults.ALLOWED)).as(nothing).isEmpty();
            assertThat(problem(nothing, MetadataDefaults.REFUSED)).as(nothing).isPresent();
        }
    }

    @Test
    void keysAreSearchedUnanchored() {
        assertThat(problem("{\"rules\":[{\"allowedAnnotationKeyExprs\":[\"score\"]}]}", MetadataDefaults.REFUSED)).isEmpty();
        assertThat(problem("{\"rules\":[{\"allowedAnnotationKeyExprs\":[\"^score\"]}]}", MetadataDefaults.REFUSED))
                .hasValueSatisfying(p -> assertThat(p).contains("\"oom-score\" is not on the whitelist"));
    }
}
