package dev.pillion.cli;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import dev.pillion.api.Json;
import dev.pillion.api.SidecarSet;

import tools.jackson.databind.node.ObjectNode;

/** FR-19: what plan says each new Pod gets, counted as a quota counts. */
final class SidecarTotalsTest {
    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            both kinds add up     | 'containers':[{'name':'a','resources':{'requests':{'cpu':'50m'}}}],'initContainers':[{'name':'n','restartPolicy':'Always','resources':{'requests':{'cpu':'0.1','memory':'1Gi'}}}] | requests cpu 150m, memory 1Gi; no limits
            limits are requests   | 'containers':[{'name':'a','resources':{'limits':{'cpu':'1','example.com/gpu':'1'}}}] | requests cpu 1, example.com/gpu 1; limits cpu 1, example.com/gpu 1
            twins count twice     | 'containers':[{'name':'a','upgradeStrategy':{'upgradeType':'HotUpgrade'},'resources':{'requests':{'cpu':'50m'}}}] | requests cpu 100m; no limits
            init ones that end    | 'initContainers':[{'name':'i','resources':{'requests':{'cpu':'9'}}}] | no requests; no limits
            nothing set           | 'containers':[{'name':'a'},{'name':'b','resources':{'requests':{'cpu':'1'}}}] | requests cpu 1; no limits; nothing set by a
            computed from the pod | 'containers':[{'name':'a','resourcesPolicy':{'resourcesExpr':{'limits':{'cpu':'cpu'}}}}] | no requests; no limits; some are computed from the containers of each pod and come on top
            """)
    void addsUpWhatEachNewPodGets(String what, String spec, String text) {
        SidecarSet set = SidecarSet.of((ObjectNode) Json.read(("{'spec':{" + spec + "}}").replace('\'', '"')));

        assertThat(SidecarTotals.text(set)).as(what).isEqualTo(text);
    }
}
