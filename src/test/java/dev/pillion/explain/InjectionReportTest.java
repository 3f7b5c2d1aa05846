package dev.pillion.explain;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Optional;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import dev.pillion.api.Json;
import dev.pillion.api.SidecarSet;
import dev.pillion.explain.InjectionReport.Outcome;
import dev.pillion.inject.Injection;
import dev.pillion.inject.Injection.Verdict;
import dev.pillion.inject.Reason;
import dev.pillion.match.SetIndex;
import dev.pillion.podmeta.PodViews;

import tools.jackson.databind.node.ObjectNode;

final class InjectionReportTest {
    private static final InjectionReport.Subject SUBJECT = new InjectionReport.Subject("shop", Optional.empty(),
            PodViews.of(Json.read("{\"metadata\":{\"name\":\"p\"}}")));

    private static SetIndex index(String... names) {
        return SetIndex.of(List.of(names).stream().map(n -> SidecarSet.of((ObjectNode) Json
                .read("{\"metadata\":{\"name\":\"" + n + "\"},\"spec\":{\"containers\":[{\"name\":\"c\"}]}}"))).toList(), List.of());
    }

    @ParameterizedTest
    @EnumSource
    void everyWordHasASentence(Reason reason) {
        Injection injection = new Injection.Refuse(422, reason.word(), "the message", List.of(new Verdict("a", reason.word())));

        InjectionReport.Line line = InjectionReport.of(injection, index("a"), SUBJECT).lines().getFirst();

        assertThat(line.reason()).isEqualTo(reason.word());
        assertThat(line.sentence()).isNotBlank().isNotEqualTo(reason.word());
    }

    @Test
    void setsThatWereNotComeToTellOfTheOneThatRefused() {
        Injection injection = new Injection.Refuse(422, "same-name", "the message", List.of(new Verdict("b", "same-name")));

        List<InjectionReport.Line> lines = InjectionReport.of(injection, index("a", "b", "c"), SUBJECT).lines();

        assertThat(lines).extracting(InjectionReport.Line::outcome).containsOnly(Outcome.REFUSED);
        assertThat(lines).extracting(InjectionReport.Line::reason).containsExactly("pod-refused", "same-name", "pod-refused");
        assertThat(lines.getFirst().sentence()).contains("SidecarSet b");
        assertThat(lines.get(1).sentence()).isEqualTo("the message");
    }

    @Test
    void aRefusalThroughThePodAloneIsToldToEverySet() {
        Injection injection = new Injection.Refuse(422, "launch-priority", "the message",
                List.of(new Verdict("a", Reason.POD_REFUSED.word())));

        List<InjectionReport.Line> lines = InjectionReport.of(injection, index("a", "b"), SUBJECT).lines();

        assertThat(lines).extracting(InjectionReport.Line::sentence).containsOnly("the Pod is refused: the message");
    }

    @Test
    void aHiddenBaseNamesItsCanaryAlsoWhenAnotherSetRefusesThePod() {
        SidecarSet canary = SidecarSet.of((ObjectNode) Json.read("""
                {"metadata":{"name":"fresh","annotations":{"apps.kruise.io/sidecarset-canary":"true","apps.kruise.io/sidecarset-base":"a"}},
                 "spec":{"containers":[{"name":"c"}]}}"""));
        SetIndex sets = SetIndex.of(List.of(index("a").all().iterator().next().set(), canary), List.of());
        Injection injection = new Injection.Refuse(422, "same-name", "the message",
                List.of(new Verdict("a", Reason.HIDDEN_BY_CANARY.word())));

        List<InjectionReport.Line> lines = InjectionReport.of(injection, sets, SUBJECT).lines();

        assertThat(lines).filteredOn(l -> l.set().equals("a")).extracting(InjectionReport.Line::sentence)
                .containsExactly("its canary fresh takes its place");
    }
}
