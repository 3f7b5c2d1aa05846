package dev.pillion.config;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.Map;
import java.util.stream.Stream;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

import dev.pillion.config.Reading.Loaded;
import dev.pillion.config.Reading.Problem;
import dev.pillion.config.Reading.Rejected;

final class ConfigReaderTest {
    private static final Map<String, String> NONE = Map.of();

    @Test
    void takesDefaultsWhenNothingIsGiven() {
        Config config = loaded(NONE, NONE, "");

        assertThat(config.namespace()).isEqualTo("kruise-system");
        assertThat(config.queue().backoffBase()).isEqualTo(Duration.ofMillis(5));
        assertThat(config.admission().bodyLimit()).isEqualTo(7 * 1024 * 1024);
        assertThat(config.rollout().budget()).isEqualTo(Config.Budget.COMPATIBLE);
        assertThat(config.injection().order()).isEqualTo(Config.Order.AS_WRITTEN);
        assertThat(config.lease()).isEqualTo(new Config.Lease(Duration.ofSeconds(15), Duration.ofSeconds(5), Duration.ofSeconds(10)));
    }

    @Test
    void flagWinsOverEnvironmentOverFile() {
        String file = "workers: 5\nrollout:\n  budget: strict\n  parallel-writes: 3\n";
        Map<String, String> environment = Map.of("PILLION_WORKERS", "6", "PILLION_ROLLOUT_PARALLEL_WRITES", "7", "HOME", "/root");

        Config config = loaded(Map.of("workers", "8"), environment, file);

        assertThat(config.workers()).isEqualTo(8);
        assertThat(config.rollout().parallelWrites()).isEqualTo(7);
        assertThat(config.rollout().budget()).isEqualTo(Config.Budget.STRICT);
    }

    @Test
    void podNamespaceIsOnlyTheDefaultOfNamespace() {
        Map<String, String> pod = Map.of("POD_NAMESPACE", "sidecars");

        assertThat(loaded(NONE, pod, "").namespace()).isEqualTo("sidecars");
        assertThat(loaded(NONE, pod, "namespace: other").namespace()).isEqualTo("other");
    }

    @Test
    void reportsEveryProblemWithKeyValueAndWhatIsAllowed() {
        Rejected rejected = rejected(Map.of("rollout.budget", "loose"), Map.of("PILLION_WORKERS", "none", "PILLION_WORKER", "1"),
                "queue:\n  backof-base: 5ms\nadmission: [1]\n");

        assertThat(rejected.problems()).extracting(Problem::where, Problem::key, Problem::value).containsExactlyInAnyOrder(
                org.assertj.core.groups.Tuple.tuple("command line", "--rollout.budget", "loose"),
                org.assertj.core.groups.Tuple.tuple("environment", "PILLION_WORKERS", "none"),
                org.assertj.core.groups.Tuple.tuple("environment", "PILLION_WORKER", "1"),
                org.assertj.core.groups.Tuple.tuple("f.yaml", "queue.backof-base", "5ms"),
                org.assertj.core.groups.Tuple.tuple("f.yaml", "admission", "[1]"));
        assertThat(rejected.problems()).filteredOn(p -> p.value().equals("loose")).singleElement().satisfies(p -> assertThat(p.message())
                .isEqualTo("command line: --rollout.budget = \"loose\" is not allowed; allowed: compatible or strict"));
        assertThat(rejected.problems()).filteredOn(p -> p.key().equals("queue.backof-base")).singleElement()
                .satisfies(p -> assertThat(p.allowed()).contains("queue.backoff-base", "queue.burst").doesNotContain("workers"));
    }

    @Test
    void variablesOfAServiceNamedPillionAreNoSettings() {
        Map<String, String> service = Map.of("PILLION_SERVICE_HOST", "10.0.0.1", "PILLION_SERVICE_PORT", "443", "PILLION_PORT",
                "tcp://10.0.0.1:443", "PILLION_PORT_443_TCP_ADDR", "10.0.0.1", "PILLION_WEBHOOK_SERVICE_PORT_HTTPS", "443",
                "PILLION_ADMISSION_PORT", "tcp://10.0.0.2:443");

        assertThat(loaded(NONE, service, "").admission().port()).isEqualTo(9876);
    }

    @ParameterizedTest
    @CsvSource({"5ms,PT0.005S", "8s,PT8S", "1m,PT1M", "1m30s,PT1M30S", "1h,PT1H", "1000s,PT16M40S"})
    void readsDurations(String text, String wanted) {
        assertThat(loaded(Map.of("queue.backoff-max", text), NONE, "").queue().backoffMax()).isEqualTo(Duration.parse(wanted));
    }

    @ParameterizedTest
    @CsvSource({"''", "5", "5 s", "-5s", "1d", "s", "2h", "99999999999s", "1.5s", "5S"})
    void refusesOtherDurations(String text) {
        assertThat(rejected(Map.of("queue.backoff-max", text), NONE, "").problems()).singleElement()
                .satisfies(p -> assertThat(p.allowed()).contains("1m30s"));
    }

    @ParameterizedTest
    @CsvSource({"1024,1024", "8KiB,8192", "7MiB,7340032", "64MiB,67108864"})
    void readsSizes(String text, int wanted) {
        assertThat(loaded(Map.of("admission.body-limit", text), NONE, "").admission().bodyLimit()).isEqualTo(wanted);
    }

    @ParameterizedTest
    @CsvSource({"7MB", "1", "65MiB", "7 MiB", "999999999MiB", "-1"})
    void refusesOtherSizes(String text) {
        assertThat(rejected(Map.of("admission.body-limit", text), NONE, "").problems()).hasSize(1);
    }

    @ParameterizedTest
    @CsvSource({"lease.renew,10s,lease.deadline", "lease.deadline,15s,lease.duration", "queue.backoff-base,1001s,queue.backoff-max",
            "admission.namespace-read,8s,admission.deadline", "kube.watch-timeout,150s,health.watch-silence"})
    void refusesValuesThatDoNotFitTogether(String key, String value, String other) {
        assertThat(rejected(Map.of(key, value), NONE, "").problems()).anySatisfy(p -> {
            assertThat(p.key()).isEqualTo(key);
            assertThat(p.value()).isEqualTo(value);
            assertThat(p.allowed()).contains(other);
        });
    }

    static Stream<Setting<?>> settings() {
        return Settings.all().stream();
    }

    @ParameterizedTest
    @MethodSource("settings")
    void everySettingRefusesNonsenseThroughEachSource(Setting<?> setting) {
        String nonsense = "?!";

        assertThat(rejected(Map.of(setting.key(), nonsense), NONE, "").problems()).extracting(Problem::value).containsExactly(nonsense);
        assertThat(rejected(NONE, Map.of(setting.variable(), nonsense), "").problems()).extracting(Problem::key)
                .containsExactly(setting.variable());
        assertThat(rejected(NONE, NONE, "\"" + setting.key() + "\": \"" + nonsense + "\"").problems()).extracting(Problem::key)
                .containsExactly(setting.key());
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', value = {"workers: [|YAML", "- a|settings by name", "just text|settings by name",
            "workers: 4\\nworkers: 5|YAML", "workers:|a whole number"})
    void brokenFilesAreExplained(String yaml, String allowed) {
        assertThat(rejected(NONE, NONE, yaml.replace("\\n", "\n")).problems()).singleElement()
                .satisfies(p -> assertThat(p.allowed()).contains(allowed));
    }

    @ParameterizedTest
    @CsvSource({"''", "'# nothing but a comment'", "'queue:'", "'---'"})
    void filesWithoutSettingsAreFine(String yaml) {
        assertThat(loaded(NONE, NONE, yaml).workers()).isEqualTo(4);
    }

    private static Config loaded(Map<String, String> flags, Map<String, String> environment, String yaml) {
        return switch (ConfigReader.read(flags, environment, "f.yaml", yaml)) {
            case Loaded(Config config) -> config;
            case Rejected(var problems) -> throw new AssertionError(problems.toString());
        };
    }

    private static Rejected rejected(Map<String, String> flags, Map<String, String> environment, String yaml) {
        return switch (ConfigReader.read(flags, environment, "f.yaml", yaml)) {
            case Loaded(Config config) -> throw new AssertionError("accepted: " + config);
            case Rejected rejected -> rejected;
        };
    }
}
