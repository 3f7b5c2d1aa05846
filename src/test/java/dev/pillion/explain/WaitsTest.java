package dev.pillion.explain;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.stream.IntStream;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import dev.pillion.api.PodKey;
import dev.pillion.rollout.Plan;
import dev.pillion.rollout.WaitReason;

class WaitsTest {
    @ParameterizedTest
    @EnumSource(WaitReason.class)
    void everyReasonHasASentence(WaitReason reason) {
        assertThat(Waits.reason(reason)).isNotEqualTo(reason.word()).contains(" ").doesNotEndWith(".");
    }

    @Test
    void countsPodsInWords() {
        assertThat(Waits.sentence(waiting(WaitReason.PAUSED, 1, 0, 0))).isEqualTo("1 pod waits: updateStrategy.paused is true");
        assertThat(Waits.sentence(waiting(WaitReason.PAUSED, 3, 0, 0))).startsWith("3 pods wait: ");
        assertThat(Waits.notUpgradable(waiting(WaitReason.NOT_UPGRADABLE, 2, 0, 0))).startsWith("2 pods are not updated in place: ")
                .contains("re-create them");
    }

    @Test
    void namesSomePodsAndThoseTheyWaitFor() {
        assertThat(Waits.sentence(waiting(WaitReason.MAX_UNAVAILABLE, 9, 2, 1))).startsWith("9 pods wait (n/p0, n/p1, ...): ")
                .endsWith(". They wait for n/p0");
        assertThat(Waits.notUpgradable(waiting(WaitReason.NOT_UPGRADABLE, 2, 2, 0)))
                .startsWith("2 pods are not updated in place (n/p0, n/p1): ");
    }

    /** A note holds 1,024 bytes, a name with its namespace up to 317; the reason must not fall off. */
    @Test
    void longNamesLeaveRoomForTheReason() {
        List<PodKey> longNames = IntStream.range(0, 5).mapToObj(i -> new PodKey("n".repeat(63), "p".repeat(252) + i)).toList();
        for (WaitReason reason : WaitReason.values()) {
            Plan.Waiting waiting = new Plan.Waiting(reason, 1_000_000, longNames, longNames);

            assertThat(Waits.sentence(waiting)).hasSizeLessThanOrEqualTo(1024).contains(Waits.reason(reason),
                    longNames.getFirst() + ", ...");
            assertThat(Waits.notUpgradable(waiting)).hasSizeLessThanOrEqualTo(1024).contains(Waits.reason(reason));
        }
    }

    private static Plan.Waiting waiting(WaitReason reason, int pods, int some, int blockers) {
        return new Plan.Waiting(reason, pods, names(some), names(blockers));
    }

    private static List<PodKey> names(int many) {
        return IntStream.range(0, many).mapToObj(i -> new PodKey("n", "p" + i)).toList();
    }
}
