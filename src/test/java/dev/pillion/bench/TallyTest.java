package dev.pillion.bench;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;

final class TallyTest {
    private static final int REQUESTS = 10;

    /** Two rounds are slow for both kinds, two more for the second one alone: the medians would say four times. */
    @Test
    void kindsAreComparedRoundByRound() {
        Tally echo = new Tally("echo");
        Tally sets = new Tally("sets");
        for (int slow : new int[]{1, 2, 2, 1, 1}) {
            round(echo, 100L * slow);
            round(sets, 200L * slow);
        }
        round(echo, 100);
        round(sets, 400);
        round(echo, 100);
        round(sets, 400);
        assertEquals(100, echo.cpu());
        assertEquals(400, sets.cpu());
        assertEquals(2, sets.times(echo));
    }

    private static void round(Tally tally, long cpuOfOne) {
        tally.add(new Job.Outcome(1, new long[REQUESTS], 0, ""), Tally.Used.NONE, new Tally.Used(cpuOfOne * REQUESTS, 0, 0));
    }
}
