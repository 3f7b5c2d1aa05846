package dev.pillion.app;

import static dev.pillion.app.PodApi.json;
import static dev.pillion.app.PodApi.manifest;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashSet;
import java.util.List;
import java.util.Set;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.AfterParameterizedClassInvocation;
import org.junit.jupiter.params.BeforeParameterizedClassInvocation;
import org.junit.jupiter.params.Parameter;

import dev.pillion.api.Json;
import dev.pillion.it.Cluster;
import dev.pillion.it.Eventually;
import dev.pillion.it.OnEveryCluster;
import dev.pillion.it.RawHttp;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** Which version new Pods get, through the API server (injection.md 5; FR-47, FR-48). */
@OnEveryCluster
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class InjectRevisionIT {
    private static final String CONTENT = "'volumes':[{'name':'spool-%1$s','emptyDir':{}}],'containers':[{'name':'log','image':'log:%1$s',"
            + "'podInjectPolicy':'AfterAppContainer','volumeMounts':[{'name':'spool-%1$s','mountPath':'/spool'}]}]";

    @Parameter
    @SuppressWarnings("NullAway.Init") // set by JUnit
    private Cluster cluster;
    @SuppressWarnings("NullAway.Init") // set by start()
    private PodApi api;

    @BeforeParameterizedClassInvocation
    void start() throws Exception {
        api = PodApi.start(cluster);
    }

    @AfterParameterizedClassInvocation
    void stop() throws Exception {
        api.close();
    }

    /** A set of two versions, 1 and 2, that rolls nothing out; answers the name of the first revision. */
    private String twoVersions(String name) {
        api.set(name, "{'updateStrategy':{'type':'NotUpdate'},'customVersion':'one'," + CONTENT.formatted(1) + "}");
        String first = latest(name);
        api.change(name, "{'customVersion':'two'," + CONTENT.formatted(2) + "}");
        assertThat(latest(name)).isNotEqualTo(first);
        assertThat(version(name)).isEqualTo("log:2");
        return first;
    }

    private String latest(String name) {
        return api.sets().settled(name).at("/status/latestRevision").stringValue();
    }

    /** The image a new Pod gets; its volume and its bookkeeping must be of the same version. */
    private String version(String app) {
        return version(api.create(app, "{}"));
    }

    private static String version(ObjectNode pod) {
        String image = Json.text(PodApi.container(pod, "log"), "image");
        String number = image.substring(image.length() - 1);
        assertThat(PodApi.names(pod, "volumes")).containsExactly("spool-" + number);
        return image;
    }

    private void pin(String name, String revision, String strategy) {
        api.change(name, "{'injectionStrategy':{'revision':{'revisionName':null,'customVersion':null," + revision + "}},'updateStrategy':"
                + strategy + "}");
    }

    @Test
    void byName() {
        String first = twoVersions("by-name");

        pin("by-name", "'revisionName':'" + first + "','policy':'Always'", "{}");

        ObjectNode pod = api.create("by-name", "{}");
        assertThat(version(pod)).isEqualTo("log:1");
        JsonNode entry = Json.read(PodApi.annotation(pod, "kruise.io/sidecarset-hash")).path("by-name");
        JsonNode revision = api.http().get("/apis/apps/v1/namespaces/" + api.sets().ownNamespace() + "/controllerrevisions/" + first)
                .body();
        assertThat(Json.text(entry, "controllerRevision")).isEqualTo(first);
        assertThat(Json.text(entry, "hash")).isNotEmpty().isEqualTo(PodApi.annotation(revision, "kruise.io/sidecarset-hash"));
        pin("by-name", "'revisionName':'" + latest("by-name") + "'", "{}");
        assertThat(version("by-name")).isEqualTo("log:2");
        api.change("by-name", "{'injectionStrategy':null," + CONTENT.formatted(3) + "}");
        assertThat(version("by-name")).isEqualTo("log:3");
    }

    /** The label of the latest revision follows the set's custom version; the greatest revision of a version counts. */
    @Test
    void byCustomVersion() {
        twoVersions("by-version");

        pin("by-version", "'customVersion':'one'", "{}");
        assertThat(version("by-version")).isEqualTo("log:1");

        pin("by-version", "'customVersion':'two'", "{}");
        assertThat(version("by-version")).isEqualTo("log:2");

        api.change("by-version", CONTENT.formatted(3).transform(content -> "{" + content + "}"));
        Eventually.until("version two is the third revision", () -> version("by-version"), "log:3"::equals);
    }

    @Test
    void alwaysWhateverTheRollout() {
        String first = twoVersions("always");
        for (String strategy : List.of("{'partition':'0%'}", "{'partition':0,'selector':{'matchLabels':{'ring':'x'}}}",
                "{'paused':true}")) {
            pin("always", "'revisionName':'" + first + "','policy':'Always'", strategy);
            assertThat(version("always")).as(strategy).isEqualTo("log:1");
        }
    }

    @Test
    void partlyByPercentage() {
        String first = twoVersions("percent");
        pin("percent", "'revisionName':'" + first + "','policy':'Partial'", "{'partition':'0%'}");
        assertThat(versions("percent")).containsExactly("log:2");

        pin("percent", "'revisionName':'" + first + "','policy':'Partial'", "{'partition':'100%'}");
        assertThat(versions("percent")).containsExactly("log:1");

        pin("percent", "'revisionName':'" + first + "','policy':'Partial'", "{'partition':'50%'}");
        Eventually.until("both versions are drawn", () -> versions("percent"), drawn -> drawn.equals(Set.of("log:1", "log:2")));

        pin("percent", "'revisionName':'" + first + "','policy':'Partial'", "{'partition':'0%','paused':true}");
        assertThat(versions("percent")).as("a paused roll-out gives the revision").containsExactly("log:1");
    }

    private Set<String> versions(String app) {
        Set<String> versions = new HashSet<>();
        for (int i = 0; i < 12; i++) {
            versions.add(version(app));
        }
        return versions;
    }

    /** FR-47: an integer means always new, and the write says so. */
    @Test
    void anIntegerPartitionIsAlwaysNewAndWarned() {
        String first = twoVersions("integer");

        RawHttp.Answer answer = api.http().merge(SetApi.path(SetApi.BETA, "integer"), json("{'spec':{'injectionStrategy':{'revision':{"
                + "'revisionName':'" + first + "','policy':'Partial'}},'updateStrategy':{'partition':5}}}").toString());

        assertThat(answer.code()).as(answer.message()).isEqualTo(200);
        assertThat(answer.warnings()).anyMatch(w -> w.contains("spec.updateStrategy.partition") && w.contains("percentage"));
        api.sets().settled("integer");
        assertThat(versions("integer")).containsExactly("log:2");
    }

    @Test
    void partlyBySelector() {
        String first = twoVersions("selected");

        pin("selected", "'revisionName':'" + first + "','policy':'Partial'", "{'partition':0,'selector':{'matchLabels':{'ring':'new'}}}");

        assertThat(version(ring("new"))).isEqualTo("log:2");
        assertThat(version(ring("old"))).isEqualTo("log:1");
        assertThat(version("selected")).isEqualTo("log:1");
    }

    private ObjectNode ring(String ring) {
        ObjectNode pod = manifest("selected", "{}");
        pod.withObject("/metadata/labels").put("ring", ring);
        return api.create(pod);
    }

    /** Trap 4, FR-47: the way is closed, with a text and an event; a revision that is there again opens it. */
    @Test
    void aRevisionThatIsGone() {
        String first = twoVersions("gone");
        pin("gone", "'revisionName':'" + first + "'", "{}");
        String path = "/apis/apps/v1/namespaces/" + api.sets().ownNamespace() + "/controllerrevisions";
        ObjectNode revision = (ObjectNode) api.http().get(path + "/" + first).body();
        assertThat(version("gone")).isEqualTo("log:1");

        assertThat(api.http().delete(path + "/" + first).code()).isEqualTo(200);

        RawHttp.Answer refused = Eventually.until("Pods are refused", () -> api.submit(manifest("gone", "{}")), a -> a.code() != 201);
        assertThat(refused.code()).isEqualTo(422);
        assertThat(refused.message()).contains("SidecarSet gone", first, "does not exist", "spec.injectionStrategy.revision");
        Eventually.until("an event tells", () -> api.http().get("/apis/events.k8s.io/v1/namespaces/default/events").body().path("items"),
                items -> items.valueStream().anyMatch(e -> Json.text(e, "reason").equals("InjectionRefused")
                        && Json.text(e.path("regarding"), "name").equals("gone") && Json.text(e, "note").contains(first)));
        assertThat(PodApi.containers(api.create("nobody", "{}"))).as("others go on").containsExactly("app");

        revision.withObject("/metadata").retain("name", "namespace", "labels", "annotations");
        assertThat(api.http().post(path, revision.toString()).code()).isEqualTo(201);
        Eventually.until("Pods get the revision again", () -> api.submit(manifest("gone", "{}")).code(), code -> code == 201);
    }
}
