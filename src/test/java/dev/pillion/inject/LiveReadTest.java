package dev.pillion.inject;

import static dev.pillion.inject.Samples.pod;
import static dev.pillion.inject.Samples.refused;
import static dev.pillion.inject.Samples.set;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import dev.pillion.api.Revision;
import dev.pillion.api.SidecarSet;
import dev.pillion.inject.LiveAnswers.CustomVersion;
import dev.pillion.match.NamespaceView;
import dev.pillion.match.SetIndex;

/** What the index lacks is asked for first (trap 3), and the choice of a revision (injection.md 5). */
final class LiveReadTest {
    private static final InjectRequest REQUEST = InjectRequest.create("n", "", pod("{'containers':[{'name':'app'}]}"), Samples.MOMENT);
    private static final String BY_NAMESPACE = "'namespaceSelector':{'matchLabels':{'env':'prod'}},";
    private static final String PINNED = "{'injectionStrategy':{'revision':{'revisionName':'r1','policy':'%s'}},'containers':[{'name':'c','image':'new'}]%s}";

    private static Injection inject(LiveAnswers answers, SidecarSet... sets) {
        return Injector.inject(REQUEST.with(answers), SetIndex.of(List.of(sets), List.of()), InjectOptions.PILLION);
    }

    private static Needs needs(SidecarSet... sets) {
        return Injector.needs(REQUEST, SetIndex.of(List.of(sets), List.of()), InjectOptions.PILLION);
    }

    @Test
    void asksForANamespaceOnlyIfASetNeedsIt() {
        assertThat(needs(set("a", "{'containers':[{'name':'c'}]}"))).isEqualTo(Needs.NONE);
        assertThat(needs(set("a", "{" + BY_NAMESPACE + "'selector':{'matchLabels':{'app':'y'}}}"))).isEqualTo(Needs.NONE);
        assertThat(needs(set("a", "{" + BY_NAMESPACE + "'injectionStrategy':{'paused':true}}"))).isEqualTo(Needs.NONE);
        assertThat(needs(set("a", "{" + BY_NAMESPACE + "'containers':[{'name':'c'}]}")).namespaces()).containsExactly("n");
    }

    @Test
    void unreadNamespaceRefusesForTheMomentAndAMissingOneIsNoMatch() {
        SidecarSet set = set("a", "{" + BY_NAMESPACE + "'containers':[{'name':'c'}]}");
        assertThat(refused(inject(LiveAnswers.NONE, set)).code()).isEqualTo(503);
        assertThat(inject(namespace(Optional.empty()), set)).isInstanceOf(Injection.Skip.class);
        assertThat(inject(namespace(Optional.of(new NamespaceView("n", Map.of("env", "prod")))), set)).isInstanceOf(Injection.Patch.class);
        assertThat(inject(namespace(Optional.of(new NamespaceView("n", Map.of("env", "dev")))), set)).isInstanceOf(Injection.Skip.class);
    }

    private static LiveAnswers namespace(Optional<NamespaceView> namespace) {
        return new LiveAnswers(Map.of("n", namespace), Map.of(), Map.of());
    }

    private static LiveAnswers revision(Optional<Revision> revision) {
        return new LiveAnswers(Map.of(), Map.of("r1", revision), Map.of());
    }

    private static Revision revision(String name, long number) {
        return new Revision(name, "u", "1", number, "2024-01-01T00:00:00Z", Map.of(), Map.of(),
                "{\"spec\":{\"$patch\":\"replace\",\"containers\":[{\"name\":\"c\",\"image\":\"" + name + "\"}],\"volumes\":null}}",
                Optional.empty());
    }

    @Test
    void pinnedRevisionIsAskedForAndItsAbsenceRefuses() {
        SidecarSet set = set("a", PINNED.formatted("Always", ""));
        assertThat(needs(set)).isEqualTo(new Needs(Set.of(), Set.of("r1"), Set.of()));
        assertThat(refused(inject(LiveAnswers.NONE, set))).satisfies(r -> assertThat(r.code()).isEqualTo(503));
        assertThat(refused(inject(revision(Optional.empty()), set))).satisfies(r -> {
            assertThat(r.code()).isEqualTo(422);
            assertThat(r.message()).contains("SidecarSet a", "r1", "spec.injectionStrategy.revision");
        });
    }

    @Test
    void restoredContentNamesItsRevision() {
        String patch = inject(revision(Optional.of(revision("r1", 1))), set("a", PINNED.formatted("Always", ""))).toString();
        assertThat(patch).contains("\"image\":\"r1\"", "controllerRevision\\\":\\\"r1").doesNotContain("\"new\"");
    }

    @Test
    void customVersionTakesTheGreatest() {
        SidecarSet set = set("a", "{'injectionStrategy':{'revision':{'customVersion':'v1'}},'containers':[{'name':'c'}]}");
        CustomVersion wanted = new CustomVersion("a", "v1");
        assertThat(needs(set)).isEqualTo(new Needs(Set.of(), Set.of(), Set.of(wanted)));
        LiveAnswers answers = new LiveAnswers(Map.of(), Map.of(),
                Map.of(wanted, List.of(revision("x", 1), revision("z", 3), revision("y", 2))));
        assertThat(inject(answers, set).toString()).contains("\"image\":\"z\"");
        assertThat(refused(inject(new LiveAnswers(Map.of(), Map.of(), Map.of(wanted, List.of())), set)).reason())
                .isEqualTo("revision-not-found");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', value = {"Always | 0 | 0.9 | r1", "Odd | 0 | 0.9 | r1", "Partial | 3 | 0.0 | new",
            "Partial | '0%' | 0.0 | new",
            "Partial | '100%' | 0.999 | r1", "Partial | '50%' | 0.49 | r1", "Partial | '50%' | 0.51 | new", "Partial | '-5%' | 0.0 | new",
            "Partial | 'abc%' | 0.1 | partition-fault", "Partial | 'abc' | 0.1 | partition-fault", "Partial | '5' | 0.1 | partition-fault"})
    void choosesByPolicyAndPartition(String policy, String partition, double draw, String result) {
        SidecarSet set = set("a",
                PINNED.formatted(policy,
                        ",'updateStrategy':{'partition':" + (partition.matches("[0-9]") && !partition.equals("5")
                                ? partition
                                : "'" + partition + "'") + "}"));
        InjectRequest request = InjectRequest.create("n", "", REQUEST.pod(), new Moment(InjectCase.NOW, draw, "abcde"))
                .with(revision(Optional.of(revision("r1", 1))));
        assertThat(Injector.inject(request, SetIndex.of(List.of(set), List.of()), InjectOptions.PILLION).toString()).contains(result);
    }

    @Test
    void pausedAndNotSelectedPodsGetTheRevision() {
        LiveAnswers answers = revision(Optional.of(revision("r1", 1)));
        assertThat(inject(answers, set("a", PINNED.formatted("Partial", ",'updateStrategy':{'paused':true,'partition':3}"))).toString())
                .contains("\"image\":\"r1\"");
        String selected = ",'updateStrategy':{'partition':0,'selector':{'matchLabels':{'app':'%s'}}}";
        assertThat(inject(answers, set("a", PINNED.formatted("Partial", selected.formatted("y")))).toString()).contains("\"image\":\"r1\"");
        assertThat(inject(answers, set("a", PINNED.formatted("Partial", selected.formatted("x")))).toString())
                .contains("\"image\":\"new\"");
    }
}
