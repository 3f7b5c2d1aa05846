package dev.pillion.reconcile;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

import dev.pillion.api.Json;
import dev.pillion.api.SetKey;
import dev.pillion.api.SidecarSet;
import dev.pillion.rollout.RolloutOptions;

import tools.jackson.databind.node.ObjectNode;

class LedgersTest {
    private final Ledgers ledgers = new Ledgers(RolloutOptions.PILLION);

    /** events.md 7.9: nothing awaited for the set that was deleted may hold up the one of the same name. */
    @Test
    void aSetOfTheSameNameButAnotherUidStartsAfresh() {
        SetState first = ledgers.of(set("u1"));

        assertThat(ledgers.of(set("u1"))).isSameAs(first);
        assertThat(ledgers.of(set("u2"))).isNotSameAs(first);
        assertThat(ledgers.size()).isEqualTo(1);
        ledgers.drop(new SetKey("s"));
        assertThat(ledgers.size()).isZero();
    }

    private static SidecarSet set(String uid) {
        return SidecarSet.of((ObjectNode) Json.read("{\"metadata\":{\"name\":\"s\",\"uid\":\"" + uid + "\"}}"));
    }
}
