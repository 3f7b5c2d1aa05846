package dev.pillion.rollout;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Random;

import org.junit.jupiter.api.Test;

import dev.pillion.api.PodKey;
import dev.pillion.api.PodView;
import dev.pillion.api.SidecarSet;
import dev.pillion.podmeta.PodViews;

/** Pod by Pod nothing else is said than the plan says in numbers. */
final class StandingTest {
    private static final Instant NOW = Instant.parse("2024-01-10T00:00:00Z");
    private static final Map<String, Map<String, String>> LABELS = Map.of("a", Map.of("env", "prod"), "b", Map.of("env", "prod"));
    private static final int ROUNDS = 1500;

    @Test
    void addsUpToThePlan() {
        long seed = Long.getLong("pillion.seed", 42);
        RandomRollout random = new RandomRollout(new Random(seed));
        Map<WaitReason, Integer> seen = new EnumMap<>(WaitReason.class);
        for (int round = 0; round < ROUNDS; round++) {
            SidecarSet set = random.set();
            List<PodView> pods = new ArrayList<>();
            for (int i = 0; i < 12; i++) {
                pods.add(PodViews.of(random.pod(random.one(RandomRollout.NAMESPACES), "p" + i, "u" + i)));
            }
            Matching.Found found = Matching.of(set).find(pods, LABELS);
            RolloutOptions options = RolloutOptions.PILLION;

            Plan plan = Plan.of(set, found, new Expectations(), new Plan.Registered("", 0), options, NOW);
            List<Standing> standings = Standing.of(set, found, options, NOW);

            String where = "seed " + seed + ", round " + round;
            assertThat(standings).as(where).hasSize(found.matching().size() + found.otherContainers().size());
            for (WaitReason reason : WaitReason.values()) {
                List<Plan.Waiting> planned = plan.waiting().stream().filter(w -> w.reason() == reason).toList();
                List<PodKey> told = standings.stream().filter(s -> s.waits().filter(w -> w == reason).isPresent()).map(Standing::pod)
                        .toList();
                assertThat(told).as(where + " " + reason).hasSize(planned.stream().mapToInt(Plan.Waiting::pods).sum());
                assertThat(told).as(where + " " + reason).containsAll(planned.stream().flatMap(w -> w.some().stream()).toList());
                seen.merge(reason, told.size(), Integer::sum);
            }
            assertThat(keys(standings, Standing.State.NEXT)).as(where).containsExactlyInAnyOrderElementsOf(
                    plan.decisions().stream().filter(d -> d instanceof Decision.Upgrade).map(d -> d.pod().key()).toList());
            int updated = keys(standings, Standing.State.UPDATED).size();
            assertThat(updated).as(where).isEqualTo(plan.status().updatedReadyPods());
            assertThat(updated + keys(standings, Standing.State.STARTING).size()).as(where).isEqualTo(plan.status().updatedPods());
        }
        // An own write and a refusal are known to the controller alone.
        seen.remove(WaitReason.UPDATED_HASH_EXPECTED);
        seen.remove(WaitReason.REFUSED);
        assertThat(seen).allSatisfy((reason, pods) -> assertThat(pods).as(reason.word()).isPositive());
    }

    private static List<PodKey> keys(List<Standing> standings, Standing.State state) {
        return standings.stream().filter(s -> s.state() == state).map(Standing::pod).toList();
    }
}
