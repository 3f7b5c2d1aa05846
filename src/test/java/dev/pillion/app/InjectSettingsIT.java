package dev.pillion.app;

import static dev.pillion.app.PodApi.container;
import static dev.pillion.app.PodApi.containers;
import static dev.pillion.app.PodApi.manifest;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.AfterParameterizedClassInvocation;
import org.junit.jupiter.params.BeforeParameterizedClassInvocation;
import org.junit.jupiter.params.Parameter;

import dev.pillion.api.Json;
import dev.pillion.it.Cluster;
import dev.pillion.it.OnEveryCluster;
import dev.pillion.it.RawHttp;

import tools.jackson.databind.node.ObjectNode;

/** A controller with injection.same-name: refuse and injection.sort-by-name: true. */
@OnEveryCluster
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class InjectSettingsIT {
    private static final String MARKED = "'env':[{'name':'IS_INJECTED','value':'true'}]";

    @Parameter
    @SuppressWarnings("NullAway.Init") // set by JUnit
    private Cluster cluster;
    @SuppressWarnings("NullAway.Init") // set by start()
    private PodApi api;

    @BeforeParameterizedClassInvocation
    void start() throws Exception {
        api = PodApi.start(cluster, "--injection.same-name=refuse", "--injection.sort-by-name=true");
    }

    @AfterParameterizedClassInvocation
    void stop() throws Exception {
        api.close();
    }

    /** FR-01: containers, init containers and both twins; only what injection put there before may be replaced. */
    @Test
    void aContainerOfTheSameNameIsRefused() {
        api.set("strict", """
                {'updateStrategy':{'type':'NotUpdate'},'containers':[{'name':'log','image':'log:2'},
                  {'name':'mesh','image':'mesh:2','upgradeStrategy':{'upgradeType':'HotUpgrade','hotUpgradeEmptyImage':'empty'}}],
                 'initContainers':[{'name':'first','image':'first:2'}]}""");
        for (String taken : List.of("log", "mesh-1", "mesh-2")) {
            refused("{'containers':[{'name':'app','image':'i'},{'name':'" + taken + "','image':'mine'}]}", taken);
            refused("{'containers':[{'name':'app','image':'i'},{'name':'" + taken
                    + "','image':'mine','env':[{'name':'IS_INJECTED','value':'false'}]}]}", taken);
        }
        refused("{'initContainers':[{'name':'first','image':'mine'}]}", "first");

        ObjectNode marked = api.create("strict", "{'initContainers':[{'name':'first','image':'first:1'," + MARKED + "}],'containers':["
                + "{'name':'log','image':'log:1'," + MARKED + "},{'name':'app','image':'i'},{'name':'mesh','image':'mine'}]}");
        assertThat(containers(marked)).containsExactly("mesh-1", "mesh-2", "log", "app", "mesh");
        assertThat(Json.text(container(marked, "log"), "image")).isEqualTo("log:2");
        assertThat(Json.text(container(marked, "first"), "image")).isEqualTo("first:2");
    }

    private void refused(String spec, String container) {
        RawHttp.Answer answer = api.submit(manifest("strict", spec));
        assertThat(answer.code()).as(answer.message()).isEqualTo(422);
        assertThat(answer.message()).contains("\"" + container + "\"", "SidecarSet strict", api.namespace() + "/strict-",
                "injection.same-name");
    }

    /** Gate EnableSortSidecarContainerByName: by name over all sets, each group for itself; the app's own order stays. */
    @Test
    void containersAreSortedByName() {
        for (String set : List.of("sorted-a", "sorted-b")) {
            String n = set.substring(7);
            api.set(set, """
                    {'selector':{'matchLabels':{'app':'sorted'}},'updateStrategy':{'type':'NotUpdate'},'containers':[
                      {'name':'z%1$s','image':'i','podInjectPolicy':'AfterAppContainer'},{'name':'y%1$s','image':'i'},
                      {'name':'x%1$s','image':'i','podInjectPolicy':'AfterAppContainer'},{'name':'w%1$s','image':'i'}]}""".formatted(n));
        }

        ObjectNode pod = api.create("sorted", "{'containers':[{'name':'web','image':'i'},{'name':'app','image':'i'}]}");

        assertThat(containers(pod)).containsExactly("wa", "wb", "ya", "yb", "web", "app", "xa", "xb", "za", "zb");
    }
}
