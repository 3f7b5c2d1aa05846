package dev.pillion.api;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Optional;
import java.util.Set;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import dev.pillion.api.PodStartup.Barrier;
import dev.pillion.api.PodStartup.Launch;

final class PodStartupTest {
    @ParameterizedTest
    @CsvSource({"p_0,0", "p_5,5", "p_-1,-1", "p_007,7", "p_-0,0", "p_9223372036854775807,9223372036854775807",
            "p_-9223372036854775808,-9223372036854775808"})
    void aKeyIsANumber(String key, long number) {
        assertThat(Barrier.of("c", key)).contains(new Barrier("c", key, number));
    }

    /** Trap 1: none of these may do harm; they count as if they were not there. */
    @ParameterizedTest
    @ValueSource(strings = {"", "p", "p_", "p_-", "_5", "x_5", "p_abc", "p_5x", "p_+5", "p_--5", "p_ 5", "p_5.0", "p_\u0665",
            "p_9223372036854775808", "P_5", "5"})
    void anyOtherKeyIsNone(String key) {
        assertThat(Barrier.of("c", key)).isEmpty();
    }

    @Test
    void aCompletedLaunchMattersOnlyWhileAContainerMissesItsKey() {
        List<Barrier> barriers = List.of(new Barrier("c", "p_0", 0));

        assertThat(Launch.of(barriers, true, Set.of(), Set.of())).isEmpty();
        assertThat(Launch.of(barriers, true, Set.of("without-barrier"), Set.of())).isEmpty();
        assertThat(Launch.of(barriers, true, Set.of("c"), Set.of())).isPresent();
        assertThat(Launch.of(barriers, false, Set.of(), Set.of())).isPresent();
        assertThat(Launch.of(List.of(), false, Set.of("c"), Set.of())).isEmpty();
        assertThat(PodStartup.of(new PodStartup.ReadyGate.Settled(), Optional.empty())).isSameAs(PodStartup.NONE);
    }
}
