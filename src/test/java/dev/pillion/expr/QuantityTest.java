package dev.pillion.expr;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Random;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Texts and arithmetic of quantities (api.md 6.1). */
final class QuantityTest {
    private static final long SEED = Long.getLong("pillion.seed", 20261129L);
    private static final String[] SUFFIXES = {"", "n", "u", "m", "k", "M", "G", "T", "P", "E", "Ki", "Mi", "Gi", "Ti", "Pi", "Ei", "e3",
            "E-6",
            "e+2", "e0"};

    @ParameterizedTest
    @CsvSource({"0.5,500m", "1024Mi,1Gi", "1.5Gi,1536Mi", "1000m,1", "1000Mi,1000Mi", "100u,100u", ".5,500m", "0.1Ki,102400m", "+8Mi,8Mi",
            "0.500,500m", "1e4,10e3", "+1Pi,1Pi", "1000E,1", "0,0", "0Ki,0", "-0,0", "m,0", ".,0", "+,0", "1.2345678901,1234567891n",
            "0.0000000001,1n", "-0.0000000001,-1n", "9223372036854775808Ki,9223372036854775807", "9Ei,9223372036854775807",
            "8Ei,9223372036854775807",
            "7Ei,7Ei", "512,512", "1536,1536", "-1.5Gi,-1536Mi", "1e-1,100e-3", "10e18,10e18", "12000,12k", "100000000000000000000,100E"})
    void printsCanonically(String typed, String printed) {
        assertThat(quantity(typed).toString()).isEqualTo(printed);
    }

    @ParameterizedTest
    @ValueSource(strings = {"+2", "007", "1.", "1E9", "1E0", "1.500", "1.234k", "+9Mi", "+1Ti", "100m", "64Mi", "2", "1e3", "1e+3", "1e03"})
    void keepsTextsTheReferenceKeeps(String typed) {
        assertThat(quantity(typed).toString()).isEqualTo(typed);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "Pi", "Ei", "1x", "1 ", " 1", "1mi", "1K", "--1", "1e", "1e+", "e", "1.2.3", "1Kii", "1_0", "0x1",
            "1e99999999999999999999",
            "NaN"})
    void refusesOtherTexts(String text) {
        assertThat(Quantity.parse(text)).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({"0.0001,1m", "1.234567,1235m", "1.500,1.500", "1.500000,1500m", "+2,+2", "100u,1m", "-100u,-1m", "64Mi,64Mi", "1e-6,1e-3"})
    void roundsToMilliAwayFromZero(String typed, String printed) {
        assertThat(quantity(typed).roundedToMilli().toString()).isEqualTo(printed);
    }

    @ParameterizedTest
    @CsvSource({"1,1000", "1m,1", "0.0001,1", "-0.0001,-1", "1Ki,1024000", "0,0"})
    void countsThousandths(String typed, String thousandths) {
        assertThat(quantity(typed).milli()).isEqualTo(new BigInteger(thousandths));
    }

    @Test
    void sumsHaveTheLeftFormatUnlessTheLeftIsZero() {
        assertThat(quantity("1Ki").plus(quantity("1024"))).hasToString("2Ki");
        assertThat(quantity("1024").plus(quantity("1Ki"))).hasToString("2048");
        assertThat(quantity("0").plus(quantity("+2Ki"))).hasToString("2Ki");
        assertThat(quantity("0").minus(quantity("1Ki"))).hasToString("-1Ki");
        assertThat(quantity("+1.500").plus(Quantity.ZERO)).hasToString("1500m");
    }

    @Test
    void hugeExponentsCostNothing() {
        Quantity huge = quantity("1e2147483647");
        assertThat(huge.plus(quantity("1")).signum()).isPositive();
        assertThat(huge.milli().signum()).isPositive();
        assertThat(huge.compareTo(quantity("1e2147483646"))).isPositive();
        assertThat(quantity("1e-2147483648")).hasToString("1e-9");
        assertThat(quantity("10e2147483646").roundedToMilli().canonical()).isNotEmpty();
        assertThat(Quantity.parse("9".repeat(10_000_000))).isEmpty();
    }

    /** Recorded from apimachinery's parser: text as typed, printed, rounded up to milli, plus 1Ki, minus 1Ki; or ERR. */
    @Test
    void agreesWithTheRecordedParser() throws IOException {
        Quantity kibi = quantity("1Ki");
        List<String> wrong = new ArrayList<>();
        for (String line : recorded()) {
            String typed = line.substring(0, line.indexOf('\t'));
            String ours = Quantity.parse(typed)
                    .map(q -> String.join("\t", typed, q.toString(), q.roundedToMilli().toString(), q.plus(kibi).toString(),
                            q.minus(kibi).toString()))
                    .orElse(typed + "\tERR");
            if (!ours.equals(line)) {
                wrong.add(ours + " instead of " + line);
            }
        }
        assertThat(wrong).isEmpty();
    }

    private static List<String> recorded() throws IOException {
        try (BufferedReader lines = new BufferedReader(new InputStreamReader(
                Objects.requireNonNull(QuantityTest.class.getResourceAsStream("/quantities.tsv")), StandardCharsets.UTF_8))) {
            List<String> list = lines.lines().toList();
            assertThat(list).hasSize(2500);
            return list;
        }
    }

    /** The printed text reads back as the same value, canonical text is a fixed point, and the value is the number written. */
    @Test
    void randomTextsReadBackAsTheSameValue() {
        Random random = new Random(SEED);
        for (int i = 0; i < 200_000; i++) {
            String typed = randomText(random);
            Quantity read = quantity(typed);
            Quantity again = quantity(read.toString());
            if (read.value().abs().compareTo(new BigDecimal("1e21")) < 0) {
                assertThat(again.value()).as("seed %d: %s", SEED, typed).isEqualByComparingTo(read.value());
            }
            assertThat(again).as("seed %d: %s", SEED, typed).hasToString(read.toString());
            assertThat(quantity(read.canonical()).canonical()).as("seed %d: %s", SEED, typed).isEqualTo(read.canonical());
        }
    }

    @Test
    void arithmeticIsExact() {
        Random random = new Random(SEED);
        for (int i = 0; i < 50_000; i++) {
            Quantity a = quantity(randomText(random));
            Quantity b = quantity(randomText(random));
            assertThat(a.plus(b).value()).isEqualByComparingTo(a.value().add(b.value()));
            assertThat(a.minus(b).plus(b).value()).isEqualByComparingTo(a.value());
            assertThat(Integer.signum(a.compareTo(b))).isEqualTo(a.minus(b).signum());
            BigDecimal thousandths = a.value().movePointRight(3);
            assertThat(new BigDecimal(a.milli()).subtract(thousandths).abs()).isLessThan(BigDecimal.ONE);
            assertThat(new BigDecimal(a.milli()).abs()).isGreaterThanOrEqualTo(thousandths.abs());
            assertThat(a.roundedToMilli().value().movePointRight(3)).isEqualByComparingTo(new BigDecimal(a.milli()));
        }
    }

    private static String randomText(Random random) {
        StringBuilder text = new StringBuilder(new String[]{"", "+", "-"}[random.nextInt(3)]);
        digits(random, text, 1 + random.nextInt(random.nextInt(8) == 0 ? 22 : 4));
        if (random.nextInt(3) == 0) {
            digits(random, text.append('.'), random.nextInt(random.nextInt(8) == 0 ? 14 : 4));
        }
        return text.append(SUFFIXES[random.nextInt(SUFFIXES.length)]).toString();
    }

    private static void digits(Random random, StringBuilder text, int count) {
        for (int i = 0; i < count; i++) {
            text.append(random.nextInt(3) == 0 ? '0' : (char) ('0' + random.nextInt(10)));
        }
    }

    private static Quantity quantity(String text) {
        return Quantity.parse(text).orElseThrow(() -> new AssertionError("no quantity: " + text));
    }
}
