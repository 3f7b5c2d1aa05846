package dev.pillion.podmeta;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import java.util.Optional;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import dev.pillion.podmeta.HashAnnotation.Entry;
import dev.pillion.podmeta.HashAnnotation.Form;

/** Forms and exact text of the hash annotations (api.md 4.2, rollout.md 9.3, 9.4). */
class HashAnnotationTest {
    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '#', value = {"##|ABSENT", "null|NULL", "{}|PRESENT", "{\"a\":null}|PRESENT",
            "{\"a\":{\"hash\":\"h\"}}|PRESENT", "{\"a\":\"h\"}|OLD", "{\"a\":\"h\",\"b\":null}|OLD", "{\"a\":\"h\",\"b\":{}}|MIXED",
            "{\"a\":{\"hash\":5}}|MIXED", "{\"a\":{\"updateTimestamp\":\"yesterday\"}}|MIXED", "{\"a\":[]}|MIXED", "[]|DAMAGED",
            "5|DAMAGED",
            "{\"a\":|DAMAGED", "no|DAMAGED"})
    void tellsTheFormOfAText(String text, Form form) {
        assertThat(HashAnnotation.of(text).form()).isEqualTo(form);
    }

    @Test
    void writesTheRecordedExample() {
        Entry entry = new Entry(Optional.of("2026-11-29T14:48:30Z"), "H-one", "one", Optional.of(List.of("log", "mesh", "native")),
                "one-abc");

        assertThat(HashAnnotation.present(Map.of("one", entry)).write())
                .isEqualTo("{\"one\":{\"updateTimestamp\":\"2026-11-29T14:48:30Z\",\"hash\":\"H-one\",\"sidecarSetName\":\"one\","
                        + "\"sidecarList\":[\"log\",\"mesh\",\"native\"],\"controllerRevision\":\"one-abc\"}}");
    }

    @Test
    void readsMembersWithoutRegardToCaseAndDropsUnknownOnes() {
        HashAnnotation read = HashAnnotation.of("{\"b\":{\"HASH\":\"h\",\"SidecarSetName\":\"b\",\"x\":1},\"a\":{\"hash\":\"<&>\"}}");

        assertThat(read.write()).isEqualTo("{\"a\":{\"updateTimestamp\":null,\"hash\":\"\\u003c\\u0026\\u003e\",\"sidecarSetName\":\"\","
                + "\"sidecarList\":null},\"b\":{\"updateTimestamp\":null,\"hash\":\"h\",\"sidecarSetName\":\"b\",\"sidecarList\":null}}");
    }

    @Test
    void putsTimesIntoWholeSecondsOfUtc() {
        HashAnnotation read = HashAnnotation.of("{\"a\":{\"updateTimestamp\":\"2024-03-01T08:00:00.5+08:00\"},"
                + "\"b\":{\"updateTimestamp\":\"0001-01-01T00:00:00Z\"}}");

        assertThat(read.entries().get("a")).extracting(Entry::updateTimestamp).isEqualTo(Optional.of("2024-03-01T00:00:00Z"));
        assertThat(read.entries().get("b")).extracting(Entry::updateTimestamp).isEqualTo(Optional.empty());
    }

    @Test
    void ordersNamesByTheirBytes() {
        String beyond = new String(Character.toChars(0x10000));

        assertThat(HashAnnotation.present(Map.of(beyond, Entry.EMPTY, "\uFFFD", Entry.EMPTY)).entries().sequencedKeySet())
                .containsExactly("\uFFFD", beyond);
    }

    @Test
    void replacesOneEntryAndKeepsTheOthers() {
        HashAnnotation changed = HashAnnotation.of("{\"a\":{\"hash\":\"1\"},\"b\":{\"hash\":\"2\"}}").with("b", Entry.ofHash("3"));

        assertThat(changed.entries()).containsExactly(Map.entry("a", Entry.ofHash("1")), Map.entry("b", Entry.ofHash("3")));
    }
}
