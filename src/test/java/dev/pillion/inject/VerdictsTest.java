package dev.pillion.inject;

import static dev.pillion.inject.Samples.index;
import static dev.pillion.inject.Samples.inject;
import static dev.pillion.inject.Samples.pod;
import static dev.pillion.inject.Samples.refused;
import static dev.pillion.inject.Samples.set;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;

import org.junit.jupiter.api.Test;

import dev.pillion.inject.InjectOptions.Look;
import dev.pillion.inject.Injection.Verdict;

import tools.jackson.databind.node.ObjectNode;

/** What is said of each set, beside the patch. */
final class VerdictsTest {
    private static final InjectOptions ALL = InjectOptions.PILLION.looking(Look.ALL_SETS);
    private static final String APP = "{'containers':[{'name':'app','env':[{'name':'A','value':'1'}]}]}";

    @Test
    void theSetThatLeadsToARefusalIsNamed() {
        for (String spec : new String[]{"{'injectionStrategy':{'revision':{'revisionName':'gone'}},'containers':[{'name':'c'}]}",
                "{'containers':[{'name':'c','resourcesPolicy':{'targetContainersNameRegex':'none','resourcesExpr':{}}}]}",
                "{'patchPodMetadata':[{'patchPolicy':'MergePatchJson','annotations':{'k':'1'}}],'containers':[{'name':'c'}]}",
                "{'selector':{'matchExpressions':[{'key':'a','operator':'Near'}]},'containers':[{'name':'c'}]}"}) {
            ObjectNode pod = pod(APP);
            ((ObjectNode) pod.path("metadata")).putObject("annotations").put("k", "no json");
            Injection.Refuse refuse = refused(inject(pod, index(set("a", "{'containers':[{'name':'b'}]}"), set("bad", spec)), ALL));
            assertThat(refuse.verdicts()).as(spec).contains(new Verdict("bad", refuse.reason()));
        }
    }

    @Test
    void aSetOfTheSameContainerNameIsNamedWhenNamesRefuse() {
        InjectOptions options = ALL.with(InjectOptions.SameName.REFUSE, InjectOptions.Sort.AS_WRITTEN, InjectOptions.ReadinessGate.OFF,
                InjectOptions.LaunchPriority.OFF);

        Injection injection = inject(pod(APP), index(set("one", "{'containers':[{'name':'app'}]}")), options);

        assertThat(injection.verdicts()).containsExactly(new Verdict("one", "same-name"));
    }

    @Test
    void whatIsMissingComesBeforeWhatIsPaused() {
        Injection injection = inject(pod(APP),
                index(set("labels",
                        "{'selector':{'matchLabels':{'app':'y'}},'injectionStrategy':{'paused':true},'containers':[{'name':'c'}]}"),
                        set("bad",
                                "{'selector':{'matchExpressions':[{'key':'a','operator':'Near'}]},'injectionStrategy':{'paused':true}}")),
                ALL);

        assertThat(injection.verdicts()).containsExactlyInAnyOrder(new Verdict("labels", "selector-mismatch"),
                new Verdict("bad", "paused"));
    }

    @Test
    void whatWasPassedOverIsNotedForExplainingOnly() {
        String spec = """
                {'containers':[{'name':'c','volumeMounts':[{'name':'ghost','mountPath':'/g'}],
                  'transferEnv':[{'sourceContainerName':'app','envNames':['A','B']},
                                 {'sourceContainerNameFrom':{'fieldRef':{'fieldPath':'spec.nodeName'}},'envName':'A'}]}]}""";

        assertThat(inject(pod(APP), index(set("one", spec)), ALL).verdicts().getFirst().notes()).satisfiesExactly(
                n -> assertThat(n).contains("transferEnv of container c", "\"app\"", "env B"),
                n -> assertThat(n).contains("spec.nodeName"), n -> assertThat(n).contains("volume ghost"));
        assertThat(inject(pod(APP), index(set("one", spec))).verdicts().getFirst().notes()).isEmpty();
    }

    @Test
    void wordsAreLowerCaseAndUnique() {
        assertThat(Arrays.stream(Reason.values()).map(Reason::word)).doesNotHaveDuplicates().allMatch(w -> w.matches("[a-z]+(-[a-z]+)*"));
    }
}
