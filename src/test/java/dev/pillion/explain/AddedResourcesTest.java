package dev.pillion.explain;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import dev.pillion.api.Json;

import tools.jackson.databind.JsonNode;

final class AddedResourcesTest {
    private static final String APP = "{'name':'app','resources':{'requests':{'cpu':'100m','memory':'64Mi'},'limits':{'cpu':'1'}}}";
    private static final String SETUP = "{'name':'setup','resources':{'requests':{'cpu':'100m'}}}";

    private static JsonNode pod(String init, String containers) {
        return Json.read("{\"spec\":{\"initContainers\":[" + init.replace('\'', '"') + "],\"containers\":[" + containers.replace('\'', '"')
                + "]}}");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            a sidecar           |                                                                  | ,{'name':'log','resources':{'requests':{'cpu':'50m','memory':'32Mi'},'limits':{'memory':'0.5Gi'}}} | requests cpu 50m, memory 32Mi; limits memory 512Mi
            limits are requests |                                                                  | ,{'name':'log','resources':{'limits':{'cpu':'0.5','memory':'1Gi'},'requests':{'cpu':'20m'}}}       | requests cpu 20m, memory 1Gi; limits cpu 500m, memory 1Gi
            nothing set         |                                                                  | ,{'name':'log'},{'name':'mesh','resources':{}}                                                   | no requests; no limits; nothing set by log, mesh
            a native sidecar    | ,{'name':'n','restartPolicy':'Always','resources':{'requests':{'cpu':'1'}}} |                                                                                         | requests cpu 1; no limits
            before an init one  | ,{'name':'n','restartPolicy':'Always','resources':{'requests':{'cpu':'100m'}}},{'name':'i','resources':{'requests':{'cpu':'300m'}}} |                                 | requests cpu 300m; no limits
            a smaller init one  | ,{'name':'i','resources':{'requests':{'cpu':'50m'}}}                   |                                                                                              | no requests; no limits
            a greater init one  | ,{'name':'i','resources':{'requests':{'cpu':'800m'}}}                  |                                                                                              | requests cpu 700m; no limits
            other resources     |                                                                  | ,{'name':'log','resources':{'limits':{'example.com/gpu':1,'odd':'x'}}}                             | requests example.com/gpu 1; limits example.com/gpu 1
            """)
    void tellsWhatAQuotaCountsMore(String what, String init, String containers, String sentence) {
        String moreInit = init == null ? "" : init;
        String more = containers == null ? "" : containers;

        AddedResources added = AddedResources.between(pod(SETUP, APP), pod(SETUP + moreInit, APP + more));

        assertThat(added.sentence()).as(what).isEqualTo(sentence);
    }
}
