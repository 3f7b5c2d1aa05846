package dev.pillion.check;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;

import org.junit.jupiter.api.Test;

import dev.pillion.api.Json;
import dev.pillion.api.PodKey;
import dev.pillion.api.Revision;
import dev.pillion.check.CheckOptions.Certificates;
import dev.pillion.check.CheckOptions.Served;

import tools.jackson.databind.node.ObjectNode;

/** What Pods, SidecarSets and objects of other kinds tell, in a cluster where all else is well. */
final class ContentsTest {
    private static final String SECRET = "t0p-s3cret";

    private final CleanCluster cluster = new CleanCluster();

    @Test
    void plainAndEndedPodsSayNothing() {
        assertThat(PodFacts.of(raw("a", "{}", "{}", "{}"))).isEmpty();
        assertThat(PodFacts.of(raw("a", annotation("kruise.io/sidecarset-injected-list", "gone"), "{}", "{\"phase\":\"Succeeded\"}")))
                .isEmpty();
    }

    @Test
    void podsOfSetsThatAreGoneAreTold() {
        set("logs", "{}");
        pod("a", annotation("kruise.io/sidecarset-injected-list", "gone,logs"), "{}", "{}");
        pod("b", annotation("kruise.io/sidecarset-hash", "{\"gone\":{\"hash\":\"h\",\"sidecarSetName\":\"gone\",\"sidecarList\":[]}}"),
                "{}", "{}");

        Finding finding = only(Rule.SET_GONE);

        assertThat(finding.objects()).containsExactly("shop/a", "shop/b");
        assertThat(finding.what()).contains("SidecarSet gone");
    }

    @Test
    void formsOfAnnotationsAreTold() {
        set("logs", "{}");
        pod("old", annotation("kruise.io/sidecarset-hash", "{\"logs\":\"abc\"}"), "{}", "{}");
        pod("new", annotation("kruise.io/sidecarset-hash", "{\"logs\":{\"hash\":\"h\",\"sidecarSetName\":\"logs\",\"sidecarList\":[]}}"),
                "{}", "{}");
        assertThat(only(Rule.HASH_OLD_FORM).objects()).containsExactly("shop/old");

        cluster.pods.clear();
        pod("damaged", annotation("kruise.io/sidecarset-hash-without-image", "{\"logs\""), "{}", "{}");
        pod("mixed", annotation("kruise.io/sidecarset-hash-without-image", "{\"logs\":1}"), "{}", "{}");
        assertThat(only(Rule.HASH_UNREADABLE).objects()).containsExactly("shop/damaged", "shop/mixed");

        cluster.pods.clear();
        pod("state", annotation("kruise.io/sidecarset-inplace-update-state", "nothing"), "{}", "{}");
        assertThat(only(Rule.STATE_UNREADABLE).objects()).containsExactly("shop/state");
    }

    @Test
    void podsThatWaitForTheirGateAreTold() {
        String gates = "{\"readinessGates\":[{\"conditionType\":\"KruisePodReady\"}]}";
        pod("unset", "{}", gates, "{}");
        assertThat(only(Rule.GATE_WAITING).objects()).containsExactly("shop/unset");

        cluster.options = options(Served.NO, Served.YES);
        assertThat(only(Rule.GATE_UNSERVED).wayOut()).contains("injection.readiness-gate");

        cluster.options = options(Served.YES, Served.YES);
        cluster.pods.clear();
        String young = raw("young", "{}", gates, "{}").toString().replace("2026-11-30T11:00:00Z", "2026-11-30T11:59:30Z");
        cluster.pod(young);
        assertThat(cluster.findings()).isEmpty();

        cluster.pods.clear();
        pod("held", "{}", gates, """
                {"conditions":[{"type":"KruisePodReady","status":"False",
                 "message":"[{\\"userAgent\\":\\"Lifecycle\\",\\"key\\":\\"preUpdateHook\\"}]"}]}""");
        assertThat(PodFacts.of(raw("open", "{}", gates,
                "{\"conditions\":[{\"type\":\"KruisePodReady\",\"status\":\"True\",\"message\":\"[]\"}]}"))).isEmpty();
        assertThat(only(Rule.GATE_HELD).what()).contains("Lifecycle \"preUpdateHook\"");
        assertThat(only(Rule.GATE_HELD).objects()).containsExactly("shop/held");

        cluster.pods.clear();
        pod("odd", "{}", gates, "{\"conditions\":[{\"type\":\"KruisePodReady\",\"status\":\"\",\"message\":\"no json\"}]}");
        assertThat(only(Rule.GATE_HELD).what()).contains("nobody by name");
    }

    @Test
    void launchBarriersAreTold() {
        String spec = "{\"containers\":[{\"name\":\"app\",\"env\":[{\"name\":\"KRUISE_CONTAINER_BARRIER\",\"valueFrom\":"
                + "{\"configMapKeyRef\":{\"name\":\"p-barrier\",\"key\":\"p_0\"}}}]}]}";
        pod("open", "{}", spec, "{}");
        cluster.barriers.put(new PodKey("shop", "open"), Known.seen(true));
        assertThat(only(Rule.BARRIER_OPEN).objects()).containsExactly("shop/open");

        cluster.options = options(Served.YES, Served.NO);
        assertThat(only(Rule.BARRIER_UNSERVED).what()).contains("injection.launch-priority is off");

        cluster.options = options(Served.YES, Served.YES);
        cluster.pods.clear();
        pod("done", annotation("apps.kruise.io/container-launch-priority-completed", "true"), spec, "{}");
        assertThat(cluster.findings()).isEmpty();
        cluster.barriers.put(new PodKey("shop", "done"), Known.seen(false));
        assertThat(only(Rule.BARRIER_MISSING).objects()).containsExactly("shop/done");
    }

    @Test
    void neighboursOfOpenKruiseAreToldWithoutValues() {
        String env = "{\"containers\":[{\"name\":\"app\",\"env\":[{\"name\":\"KRUISE_TERMINATE_SIDECAR_WHEN_JOB_EXIT\",\"value\":\""
                + SECRET
                + "\"},{\"name\":\"OTHER\",\"value\":\"" + SECRET + "\"}]}]}";
        pod("job", "{}", env, "{}");
        set("logs", env);
        assertThat(cluster.findings()).extracting(Finding::rule).containsExactly(Rule.TERMINATOR, Rule.TERMINATOR);
        assertThat(cluster.findings()).extracting(Finding::kind).containsExactly("Pod", "SidecarSet");
        assertThat(cluster.findings().toString()).contains("KRUISE_TERMINATE_SIDECAR_WHEN_JOB_EXIT").doesNotContain(SECRET)
                .doesNotContain("OTHER");

        cluster.pods.clear();
        cluster.sets.clear();
        pod("live", annotation("apps.kruise.io/using-enhanced-liveness", "true"), "{}", "{}");
        assertThat(only(Rule.ENHANCED_LIVENESS).wayOut()).contains("keep their probes");
    }

    @Test
    void pinsOfRevisionsThatAreGoneAreTold() {
        set("logs", "{\"injectionStrategy\":{\"revision\":{\"revisionName\":\"logs-1\"}}}");
        cluster.revisions.add(revision("logs-1", "other", "v1"));
        assertThat(only(Rule.REVISION_MISSING).what()).contains("revision logs-1");

        cluster.revisions.add(revision("logs-1", "logs", "v1"));
        assertThat(cluster.findings()).isEmpty();

        cluster.sets.clear();
        set("logs", "{\"injectionStrategy\":{\"revision\":{\"customVersion\":\"v2\"}}}");
        assertThat(only(Rule.REVISION_MISSING).what()).contains("custom version v2");

        cluster.revisions.add(revision("logs-2", "logs", "v2"));
        assertThat(cluster.findings()).isEmpty();
    }

    @Test
    void setsThatDoNotRollAreTold() {
        set("mesh",
                "{\"initContainers\":[{\"name\":\"proxy\",\"restartPolicy\":\"Always\"}],\"updateStrategy\":{\"type\":\"RollingUpdate\"}}");
        assertThat(only(Rule.NATIVE_ROLLING).what()).contains("(proxy)");

        cluster.sets.clear();
        set("mesh", "{\"initContainers\":[{\"name\":\"proxy\",\"restartPolicy\":\"Always\"}],\"updateStrategy\":{\"type\":\"NotUpdate\"}}");
        assertThat(cluster.findings()).isEmpty();

        cluster.set("{\"metadata\":{\"name\":\"fresh\",\"generation\":2},\"spec\":{},\"status\":{\"observedGeneration\":1}}");
        assertThat(only(Rule.SET_NOT_OBSERVED).objects()).containsExactly("fresh");
    }

    @Test
    void otherKindsAreToldWhenThereAreObjects() {
        cluster.others.put(OtherKind.WORKLOAD_SPREAD, Known.seen(List.of("shop/spread")));
        cluster.others.put(OtherKind.CLONE_SET, Known.seen(List.of("shop/c1", "shop/c2")));
        cluster.others.put(OtherKind.DAEMON_SET, Known.seen(List.of()));

        assertThat(cluster.findings()).extracting(Finding::rule).containsExactly(Rule.NEEDS_POD_WEBHOOK, Rule.NEEDS_MANAGER);
        assertThat(cluster.findings()).extracting(Finding::kind).containsExactly("WorkloadSpread.apps.kruise.io",
                "CloneSet.apps.kruise.io");
        assertThat(cluster.findings().getLast().objects()).containsExactly("shop/c1", "shop/c2");
    }

    private Finding only(Rule rule) {
        List<Finding> findings = cluster.findings();
        assertThat(findings).as(findings.toString()).extracting(Finding::rule).containsExactly(rule);
        return findings.getFirst();
    }

    private static CheckOptions options(Served gate, Served launch) {
        return new CheckOptions(CleanCluster.NOW, "kruise-system", Duration.ofSeconds(8), Certificates.OWN, gate, launch);
    }

    private void set(String name, String spec) {
        cluster.set(
                "{\"metadata\":{\"name\":\"" + name + "\",\"generation\":1},\"spec\":" + spec + ",\"status\":{\"observedGeneration\":1}}");
    }

    private void pod(String name, String annotations, String spec, String status) {
        cluster.pod(raw(name, annotations, spec, status).toString());
    }

    private static ObjectNode raw(String name, String annotations, String spec, String status) {
        return (ObjectNode) Json
                .read("""
                        {"metadata":{"namespace":"shop","name":"%s","creationTimestamp":"2026-11-30T11:00:00Z","annotations":%s},"spec":%s,"status":%s}"""
                        .formatted(name, annotations, spec, status));
    }

    private static String annotation(String key, String value) {
        return Json.write(Json.object().put(key, value));
    }

    private static Revision revision(String name, String set, String customVersion) {
        return new Revision(name, "u", "1", 1, "",
                Map.of("kruise.io/sidecarset-name", set, "apps.kruise.io/sidecarset-custom-version", customVersion),
                Map.of(), "{}", Optional.empty());
    }
}
