package dev.pillion.revision;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import java.util.Optional;

import org.junit.jupiter.api.Test;

import dev.pillion.api.Json;
import dev.pillion.api.Revision;
import dev.pillion.api.SidecarSet;
import dev.pillion.api.Wire;

import tools.jackson.databind.node.ObjectNode;

/** Restoring a revision (api.md 4.3). */
final class RestoredSetTest {
    private static final SidecarSet CURRENT = SidecarSet.of((ObjectNode) Json.read("""
            {"apiVersion":"apps.kruise.io/v1beta1","kind":"SidecarSet",
             "metadata":{"name":"one","uid":"u1","annotations":{"kruise.io/sidecarset-hash":"new","other":"kept"}},
             "spec":{"selector":{"matchLabels":{"a":"b"}},"containers":[{"name":"c","image":"x:2"}],
                     "updateStrategy":{"type":"RollingUpdate"},"injectionStrategy":{"paused":true}},
             "status":{"matchedPods":3,"latestRevision":"one-2"}}"""));
    private static final String DATA = RevisionData.of(Json.read("""
            {"containers":[{"name":"c","image":"x:1"}],"volumes":[{"name":"v","emptyDir":{}}]}"""));

    @Test
    void holdsTheRecordedMembersOnlyAndTheCurrentMetadata() {
        SidecarSet restored = RestoredSet.of(CURRENT, revision(Map.of(Wire.HASH, "old", Wire.HASH_WITHOUT_IMAGE, "oldW"))).orElseThrow();

        assertThat(restored.raw().path("spec").propertyNames()).containsExactlyInAnyOrder("containers", "volumes");
        assertThat(restored.containers().getFirst().image()).isEqualTo("x:1");
        assertThat(restored.selector()).isEmpty();
        assertThat(restored.injectionStrategy().paused()).isFalse();
        assertThat(restored.hash()).isEqualTo("old");
        assertThat(restored.hashWithoutImage()).isEqualTo("oldW");
        assertThat(restored.annotations()).containsEntry("other", "kept");
        assertThat(restored.status().latestRevision()).isEqualTo("one-1");
        assertThat(restored.status().matchedPods()).isEqualTo(3);
        assertThat(CURRENT.hash()).isEqualTo("new");
    }

    @Test
    void computesHashesThatTheRevisionLacks() {
        SidecarSet restored = RestoredSet.of(CURRENT, revision(Map.of())).orElseThrow();
        assertThat(restored.hash()).isEqualTo(SetHash.hash(restored.raw())).hasSize(64).isNotEqualTo(CURRENT.hash());
        assertThat(restored.hashWithoutImage()).isEqualTo(SetHash.hashWithoutImage(restored.raw()));
    }

    @Test
    void goingBackChangesWhatWasRecordedAndNothingElse() {
        ObjectNode back = RestoredSet.goBack(CURRENT, revision(Map.of(Wire.HASH, "old"))).orElseThrow();

        assertThat(back.at("/spec/containers/0/image").stringValue()).isEqualTo("x:1");
        assertThat(back.at("/spec/volumes/0/name").stringValue()).isEqualTo("v");
        assertThat(back.path("metadata")).isEqualTo(CURRENT.raw().path("metadata"));
        for (String member : new String[]{"selector", "updateStrategy", "injectionStrategy"}) {
            assertThat(back.path("spec").path(member)).isEqualTo(CURRENT.raw().path("spec").path(member));
        }
        assertThat(RevisionData.of(back.path("spec"))).isEqualTo(DATA);
    }

    @Test
    void goingBackRemovesWhatTheRevisionLacksAndTakesItsCustomVersion() {
        ObjectNode now = CURRENT.raw().deepCopy();
        now.withObject("/spec").put("customVersion", "v2").putArray("initContainers").addObject().put("name", "i");
        Revision plain = new Revision("r", "", "", 1, "", Map.of(), Map.of(), DATA, Optional.empty());
        Revision labelled = new Revision("r", "", "", 1, "", Map.of(Wire.CUSTOM_VERSION_LABEL, "v1"), Map.of(), DATA, Optional.empty());

        ObjectNode back = RestoredSet.goBack(SidecarSet.of(now), plain).orElseThrow();

        assertThat(back.path("spec").has("initContainers")).isFalse();
        assertThat(back.path("spec").has("customVersion")).isFalse();
        assertThat(RestoredSet.goBack(SidecarSet.of(now), labelled).orElseThrow().at("/spec/customVersion").stringValue()).isEqualTo("v1");
    }

    @Test
    void dataThatIsNoSetRestoresNothing() {
        for (String data : new String[]{"", "{", "[]", "{\"spec\":3}", "{\"foreign\":true}"}) {
            Revision revision = new Revision("r", "", "", 1, "", Map.of(), Map.of(), data, Optional.empty());
            assertThat(RestoredSet.of(CURRENT, revision)).as(data).isEmpty();
            assertThat(RestoredSet.goBack(CURRENT, revision)).as(data).isEmpty();
            assertThat(RestoredSet.isRestorable(revision)).as(data).isFalse();
        }
    }

    private static Revision revision(Map<String, String> annotations) {
        return new Revision("one-1", "", "", 1, "", Map.of(), annotations, DATA, Optional.of("u1"));
    }
}
