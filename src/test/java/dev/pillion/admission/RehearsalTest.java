package dev.pillion.admission;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

import dev.pillion.inject.InjectOptions;

/** A rehearsal that patches nothing would warm nothing. */
final class RehearsalTest {
    @Test
    void goesTheWholeWay() {
        assertThat(Rehearsal.run(2, InjectOptions.PILLION)).isGreaterThan(1000);
        assertThat(Rehearsal.run(1, InjectOptions.REFERENCE)).isGreaterThan(1000);
    }
}
