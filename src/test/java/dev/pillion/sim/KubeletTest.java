package dev.pillion.sim;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;

import org.junit.jupiter.api.Test;

final class KubeletTest {
    private static final Duration DELAY = Duration.ofNanos(300);

    @Test
    void startsTheNewContainerSoLongAfterTheStopAndNotAfterItsWrite() {
        assertThat(Kubelet.due(1_080, Duration.ZERO, 1_000, DELAY)).isEqualTo(1_300);
    }

    @Test
    void startsAtOnceWhenTheWriteOfTheStopTookLonger() {
        assertThat(Kubelet.due(1_500, Duration.ZERO, 1_000, DELAY)).isEqualTo(1_500);
    }

    @Test
    void pausesAtLeastAsLongAsAFailureAsks() {
        assertThat(Kubelet.due(1_080, Duration.ofNanos(900), 1_000, DELAY)).isEqualTo(1_980);
    }

    @Test
    void countsOnWhenTheClockTurnsOver() {
        long stopped = Long.parseLong("9223372036854775797");

        assertThat(Kubelet.due(stopped, Duration.ZERO, stopped, DELAY)).isEqualTo(stopped + 300);
    }
}
