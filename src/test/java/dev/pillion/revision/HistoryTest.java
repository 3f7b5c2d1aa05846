package dev.pillion.revision;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

import org.junit.jupiter.api.Test;

import dev.pillion.api.Json;
import dev.pillion.api.Revision;
import dev.pillion.api.SidecarSet;
import dev.pillion.api.Wire;

import tools.jackson.databind.node.ObjectNode;

/** Choosing and truncating revisions where the recorded cases do not reach: the traps that Pillion mends (rollout.md 16.2). */
final class HistoryTest {

    @Test
    void numbersFollowTheMeasuredExample() {
        List<Revision> stored = new ArrayList<>();
        List<String> seen = new ArrayList<>();
        for (String image : List.of("a", "b", "c", "b", "d", "a")) {
            SidecarSet set = set("\"revisionHistoryLimit\":2,\"containers\":[{\"name\":\"c\",\"image\":\"" + image + "\"}]", "");
            Step step = History.register(set, stored, RevisionOptions.PILLION);
            Step.Registered done = (Step.Registered) switch (step) {
                case Step.Create c -> c.created(c.wanted());
                case Step.Renumber r -> r.renumbered(numbered(r.revision(), r.number()));
                case Step.Registered r -> r;
                case Step.Wait _,Step.Terminating _ -> throw new AssertionError(step);
            };
            stored = new ArrayList<>(done.history());
            stored.removeAll(History.truncate(set, done.history(), Set.of()));
            seen.add(String.join(",", stored.stream().map(r -> image(r) + r.number()).toList()));
        }
        assertThat(seen).containsExactly("a1", "a1,b2", "b2,c3", "c3,b4", "b4,d5", "d5,a6");
    }

    @Test
    void theRevisionBeforeIsTheOneToGoBackTo() {
        SidecarSet set = set("\"containers\":[{\"name\":\"c\",\"image\":\"b\"}]", "");
        Revision a = revision("one-a", "{\"spec\":{\"containers\":[{\"name\":\"c\",\"image\":\"a\"}]}}", "u1");
        Revision b = revision("one-b", RevisionData.of(set.raw().path("spec")), "u1");

        assertThat(History.previous(set, List.of(a, b))).contains(a);
        assertThat(History.previous(set, List.of(a))).as("the present one is not registered yet").contains(a);
        assertThat(History.previous(set, List.of(b))).isEmpty();
        assertThat(History.previous(set, List.of())).isEmpty();
        assertThat(History.isAt(set, b)).isTrue();
        assertThat(History.isAt(set, a)).isFalse();
    }

    @Test
    void dataWrittenInAnotherSpellingIsTheSame() {
        SidecarSet set = set("\"containers\":[{\"name\":\"c\",\"image\":\"<a>\"}]", "");
        Revision other = revision("one-x", "{\"spec\": {\"containers\":[{\"image\":\"<a>\",\"name\":\"c\"}],\"$patch\":\"replace\"}}",
                "u1");

        assertThat(History.register(set, List.of(other), RevisionOptions.PILLION)).isInstanceOf(Step.Registered.class);
        assertThat(History.register(set, List.of(other), RevisionOptions.REFERENCE)).isInstanceOf(Step.Create.class);
    }

    @Test
    void waitsWhileAnOlderSetOfTheNameHoldsTheRevision() {
        SidecarSet set = set("\"containers\":[{\"name\":\"c\"}]", "");
        Revision taken = revision("one-x", RevisionData.of(set.raw().path("spec")), "older-uid");

        Step.Create create = (Step.Create) History.register(set, List.of(taken), RevisionOptions.PILLION);
        assertThat(create.nameTaken(taken)).isEqualTo(new Step.Wait(taken));
        Step.Create reference = (Step.Create) History.register(set, List.of(taken), RevisionOptions.REFERENCE);
        assertThat(reference.nameTaken(taken)).isInstanceOf(Step.Registered.class);
    }

    @Test
    void aCollisionLeadsToTheNextNameAndKeepsTheFirstHashLabel() {
        SidecarSet set = set("\"containers\":[{\"name\":\"c\"}]", "");
        Step.Create first = (Step.Create) History.register(set, List.of(), RevisionOptions.PILLION);
        Step.Create second = (Step.Create) first.nameTaken(revision(first.wanted().name(), "{\"foreign\":true}", "x"));

        assertThat(second.collisionCount()).isEqualTo(1);
        assertThat(second.wanted().name()).isNotEqualTo(first.wanted().name())
                .isEqualTo("one-" + RevisionName.hash(second.wanted().data(), 1));
        assertThat(second.wanted().labels()).isEqualTo(first.wanted().labels());
    }

    @Test
    void aSetBeingDeletedGetsNoRevision() {
        SidecarSet set = set("\"containers\":[]", ",\"deletionTimestamp\":\"2026-01-02T03:04:05Z\"");
        assertThat(History.register(set, List.of(), RevisionOptions.PILLION)).isInstanceOf(Step.Terminating.class);
        assertThat(History.register(set, List.of(), RevisionOptions.REFERENCE)).isInstanceOf(Step.Create.class);
    }

    @Test
    void bookkeepingAnnotationsAreNotRecorded() {
        SidecarSet set = set("\"containers\":[]", ",\"annotations\":{\"" + Wire.LAST_APPLIED + "\":\"{}\",\"" + Wire.V1ALPHA1_STORE
                + "\":\"{}\",\"a\":\"b\"}");
        assertThat(((Step.Create) History.register(set, List.of(), RevisionOptions.PILLION)).wanted().annotations())
                .isEqualTo(Map.of("a", "b"));
        assertThat(((Step.Create) History.register(set, List.of(), RevisionOptions.REFERENCE)).wanted().annotations()).hasSize(3);
    }

    @Test
    void theCustomVersionIsPatchedOnTheLatestAndAnEmptiedOneStays() {
        SidecarSet set = set("\"customVersion\":\"v2\",\"containers\":[]", "");
        Revision existing = revision("one-x", RevisionData.of(set.raw().path("spec")), "u1");
        assertThat(((Step.Registered) History.register(set, List.of(existing), RevisionOptions.PILLION)).customVersion()).contains("v2");
        SidecarSet emptied = set("\"containers\":[]", "");
        assertThat(((Step.Registered) History.register(emptied, List.of(existing), RevisionOptions.PILLION)).customVersion()).isEmpty();
    }

    @Test
    void truncationSparesTheLastTheUsedAndThePinned() {
        List<Revision> history = new ArrayList<>();
        for (int i = 1; i <= 6; i++) {
            Map<String, String> labels = i == 3 || i == 4 ? Map.of(Wire.CUSTOM_VERSION_LABEL, "v1") : Map.of();
            history.add(new Revision("r" + i, "", "", i, "", labels, Map.of(), "", Optional.of("u1")));
        }
        SidecarSet set = set(
                "\"revisionHistoryLimit\":0,\"injectionStrategy\":{\"revision\":{\"revisionName\":\"r1\",\"customVersion\":\"v1\"}}",
                "");
        assertThat(History.truncate(set, history, Set.of("r2"))).extracting(Revision::name).containsExactly("r3", "r5");
        assertThat(History.truncate(set("\"revisionHistoryLimit\":5", ""), history, Set.of())).extracting(Revision::name)
                .containsExactly("r1");
        assertThat(History.truncate(set("\"containers\":[]", ""), history, Set.of())).isEmpty();
        assertThat(History.truncate(set, List.of(), Set.of())).isEmpty();
    }

    private static String image(Revision revision) {
        return Json.read(revision.data()).path("spec").path("containers").path(0).path("image").stringValue();
    }

    private static Revision numbered(Revision r, long number) {
        return new Revision(r.name(), "", "", number, "", r.labels(), r.annotations(), r.data(), r.ownerUid());
    }

    private static Revision revision(String name, String data, String ownerUid) {
        return new Revision(name, "", "", 1, "", Map.of(Wire.SET_NAME_LABEL, "one"), Map.of(), data, Optional.of(ownerUid));
    }

    private static SidecarSet set(String spec, String metadata) {
        return SidecarSet
                .of((ObjectNode) Json.read("{\"metadata\":{\"name\":\"one\",\"uid\":\"u1\"" + metadata + "},\"spec\":{" + spec + "}}"));
    }
}
