package dev.pillion.bus;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.atomic.AtomicLong;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import dev.pillion.api.SetKey;

class OwnershipTest {
    private static final SetKey LOGS = new SetKey("logs");

    /** Near the place where a long overflows: only differences count. */
    private final AtomicLong clock = new AtomicLong(Long.MAX_VALUE - 10);

    @ParameterizedTest
    @ValueSource(ints = {1, 4, 32})
    void ownsTheSetsOfItsSlotsOnly(int count) {
        Ownership ownership = new Ownership(new Slots(count), clock::get);
        int slot = ownership.slots().of(LOGS);
        SetKey other = new SetKey("b");
        for (int i = 0; count > 1 && ownership.slots().of(other) == slot; i++) {
            other = new SetKey("b" + i);
        }
        assertThat(ownership.accepts(LOGS)).isFalse();
        assertThat(ownership.fence(LOGS).isOpen()).isFalse();

        ownership.begin(slot, 1, clock.get() + 100);

        assertThat(ownership.accepts(LOGS)).isTrue();
        assertThat(ownership.fence(LOGS).isOpen()).isTrue();
        assertThat(ownership.accepts(other)).isEqualTo(count == 1);
        assertThat(ownership.leads()).isEqualTo(slot == Slots.FIRST);
    }

    @Test
    void aTermEndsByTimeAlone() {
        Ownership ownership = new Ownership(new Slots(1), clock::get);
        ownership.begin(0, 1, clock.get() + 100);
        Fence fence = ownership.fence(LOGS);
        clock.addAndGet(99);
        assertThat(fence.isOpen()).isTrue();
        assertThat(ownership.leads()).isTrue();

        clock.addAndGet(1);
        assertThat(fence.isOpen()).isFalse();
        assertThat(ownership.leads()).isFalse();
    }

    @Test
    void aRenewalExtendsTheTermForThoseWhoAsked() {
        Ownership ownership = new Ownership(new Slots(1), clock::get);
        ownership.begin(0, 1, clock.get() + 100);
        Fence fence = ownership.fence(LOGS);
        clock.addAndGet(50);
        ownership.extend(0, 1, clock.get() + 100);
        clock.addAndGet(99);

        assertThat(fence.isOpen()).isTrue();
    }

    @Test
    void aLaterTermDoesNotOpenAnOldFence() {
        Ownership ownership = new Ownership(new Slots(1), clock::get);
        ownership.begin(0, 1, clock.get() + 100);
        Fence old = ownership.fence(LOGS);
        ownership.end(0);
        assertThat(old.isOpen()).isFalse();
        assertThat(ownership.accepts(LOGS)).isFalse();

        ownership.begin(0, 2, clock.get() + 100);
        assertThat(old.isOpen()).isFalse();
        assertThat(ownership.fence(LOGS).isOpen()).isTrue();

        ownership.extend(0, 1, clock.get() + 1000);
        clock.addAndGet(100);
        assertThat(ownership.leads()).as("a late renewal of the old term").isFalse();
    }
}
