package dev.pillion.rollout;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.stream.Stream;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import dev.pillion.api.PodKey;
import dev.pillion.api.PodView;
import dev.pillion.api.SidecarSet;
import dev.pillion.podmeta.PodViews;

/** Plans beside upgrades that are under way, over random sets and Pods: together they are what one plan would have done. */
class BegunTest {
    private static final int SEEDS = 400;

    @ParameterizedTest
    @ValueSource(strings = {"PILLION", "REFERENCE"})
    void decidesWhatIsLeftOfTheWholePlanAndNothingElse(String mode) {
        RolloutOptions options = mode.equals("PILLION") ? RolloutOptions.PILLION : RolloutOptions.REFERENCE;
        int met = 0;
        for (long seed = 1; seed <= SEEDS; seed++) {
            Random random = new Random(seed);
            RandomRollout make = new RandomRollout(random);
            Ledger ledger = ledger(options, make);
            List<PodKey> whole = upgrades(ledger.plan("r", 0, Cases.NOW));
            for (int begun = 0; begun <= whole.size(); begun++) {
                List<PodKey> before = whole.subList(0, begun);

                Plan beside = ledger.plan("r", 0, Cases.NOW, Set.copyOf(before));

                List<PodKey> together = Stream.concat(before.stream(), upgrades(beside).stream()).toList();
                assertThat(together).as("seed %d, %d begun", seed, begun).doesNotHaveDuplicates();
                assertThat(new HashSet<>(whole)).as("seed %d, %d begun", seed, begun).containsAll(together);
                if (isReadyAlone(ledger, whole)) {
                    assertThat(together).as("seed %d, %d begun", seed, begun).containsExactlyElementsOf(whole);
                    met++;
                }
            }
        }
        assertThat(met).as("plans that say exactly what is left").isGreaterThan(100);
    }

    /** Pods that are not ready cost nothing in a plan, but once they are begun they use up maxUnavailable as they will afterwards. */
    private static boolean isReadyAlone(Ledger ledger, List<PodKey> pods) {
        return pods.stream().allMatch(key -> ledger.table().verdict(key).orElseThrow().ready());
    }

    private static List<PodKey> upgrades(Plan plan) {
        return plan.decisions().stream().filter(d -> d instanceof Decision.Upgrade).map(d -> d.pod().key()).toList();
    }

    private static Ledger ledger(RolloutOptions options, RandomRollout make) {
        Ledger ledger = new Ledger(options);
        SidecarSet set = make.set();
        List<PodView> pods = new ArrayList<>();
        for (int i = 0; i < 30; i++) {
            String namespace = make.one(RandomRollout.NAMESPACES);
            pods.add(PodViews.of(make.pod(namespace, "p" + i, "u" + i)));
        }
        Map<String, Map<String, String>> labels = new HashMap<>();
        RandomRollout.NAMESPACES.forEach(n -> labels.put(n, Map.of("env", "prod")));
        ledger.rebuild(set, labels, pods);
        return ledger;
    }
}
