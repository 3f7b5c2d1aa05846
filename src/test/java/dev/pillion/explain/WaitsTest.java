package dev.pillion.explain;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import dev.pillion.rollout.Plan;

class WaitsTest {
    @ParameterizedTest
    @ValueSource(strings = {"updated-hash-expected", "not-update", "paused", "set-deleting", "not-selected", "partition", "max-unavailable",
            "not-upgradable", "upgrading", "refused", "flipping"})
    void everyReasonHasASentence(String word) {
        assertThat(Waits.reason(word)).isNotEqualTo(word).contains(" ");
    }

    @Test
    void countsPodsInWords() {
        assertThat(Waits.sentence(new Plan.Waiting("paused", 1))).isEqualTo("1 pod waits: updateStrategy.paused is true");
        assertThat(Waits.sentence(new Plan.Waiting("paused", 3))).startsWith("3 pods wait: ");
        assertThat(Waits.notUpgradable(2)).startsWith("2 pods are not updated in place: ").contains("re-create them");
    }
}
