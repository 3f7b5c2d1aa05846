package dev.pillion.app;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

import org.junit.jupiter.api.Test;

import dev.pillion.api.Json;
import dev.pillion.api.PodView;
import dev.pillion.api.SetStatus;
import dev.pillion.api.SidecarSet;
import dev.pillion.api.Wire;
import dev.pillion.it.Cluster;
import dev.pillion.it.Eventually;
import dev.pillion.it.OnEveryCluster;
import dev.pillion.podmeta.PodViews;
import dev.pillion.rollout.Expectations;
import dev.pillion.rollout.Matching;
import dev.pillion.rollout.Plan;
import dev.pillion.rollout.RolloutOptions;
import dev.pillion.rollout.RolloutOptions.Budget;

import tools.jackson.databind.node.ObjectNode;

/**
 * Users, nodes and controllers of others do anything at random. Whenever they rest, the controller ends where a plan from scratch over the
 * live objects has nothing left to do, and its status says what that plan says: no change was overlooked, nothing is stuck.
 * -Dpillion.seed=N runs one seed, -Dpillion.histories=N and -Dpillion.steps=N more of them.
 */
@OnEveryCluster
final class RandomOperationsIT {
    private static final int STEPS = Integer.getInteger("pillion.steps", 60);
    private static final int HISTORIES = Integer.getInteger("pillion.histories", 2);
    private static final int REST_EVERY = 15;
    private static final Duration GRACE = Duration.ofSeconds(2);
    private static final List<String> STRATEGIES = List.of("{\"maxUnavailable\":1}", "{\"maxUnavailable\":\"40%\"}",
            "{\"maxUnavailable\":0}",
            "{\"maxUnavailable\":2,\"partition\":2}", "{\"paused\":true}", "{\"type\":\"NotUpdate\"}",
            "{\"maxUnavailable\":2,\"selector\":{\"matchLabels\":{\"zone\":\"z1\"}}}",
            "{\"maxUnavailable\":2,\"scatterStrategy\":[{\"key\":\"zone\",\"value\":\"*\"}]}");

    private final Cluster cluster;
    private Random random = new Random();

    RandomOperationsIT(Cluster cluster) {
        this.cluster = cluster;
    }

    @Test
    void nothingIsOverlookedAndNothingStuck() throws Exception {
        try (RunningCluster running = RunningCluster.start(cluster)) {
            Long only = Long.getLong("pillion.seed");
            for (long seed = only == null ? 1 : only; seed <= (only == null ? HISTORIES : only); seed++) {
                random = new Random(seed);
                history(running, "random" + seed);
            }
        }
    }

    private void history(RunningCluster running, String name) {
        Trial trial = running.trial(name);
        label(running, trial, "\"x\"");
        trial.create("""
                "containers":[{"name":"agent","image":"%1$s"},
                 {"name":"mesh","image":"%1$s","upgradeStrategy":{"upgradeType":"HotUpgrade","hotUpgradeEmptyImage":"%2$s"}}],
                "namespaceSelector":{"matchLabels":{"team":"x"}},"updateStrategy":{"maxUnavailable":2}""".formatted(Trial.image("v1"),
                Trial.image("empty")));
        for (int step = 1; step <= STEPS; step++) {
            step(running, trial);
            if (step % REST_EVERY == 0) {
                rest(running, trial, name + " after step " + step);
            }
        }
        trial.assertLimitKept(GRACE, Budget.COMPATIBLE);
    }

    private void step(RunningCluster running, Trial trial) {
        List<ObjectNode> pods = trial.list();
        if (pods.size() < 4 || (random.nextInt(8) == 0 && pods.size() < 19)) {
            create(trial);
            return;
        }
        String pod = Json.text(pods.get(random.nextInt(pods.size())).path("metadata"), "name");
        PodView view = PodViews.of(trial.read(pod));
        switch (random.nextInt(16)) {
            case 0, 1, 2, 3 -> trial.play(_ -> random.nextBoolean());
            case 4 -> trial.node().report(pod).notReady().send();
            case 5 -> trial.node().report(pod).broken("agent", Trial.image("v1")).send();
            case 6 -> trial.node().report(pod).tells("agent", Trial.image("v1"), "id-" + random.nextInt(3)).send();
            case 7 -> trial.node().report(pod).broken("mesh-" + (1 + random.nextInt(2)), Trial.image("v1")).send();
            case 8 -> trial.delete(pod);
            case 9 -> trial.patch(pod,
                    "{\"metadata\":{\"labels\":{\"app\":\"" + (random.nextBoolean() ? trial.name() : "elsewhere") + "\"}}}");
            case 10 -> trial.patch(pod, "{\"metadata\":{\"labels\":{\"zone\":\"z" + random.nextInt(3) + "\"}}}");
            case 11 -> trial.change("/spec/containers/" + random.nextInt(2) + "/image", "\"" + Trial.image("v" + random.nextInt(4)) + "\"");
            case 12 -> trial.strategy(STRATEGIES.get(random.nextInt(STRATEGIES.size())));
            // Who takes a Pod's record away while it is on its way takes it out of the budget, too.
            case 13 -> trial.annotate(pod, random.nextBoolean() && trial.node().runs(view) ? Wire.HASH : Wire.IN_PLACE_STATE,
                    random.nextBoolean() ? "null" : "{\"" + trial.name() + "\":null}");
            case 14 -> {
                if (view.phase().equals("Running")) {
                    trial.node().report(pod).phase(random.nextBoolean() ? "Failed" : "Succeeded").send();
                }
            }
            default -> label(running, trial, random.nextInt(3) == 0 ? "\"y\"" : "\"x\"");
        }
    }

    private void create(Trial trial) {
        Set<String> taken = trial.list().stream().map(p -> Json.text(p.path("metadata"), "name")).collect(Collectors.toSet());
        // Few names, so that Pods get successors of the same name.
        String pod = IntStream.generate(() -> random.nextInt(20)).mapToObj(i -> "p" + i).filter(n -> !taken.contains(n)).findFirst()
                .orElseThrow();
        trial.create(pod, "{\"zone\":\"z" + random.nextInt(3) + "\"}");
        if (random.nextInt(4) > 0) {
            trial.node().run(pod);
        }
    }

    private static void label(RunningCluster running, Trial trial, String team) {
        assertThat(running.http().merge("/api/v1/namespaces/" + trial.namespace(), "{\"metadata\":{\"labels\":{\"team\":" + team + "}}}")
                .code()).isEqualTo(200);
    }

    private void rest(RunningCluster running, Trial trial, String when) {
        Eventually.until(when + ": nothing is left to do and the status says so", () -> left(running, trial), String::isEmpty);
    }

    /** What a plan over the live objects would still do or write. */
    private static String left(RunningCluster running, Trial trial) {
        SidecarSet set = SidecarSet.of(trial.set());
        Map<String, String> labels = new HashMap<>();
        running.http().get("/api/v1/namespaces/" + trial.namespace()).body().path("metadata").path("labels").properties()
                .forEach(e -> labels.put(e.getKey(), e.getValue().asString()));
        Matching.Found pods = Matching.of(set).find(trial.list().stream().map(PodViews::of).toList(), Map.of(trial.namespace(), labels));
        SetStatus stored = set.status();
        Plan plan = Plan.of(set, pods, new Expectations(),
                new Plan.Registered(stored.latestRevision(), stored.collisionCount().orElse(0)), RolloutOptions.PILLION, Instant.now());
        return plan.decisions().isEmpty() && !plan.status().differsFrom(stored) ? "" : plan.status() + " " + plan.decisions();
    }
}
