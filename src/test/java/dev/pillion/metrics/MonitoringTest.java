package dev.pillion.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import dev.pillion.api.Json;
import dev.pillion.explain.Census;
import dev.pillion.it.Eventually;
import dev.pillion.rollout.WaitReason;

import tools.jackson.databind.JsonNode;
import tools.jackson.dataformat.yaml.YAMLMapper;

/** Dashboard, alerts and the manual name metrics and labels that the program really has, and the manual names all of them. */
final class MonitoringTest {
    private static final Path FOLDER = Path.of("config", "monitoring");
    private static final Pattern OURS = Pattern
            .compile("\\b(pillion|workqueue|controller_runtime|leader_election|jvm|process|system)_[a-z_]+\\b");
    private static final Pattern SELECTOR = Pattern.compile("([a-z_]+)\\{([^}]*)}");
    private static final Pattern MATCHER = Pattern.compile("([a-z_]+)(=~|!~|!=|=)\"([^\"]*)\"");
    private static final Pattern GROUPING = Pattern.compile("by \\(([^)]*)\\)");
    private static final Pattern SAMPLE = Pattern.compile("([a-z_0-9]+)(?:\\{(.*)})? [0-9.eE+Nan-]+");
    private static final Set<String> OF_THE_SCRAPE = Set.of("job", "instance");

    private final Meters meters = new Meters();

    @AfterEach
    void close() {
        meters.close();
    }

    /** Every series after everything has happened once: name to the labels, and for each label its values. */
    private Map<String, Map<String, Set<String>>> series() {
        QueueMeters queue = new QueueMeters(meters, System::nanoTime);
        queue.taken(1, Duration.ZERO);
        queue.done(1);
        ReconcileMeters reconciles = new ReconcileMeters(meters, 1);
        reconciles.started();
        reconciles.ended(ReconcileMeters.Result.SUCCESS, Duration.ZERO);
        for (String result : List.of("ok", "conflict", "gone", "refused", "unavailable")) {
            reconciles.write("upgrade", result);
        }
        for (WaitReason reason : WaitReason.values()) {
            reconciles.waiting(reason.word(), () -> 0);
        }
        WatchMeters watches = new WatchMeters(meters, System::nanoTime);
        watches.alive("pods");
        watches.event("pods");
        watches.failed("pods");
        watches.broken("pods");
        watches.enqueued("set");
        WebhookMeters webhooks = new WebhookMeters(meters);
        for (int code : new int[]{200, 500, 503}) {
            webhooks.start("/mutate-pod").answered(code);
        }
        for (String result : List.of("patched", "skipped", "refused")) {
            webhooks.injection(result, "no-match");
        }
        webhooks.held("caught-up");
        StartupMeters startup = new StartupMeters(meters);
        startup.write("ready", "ok");
        startup.failed("conflict");
        startup.pods(() -> 0, () -> 0, () -> 0);
        startup.heldBack("kruise", () -> 0);
        ShardMeters shards = new ShardMeters(meters);
        shards.slot("pillion-slot-0");
        shards.gained("pillion-slot-0", Duration.ZERO);
        shards.lost("pillion-slot-0", "taken");
        shards.request("read", "ok");
        shards.waiting(() -> 0);
        CensusMeters census = new CensusMeters(meters, Census.REASONS);
        census.sets(List.of(new CensusMeters.SetPods("set", 0, 0, 0, 0, 0)));
        CertMeters certificates = new CertMeters(meters);
        certificates.serving(Instant.EPOCH);
        certificates.failed();
        System.gc();
        Eventually.until("a collection of garbage is counted", meters::scrape, text -> text.contains("jvm_gc_pause_seconds_sum"));
        Map<String, Map<String, Set<String>>> series = new TreeMap<>();
        meters.scrape().lines().filter(l -> !l.startsWith("#")).forEach(line -> {
            Matcher sample = SAMPLE.matcher(line);
            assertThat(sample.matches()).as(line).isTrue();
            Map<String, Set<String>> labels = series.computeIfAbsent(sample.group(1), _ -> new HashMap<>());
            MATCHER.matcher(sample.group(2) == null ? "" : sample.group(2)).results()
                    .forEach(m -> labels.computeIfAbsent(m.group(1), _ -> new TreeSet<>()).add(m.group(3)));
        });
        return series;
    }

    private static Map<String, String> expressions() throws IOException {
        Map<String, String> found = new TreeMap<>();
        collect(Json.read(Files.readAllBytes(FOLDER.resolve("grafana-dashboard.json"))), "title", found);
        collect(YAMLMapper.shared().readTree(Files.readString(FOLDER.resolve("prometheus-rules.yaml"))), "alert", found);
        return found;
    }

    private static void collect(JsonNode node, String name, Map<String, String> found) {
        for (JsonNode target : node.path("targets")) {
            found.put(Json.text(node, name) + " " + Json.text(target, "refId"), Json.text(target, "expr"));
        }
        if (node.has("expr") && node.has(name)) {
            found.put(Json.text(node, name), Json.text(node, "expr"));
        }
        node.forEach(child -> collect(child, name, found));
    }

    @Test
    void everyExpressionNamesSeriesAndLabelsThatExist() throws IOException {
        Map<String, Map<String, Set<String>>> series = series();
        Map<String, String> expressions = expressions();
        assertThat(expressions).hasSizeGreaterThan(35);
        List<String> wrong = new ArrayList<>();
        expressions.forEach((where, expression) -> {
            Set<String> names = OURS.matcher(expression).results().map(MatchResult::group).collect(Collectors.toCollection(TreeSet::new));
            if (names.isEmpty() && !expression.contains("up{")) {
                wrong.add(where + ": no series");
            }
            names.stream().filter(n -> !series.containsKey(n)).forEach(n -> wrong.add(where + ": no series " + n));
            names.retainAll(series.keySet());
            GROUPING.matcher(expression).results().flatMap(m -> Stream.of(m.group(1).split(", ", -1)))
                    .filter(l -> !OF_THE_SCRAPE.contains(l))
                    .forEach(label -> names.stream().filter(n -> !series.getOrDefault(n, Map.of()).containsKey(label))
                            .forEach(n -> wrong.add(where + ": " + n + " has no label " + label)));
            SELECTOR.matcher(expression).results().filter(s -> names.contains(s.group(1)))
                    .forEach(s -> wrong.addAll(wrongLabels(where, s.group(1), s.group(2), series.getOrDefault(s.group(1), Map.of()))));
        });
        assertThat(wrong).isEmpty();
    }

    /** Labels that the series has not, and values that it never takes. */
    private static List<String> wrongLabels(String where, String name, String selector, Map<String, Set<String>> labels) {
        List<String> wrong = new ArrayList<>();
        MATCHER.matcher(selector).results().filter(m -> !OF_THE_SCRAPE.contains(m.group(1))).forEach(m -> {
            Set<String> values = labels.getOrDefault(m.group(1), Set.of());
            boolean isPattern = m.group(2).endsWith("~");
            for (String value : isPattern ? m.group(3).split("\\|", -1) : new String[]{m.group(3)}) {
                if (!values.contains(value)) {
                    wrong.add(where + ": " + name + "{" + m.group(1) + "} is never " + value + ", but one of " + values);
                }
            }
        });
        return wrong;
    }

    @Test
    void theManualHasEveryMetricAndAlert() throws IOException {
        String manual = Files.readString(Path.of("src", "docs", "operations.md"));
        Set<String> told = Pattern.compile("^\\| `((?:pillion|workqueue|controller_runtime|leader_election)_[a-z_]+)`", Pattern.MULTILINE)
                .matcher(manual).results().map(m -> m.group(1)).collect(Collectors.toCollection(TreeSet::new));
        Set<String> ours = series().keySet().stream().filter(n -> !n.matches("(jvm|process|system)_.*"))
                .map(n -> n.replaceFirst("_(bucket|sum|count|max)$", "")).collect(Collectors.toCollection(TreeSet::new));

        assertThat(told).isEqualTo(ours);

        JsonNode rules = YAMLMapper.shared().readTree(Files.readString(FOLDER.resolve("prometheus-rules.yaml")));
        Set<String> alerts = rules.at("/groups/0/rules").valueStream().map(r -> Json.text(r, "alert")).collect(Collectors.toSet());
        assertThat(Pattern.compile("^\\| (Pillion[A-Za-z]+) \\|", Pattern.MULTILINE).matcher(manual).results().map(m -> m.group(1))
                .collect(Collectors.toSet())).isEqualTo(alerts);
    }

    @Test
    void panelsHaveUniqueIdsAndDoNotOverlap() throws IOException {
        JsonNode dashboard = Json.read(Files.readAllBytes(FOLDER.resolve("grafana-dashboard.json")));
        assertThat(dashboard.path("panels").valueStream().map(p -> p.path("id").intValue()).toList()).doesNotHaveDuplicates();
        assertThat(dashboard.path("panels").valueStream().map(p -> p.at("/gridPos/x") + " " + p.at("/gridPos/y")).toList())
                .doesNotHaveDuplicates();
        assertThat(dashboard.path("panels").valueStream().filter(p -> Json.text(p, "type").equals("timeseries")))
                .allSatisfy(p -> assertThat(p.at("/gridPos/x").intValue() + p.at("/gridPos/w").intValue()).isLessThanOrEqualTo(24));
    }
}
