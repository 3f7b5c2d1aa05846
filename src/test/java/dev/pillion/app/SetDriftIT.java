package dev.pillion.app;

import static dev.pillion.app.SetApi.ALPHA;
import static dev.pillion.app.SetApi.BETA;
import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.AfterParameterizedClassInvocation;
import org.junit.jupiter.params.BeforeParameterizedClassInvocation;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import dev.pillion.api.Json;
import dev.pillion.it.Cluster;
import dev.pillion.it.Kubectl;
import dev.pillion.it.OnEveryCluster;
import dev.pillion.it.RawHttp;

import tools.jackson.databind.JsonNode;

/** FR-52: what somebody wrote comes back as written, so that GitOps tools see no drift and several managers can work on one set. */
@OnEveryCluster
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class SetDriftIT {
    /** Every member of the container that the webhook would add is there. */
    private static final String COMPLETE = """
            apiVersion: apps.kruise.io/%1$s
            kind: SidecarSet
            metadata:
              name: %2$s
              labels: {team: a}
            spec:
              selector:
                matchLabels: {app: %2$s}
            %3$s
              containers:
              - name: log
                image: registry.example/log:1
                imagePullPolicy: IfNotPresent
                podInjectPolicy: BeforeAppContainer
                resources: {}
                shareVolumePolicy: {type: disabled}
                upgradeStrategy: {upgradeType: ColdUpgrade}
                terminationMessagePath: /dev/termination-log
                terminationMessagePolicy: File
            """;
    private static final String SHOP_SELECTOR = "{\"matchLabels\":{\"kubernetes.io/metadata.name\":\"shop\"}}";

    @Parameter
    @SuppressWarnings("NullAway.Init") // set by JUnit
    private Cluster cluster;
    @SuppressWarnings("NullAway.Init") // set by start()
    private SetApi api;

    @BeforeParameterizedClassInvocation
    void start() throws InterruptedException {
        api = SetApi.start(cluster);
    }

    @AfterParameterizedClassInvocation
    void stop() throws Exception {
        api.close();
    }

    @Test
    void aNamespaceComesBackAsWritten() {
        create("namespaced", "\"namespace\":\"shop\"", "{}");

        assertThat(api.spec(ALPHA, "namespaced").path("namespace").asString()).isEqualTo("shop");
        assertThat(api.spec(ALPHA, "namespaced").has("namespaceSelector")).isFalse();
        assertThat(api.spec(BETA, "namespaced").has("namespace")).isFalse();
        assertThat(api.spec(BETA, "namespaced").path("namespaceSelector")).isEqualTo(Json.read(SHOP_SELECTOR));
        assertThat(api.read(ALPHA, "namespaced").at("/metadata/annotations").has("pillion.dev/v1alpha1")).isFalse();
    }

    @Test
    void aNamespaceBesideASelectorComesBackWithIt() {
        create("both", "\"namespace\":\"shop\",\"namespaceSelector\":{\"matchLabels\":{\"team\":\"x\"}}", "{}");

        assertThat(api.spec(ALPHA, "both").path("namespace").asString()).isEqualTo("shop");
        assertThat(api.spec(ALPHA, "both").path("namespaceSelector")).isEqualTo(Json.read("{\"matchLabels\":{\"team\":\"x\"}}"));
        assertThat(api.spec(BETA, "both").path("namespaceSelector")).isEqualTo(Json.read(SHOP_SELECTOR));
    }

    @Test
    void aCustomVersionComesBackAsTheLabelAlsoWhenEmpty() {
        create("empty-version", "\"revisionHistoryLimit\":5", "{\"apps.kruise.io/sidecarset-custom-version\":\"\",\"a\":\"b\"}");
        create("version", "\"revisionHistoryLimit\":5", "{\"apps.kruise.io/sidecarset-custom-version\":\"v1\"}");

        assertThat(api.read(ALPHA, "empty-version").at("/metadata/labels"))
                .isEqualTo(Json.read("{\"apps.kruise.io/sidecarset-custom-version\":\"\",\"a\":\"b\"}"));
        assertThat(api.read(BETA, "empty-version").at("/metadata/labels")).isEqualTo(Json.read("{\"a\":\"b\"}"));
        assertThat(api.spec(BETA, "empty-version").has("customVersion")).isFalse();
        assertThat(api.read(ALPHA, "version").at("/metadata/labels/apps.kruise.io~1sidecarset-custom-version").asString()).isEqualTo("v1");
        assertThat(api.spec(BETA, "version").path("customVersion").asString()).isEqualTo("v1");
    }

    @Test
    void aWriteThroughTheOtherVersionKeepsTheNamespace() {
        create("touched", "\"namespace\":\"shop\"", "{}");

        merge(BETA, "touched", "{\"spec\":{\"revisionHistoryLimit\":4}}");

        assertThat(api.spec(ALPHA, "touched").path("namespace").asString()).isEqualTo("shop");
        assertThat(api.spec(ALPHA, "touched").path("revisionHistoryLimit").intValue()).isEqualTo(4);
    }

    @Test
    void aNamespaceSelectorChangedThroughTheOtherVersionWins() {
        create("moved", "\"namespace\":\"shop\"", "{}");

        merge(BETA, "moved", "{\"spec\":{\"namespaceSelector\":{\"matchLabels\":{\"kubernetes.io/metadata.name\":null,\"team\":\"y\"}}}}");

        assertThat(api.spec(ALPHA, "moved").has("namespace")).isFalse();
        assertThat(api.spec(ALPHA, "moved").path("namespaceSelector")).isEqualTo(Json.read("{\"matchLabels\":{\"team\":\"y\"}}"));
        merge(ALPHA, "moved", "{\"spec\":{\"namespace\":\"bakery\"}}");
        assertThat(api.spec(ALPHA, "moved").path("namespace").asString()).isEqualTo("bakery");
        assertThat(api.spec(BETA, "moved").at("/namespaceSelector/matchLabels/kubernetes.io~1metadata.name").asString())
                .isEqualTo("bakery");
    }

    @ParameterizedTest
    @ValueSource(strings = {ALPHA, BETA})
    void theSameManifestTwiceIsUnchangedAndHasNoDiff(String version) {
        String name = "twice-" + version;
        String manifest = complete(version, name);
        assertThat(api.apply(manifest).ok()).contains("created");
        assertNoDiff(manifest);

        assertThat(api.apply(manifest).ok()).contains("unchanged");

        assertNoDiff(manifest);
        Kubectl.Answer changed = api.kubectl().with(manifest.replace("log:1", "log:2"), "diff", "-f", "-");
        assertThat(changed.code()).as("a real difference is shown").isEqualTo(1);
        assertThat(changed.out()).contains("-  - image: registry.example/log:1", "+  - image: registry.example/log:2");
    }

    /** The defaults are not written out: kubectl says "configured", a dry run shows that nothing changes. */
    @ParameterizedTest
    @ValueSource(strings = {ALPHA, BETA})
    void aShortManifestHasNoDiffEither(String version) {
        String name = "short-" + version;
        String manifest = complete(version, name).lines().filter(l -> !l.matches(".*(Policy|resources|Strategy|Message).*"))
                .reduce("", (a, b) -> a + b + "\n");
        api.apply(manifest).ok();

        assertNoDiff(manifest);
    }

    @ParameterizedTest
    @ValueSource(strings = {ALPHA, BETA})
    void twoManagersOwnDifferentFieldsOfOneSet(String version) {
        String name = "shared-" + version;
        String first = complete(version, name);
        String second = head(version, name)
                + "  labels: {cost: low}\nspec:\n  updateStrategy: {maxUnavailable: 3}\n  revisionHistoryLimit: 7\n";
        api.apply(first, "--server-side", "--field-manager=one").ok();
        api.apply(second, "--server-side", "--field-manager=two").ok();
        JsonNode before = api.settled(name);

        api.apply(first, "--server-side", "--field-manager=one").ok();
        api.apply(second, "--server-side", "--field-manager=two").ok();

        assertThat(api.settled(name)).as("nothing more to write").isEqualTo(before);
        JsonNode set = api.read(version, name);
        assertThat(set.at("/metadata/labels")).isEqualTo(Json.read("{\"team\":\"a\",\"cost\":\"low\"}"));
        assertThat(set.at("/spec/updateStrategy/maxUnavailable").intValue()).isEqualTo(3);
        assertThat(set.at("/spec/revisionHistoryLimit").intValue()).isEqualTo(7);
        assertThat(set.at("/spec/containers/0/image").asString()).isEqualTo("registry.example/log:1");
        assertThat(set.at("/spec/selector/matchLabels/app").asString()).isEqualTo(name);
    }

    @ParameterizedTest
    @ValueSource(strings = {ALPHA, BETA})
    void aConflictNamesTheOtherManagerAndTheField(String version) {
        String name = "contested-" + version;
        api.apply(complete(version, name), "--server-side", "--field-manager=one").ok();
        String body = head(version, name) + "spec:\n  containers:\n  - {name: log, image: \"registry.example/log:2\"}\n";

        RawHttp.Answer refused = api.http().apply(SetApi.path(version, name), "two", body);

        assertThat(refused.code()).isEqualTo(409);
        assertThat(refused.causes())
                .containsExactly("FieldManagerConflict .spec.containers[name=\"log\"].image: conflict with \"one\"");
        assertThat(api.spec(version, name).at("/containers/0/image").asString()).isEqualTo("registry.example/log:1");
        Kubectl.Answer kubectl = api.apply(body, "--server-side", "--field-manager=two");
        assertThat(kubectl.code()).isEqualTo(1);
        assertThat(kubectl.err()).contains("conflict with \"one\"", ".spec.containers[name=\"log\"].image");
    }

    /** Each manager in the version it likes. */
    @Test
    void managersOfBothVersionsShareASet() {
        api.apply(complete(ALPHA, "mixed"), "--server-side", "--field-manager=one").ok();

        api.apply(head(BETA, "mixed") + "spec:\n  updateStrategy: {paused: true}\n", "--server-side", "--field-manager=two").ok();
        api.apply(complete(ALPHA, "mixed").replace("log:1", "log:2"), "--server-side", "--field-manager=one").ok();

        JsonNode spec = api.spec(ALPHA, "mixed");
        assertThat(spec.path("namespace").asString()).isEqualTo("shop");
        assertThat(spec.at("/updateStrategy/paused").booleanValue()).isTrue();
        assertThat(spec.at("/containers/0/image").asString()).isEqualTo("registry.example/log:2");
        RawHttp.Answer taken = api.http().apply(SetApi.path(BETA, "mixed"), "two",
                head(BETA, "mixed") + "spec:\n  containers:\n  - {name: log, image: \"registry.example/log:3\"}\n");
        assertThat(taken.code()).isEqualTo(409);
        assertThat(taken.message()).isEqualTo("Apply failed with 1 conflict: conflict with \"one\": .spec.containers[name=\"log\"].image");
    }

    private void assertNoDiff(String manifest) {
        Kubectl.Answer diff = api.kubectl().with(manifest, "diff", "-f", "-");
        assertThat(diff.out()).isEmpty();
        assertThat(diff.code()).as(diff.err()).isZero();
    }

    private void create(String name, String member, String labels) {
        api.create(ALPHA, """
                {"apiVersion":"apps.kruise.io/v1alpha1","kind":"SidecarSet","metadata":{"name":"%s","labels":%s},
                 "spec":{"selector":{"matchLabels":{"app":"%s"}},%s,"containers":[{"name":"log","image":"registry.example/log:1"}]}}"""
                .formatted(name, labels, name, member));
    }

    private void merge(String version, String name, String patch) {
        RawHttp.Answer answer = api.http().merge(SetApi.path(version, name), patch);
        assertThat(answer.code()).as(answer.message()).isEqualTo(200);
    }

    private static String complete(String version, String name) {
        return COMPLETE.formatted(version, name,
                version.equals(ALPHA) ? "  namespace: shop" : "  namespaceSelector:\n    matchLabels: {kubernetes.io/metadata.name: shop}");
    }

    private static String head(String version, String name) {
        return "apiVersion: apps.kruise.io/" + version + "\nkind: SidecarSet\nmetadata:\n  name: " + name + "\n";
    }
}
