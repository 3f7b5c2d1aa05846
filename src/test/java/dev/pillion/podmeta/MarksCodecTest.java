package dev.pillion.podmeta;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.List;
import java.util.Map;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import dev.pillion.api.PodMarks;
import dev.pillion.api.PodMarks.HashEntry;
import dev.pillion.api.PodMarks.InPlace;
import dev.pillion.api.Wire;

/** Reading the injection annotations, also damaged ones (rollout.md 9.4, trap V; events.md 7.19). */
class MarksCodecTest {
    private static final Instant NOW = Instant.parse("2026-01-02T03:04:05.6Z");

    @Test
    void readsPresentAndOldForm() {
        PodMarks marks = MarksCodec.decode(Map.of(Wire.HASH, "{\"a\":{\"hash\":\"h\",\"controllerRevision\":\"a-1\"}}",
                Wire.HASH_WITHOUT_IMAGE, "{\"a\":\"w\"}", Wire.INJECTED_LIST, "a,,b ", "other", "x"));

        assertThat(marks.hashes()).containsExactly(Map.entry("a", new HashEntry("h", "a-1")));
        assertThat(marks.withoutImage()).containsExactly(Map.entry("a", new HashEntry("w", "")));
        assertThat(marks.injectedList()).containsExactly("a", "", "b ");
        assertThat(marks.raw().all()).doesNotContainKey("other");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "null", "{}", "[]", "5", "\"x\"", "{", "{\"a\":null}", "{\"a\":5}", "{\"a\":[null]}",
            "{\"a\":{\"hash\":null}}",
            "{\"a\":{\"lastContainerStatuses\":null}}", "{\"a\":{\"lastContainerStatuses\":{\"c\":null}}}",
            "{\"a\":{\"updateTimestamp\":5,\"sidecarList\":[null,5]}}", "{\"a\":{\"sidecarList\":\"x\"},\"b\":\"h\"}", "\u0000"})
    void survivesEveryText(String text) {
        PodMarks marks = MarksCodec.decode(Map.of(Wire.HASH, text, Wire.HASH_WITHOUT_IMAGE, text, Wire.IN_PLACE_STATE, text,
                Wire.WORKING_HOT_UPGRADE, text, Wire.INJECTED_LIST, text));

        assertThat(marks.hash("a").map(HashEntry::hash).orElse("")).isEmpty();
        assertThat(InPlaceState.of(text).with("a", "h", Map.of("c", "i"), NOW)).contains("\"c\":{\"imageID\":\"i\"}");
        assertThat(WorkingMap.of(text).with("mesh", "mesh-1").write()).contains("\"mesh\":\"mesh-1\"");
    }

    @Test
    void tellsUnreadableInPlaceStateFromEmptyOne() {
        assertThat(inPlace("{\"a\":5}")).isEqualTo(new InPlace.Unreadable());
        assertThat(inPlace("null")).isEqualTo(new InPlace.States(Map.of()));
        assertThat(inPlace("{\"a\":null}")).isEqualTo(new InPlace.States(Map.of()));
        assertThat(inPlace("{\"a\":{\"LastContainerStatuses\":{\"c\":{\"imageid\":\"i\"}}}}"))
                .isEqualTo(new InPlace.States(Map.of("a", Map.of("c", "i"))));
        assertThat(MarksCodec.decode(Map.of(Wire.INJECTED_LIST, "a")).inPlace()).isEqualTo(new InPlace.Absent());
    }

    private static InPlace inPlace(String text) {
        return MarksCodec.decode(Map.of(Wire.IN_PLACE_STATE, text)).inPlace();
    }

    @Test
    void writesAFreshInPlaceEntryInTheRecordedBytes() {
        assertThat(InPlaceState.of("").with("test-sidecarset", "bbb", Map.of("test-sidecar", "docker-pullable://x@sha256:1"), NOW))
                .isEqualTo("{\"test-sidecarset\":{\"revision\":\"bbb\",\"updateTimestamp\":\"2026-01-02T03:04:05Z\","
                        + "\"lastContainerStatuses\":{\"test-sidecar\":{\"imageID\":\"docker-pullable://x@sha256:1\"}}}}");
    }

    @Test
    void keepsTheFirstRevisionAndForeignMembers() {
        String text = "{\"z\":{\"updateImages\":true,\"revision\":\"r\"},\"a\":{\"revision\":\"old\",\"lastContainerStatuses\":{\"c\":{\"imageID\":\"i\"}}}}";

        assertThat(InPlaceState.of(text).with("a", "new", Map.of("d", ""), NOW))
                .isEqualTo(
                        "{\"a\":{\"revision\":\"old\",\"updateTimestamp\":null,\"lastContainerStatuses\":{\"c\":{\"imageID\":\"i\"},\"d\":{}}},"
                                + "\"z\":{\"revision\":\"r\",\"updateTimestamp\":null,\"lastContainerStatuses\":null,\"updateImages\":true}}");
    }

    @Test
    void writesTheWorkingMapSortedAndKeepsOtherKeys() {
        assertThat(WorkingMap.of("{\"z\":\"z-1\",\"b\":\"b-1\"}").with("b", "b-2").write()).isEqualTo("{\"b\":\"b-2\",\"z\":\"z-1\"}");
        assertThat(WorkingMap.of("{\"z\":\"z-1\"}").twins()).containsExactly(Map.entry("z", "z-1"));
        assertThat(List.copyOf(WorkingMap.of("{\"z\":null}").twins().values())).containsExactly("");
    }
}
