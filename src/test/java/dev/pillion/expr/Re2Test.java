package dev.pillion.expr;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Random;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

import com.google.re2j.Pattern;
import com.google.re2j.PatternSyntaxException;

final class Re2Test {
    @ParameterizedTest
    @ValueSource(strings = {"", ".*", "^(app|web)-[0-9]{1,3}$", "x{1000}", "(x{10}){100}", "(x{500}y{500}){2}", "a{,5}", "a{", "{3}x{0}",
            "[]{9}]{2}",
            "[[:alpha:]{99}]{999}", "(\\x{10FFFF}\\p{Greek}){1000}", "\\Q{9}(((\\E{1000}", "(?i)a(?:b|c){2,}", "[\\]{1000}]{1000}",
            "(((((a{1000})))))"})
    void compilesWhatTheEngineCompiles(String text) {
        assertThat(compiles(text)).isEqualTo(engineCompiles(text));
    }

    static String[] tooLarge() {
        return new String[]{"(((x{1000}){1000}){1000})", "(x{10}){101}", "((x{10,}){10}){11}", "((x{2}){20}y){30}", "(?:[a{9}]{40}b*){26}",
                "(".repeat(100_000) + "a" + ")".repeat(100_000), "(?:".repeat(5_000) + "a*" + ")*".repeat(5_000),
                "(".repeat(501) + ")".repeat(501),
                "x{1000}".repeat(200), "(" + "x{1000}|".repeat(101) + ")"};
    }

    @ParameterizedTest
    @MethodSource("tooLarge")
    void refusesWhatGrowsWithoutEnd(String text) {
        assertThatThrownBy(() -> Re2.compile(text)).isInstanceOf(PatternSyntaxException.class);
    }

    /** Whatever is written: never anything but a pattern or a refusal, and nothing refused that the engine makes small. */
    @Test
    void answersEveryText() {
        Random random = new Random(7);
        String pieces = "(){}[]^\\|*+?,:0123456789axQEpP";
        for (int i = 0; i < 20_000; i++) {
            StringBuilder text = new StringBuilder();
            for (int n = random.nextInt(14); n > 0; n--) {
                text.append(pieces.charAt(random.nextInt(pieces.length())));
            }
            String written = text.toString();
            if (!compiles(written) && engineCompiles(written)) {
                assertThat(Pattern.compile(written).programSize()).as(written).isGreaterThan(1000);
            }
        }
    }

    private static boolean compiles(String text) {
        try {
            Re2.compile(text);
            return true;
        } catch (PatternSyntaxException e) {
            return false;
        }
    }

    private static boolean engineCompiles(String text) {
        try {
            Pattern.compile(text);
            return true;
        } catch (PatternSyntaxException e) {
            return false;
        }
    }
}
