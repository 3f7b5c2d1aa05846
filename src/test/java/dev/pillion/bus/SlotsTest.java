package dev.pillion.bus;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.HashMap;
import java.util.Map;
import java.util.zip.CRC32;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import dev.pillion.api.SetKey;

class SlotsTest {
    /** Published test values of FNV-1a 32; a change would hand sets to two owners during an update. */
    @ParameterizedTest
    @CsvSource({"'', 0x811c9dc5", "a, 0xe40c292c", "foobar, 0xbf9cf968"})
    void hashesAsFnv1a(String name, String hash) {
        for (int count : new int[]{1, 2, 4, 31, 32, 1024}) {
            assertThat(new Slots(count).of(new SetKey(name))).isEqualTo((int) (Long.decode(hash) % count));
        }
    }

    @Test
    void hashesTheBytesOfUtf8() {
        // 0xc3 0xa4: bytes above 127 must not spread their sign.
        int first = 0x811c9dc5 ^ 0xc3;
        int second = first * 0x01000193 ^ 0xa4;
        int byHand = second * 0x01000193;
        assertThat(new Slots(1000).of(new SetKey("\u00e4"))).isEqualTo(Integer.remainderUnsigned(byHand, 1000));
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 4, 32})
    void spreadsNamesEvenly(int count) {
        Slots slots = new Slots(count);
        Map<Integer, Integer> found = new HashMap<>();
        for (int i = 0; i < 3200; i++) {
            CRC32 word = new CRC32();
            word.update(i);
            found.merge(slots.of(new SetKey("set-" + word.getValue() + "-" + i)), 1, Integer::sum);
        }

        assertThat(found).hasSize(count);
        assertThat(found.keySet()).allMatch(slot -> slot >= 0 && slot < count);
        assertThat(found.values()).allMatch(n -> n > 3200 / count / 2 && n < 3200 / count * 2);
    }

    @Test
    void needsASlot() {
        assertThatThrownBy(() -> new Slots(0)).isInstanceOf(IllegalArgumentException.class);
    }
}
