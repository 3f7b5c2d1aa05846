package dev.pillion.podmeta;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import dev.pillion.api.SidecarSet.PatchPodMetadata;
import dev.pillion.podmeta.MetadataPatch.Outcome;
import dev.pillion.podmeta.MetadataPatch.SameValue;

/** Patches of pod annotations by policy; the recorded cases run with the whitelist's (validate.PatchMetaConformanceTest). */
final class MetadataPatchTest {
    /** The table of injection.md 8, and neighbours of its rows. */
    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '~', value = {
            "{\"z\":1,\"a\":{\"y\":1,\"b\":2}} | {\"c\":\"<x>\",\"a\":{\"q\":[1,null,{\"n\":null}]}} | {\"a\":{\"b\":2,\"q\":[1,null,{}],\"y\":1},\"c\":\"\\u003cx\\u003e\",\"z\":1}",
            "{\"z\":{\"q\":1, \"p\":\"<&>\"},\"a\":1} | {\"b\":2,\"a\":null} | {\"b\":2,\"z\":{\"q\":1,\"p\":\"\\u003c\\u0026\\u003e\"}}",
            "[1] | {\"a\":1} | {\"a\":1}", "\"s\" | {\"b\":{\"z\":1,\"a\":null}} | {\"b\":{\"z\":1}}", "{\"a\":{}} | [{\"n\":null}] | [{}]",
            "{\"a\":{}} | {\"a\":[{\"n\":null}]} | {\"a\":[{\"n\":null}]}", "{\"n\":1.0,\"e\":1e3} | {} | {\"e\":1e3,\"n\":1.0}",
            "{\"u\":\"\\u00e9\\/\", \"a]}\" : \"},{\\\"\"} | {\"b\":1} | {\"a]}\":\"},{\\\"\",\"b\":1,\"u\":\"\\u00e9\\/\"}",
            "null | {\"a\":1} | refused", "no | {\"a\":1} | refused", "{\"a\":1} | 3 | refused", "{\"a\":1} | null | refused",
            "{} | {\"a\":1,\"a\":null} | {}", "[] | [ ] | []", "{} | { } | {}"})
    void merges(String existing, String patch, String result) {
        Outcome outcome = MetadataPatch.apply(Map.of("k", existing), List.of(new PatchPodMetadata(Map.of("k", patch), "MergePatchJson")));
        assertThat(switch (outcome) {
            case Outcome.Applied(Map<String, String> after) -> after.get("k");
            case Outcome.Refused _ -> "refused";
        }).isEqualTo(result);
    }

    /** As written, in every process: the JVM's own order of a map differs from one to the next. */
    @Test
    void goesThroughAnnotationsInTheirOrder() {
        Map<String, String> written = new LinkedHashMap<>();
        for (char key = 'z'; key >= 'a'; key--) {
            written.put(String.valueOf(key), "no JSON");
        }

        Outcome set = MetadataPatch.apply(Map.of(), List.of(new PatchPodMetadata(written, "Overwrite")));
        Outcome refused = MetadataPatch.apply(written, List.of(new PatchPodMetadata(written, "MergePatchJson")));

        assertThat(((Outcome.Applied) set).annotations().keySet()).containsExactlyElementsOf(written.keySet());
        assertThat(((Outcome.Refused) refused).key()).isEqualTo("z");
    }

    @Test
    void writesThePatchItselfWhereNothingIs() {
        PatchPodMetadata patch = new PatchPodMetadata(Map.of("k", "{\"b\":2,\"a\":null}"), "MergePatchJson");
        assertThat(MetadataPatch.apply(Map.of(), List.of(patch))).isEqualTo(new Outcome.Applied(Map.of("k", "{\"b\":2,\"a\":null}")));
        assertThat(MetadataPatch.apply(Map.of("k", ""), List.of(patch)))
                .isEqualTo(new Outcome.Applied(Map.of("k", "{\"b\":2,\"a\":null}")));
    }

    @Test
    void leavesATextThatAlreadySaysTheSame() {
        PatchPodMetadata patch = new PatchPodMetadata(Map.of("k", "{\"b\":2,\"a\":null}"), "MergePatchJson");
        for (String text : List.of("{\"b\":2,\"a\":null}", "{\"z\":{\"y\":1},\"b\":2}")) {
            assertThat(MetadataPatch.apply(Map.of("k", text), List.of(patch), SameValue.KEEP))
                    .isEqualTo(new Outcome.Applied(Map.of("k", text)));
        }
        assertThat(MetadataPatch.apply(Map.of("k", "{\"b\":1}"), List.of(patch), SameValue.KEEP))
                .isEqualTo(new Outcome.Applied(Map.of("k", "{\"b\":2}")));
    }

    @Test
    void knowsNoOtherPolicy() {
        assertThat(MetadataPatch.apply(Map.of(), List.of(new PatchPodMetadata(Map.of("k", "v"), "Odd"))))
                .isEqualTo(new Outcome.Applied(Map.of()));
    }
}
