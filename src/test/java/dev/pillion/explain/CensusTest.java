package dev.pillion.explain;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

import org.junit.jupiter.api.Test;

import dev.pillion.api.Json;
import dev.pillion.api.PodView;
import dev.pillion.api.SidecarSet;
import dev.pillion.api.Wire;
import dev.pillion.match.NamespaceView;
import dev.pillion.match.SetIndex;
import dev.pillion.podmeta.PodViews;

import tools.jackson.databind.node.ObjectNode;

final class CensusTest {
    private static final String EARLY = "2026-01-01T00:00:00Z";
    private static final String MIDDLE = "2026-01-02T00:00:00Z";
    private static final String LATE = "2026-01-03T00:00:00Z";

    private static SidecarSet set(String name, String annotations, String spec) {
        return SidecarSet.of((ObjectNode) Json.read("""
                {"metadata":{"name":"%s","creationTimestamp":"%s","annotations":%s},
                 "spec":{"selector":{"matchLabels":{"app":"x"}},%s"containers":[{"name":"agent","image":"agent:1"}]}}""".formatted(name,
                MIDDLE, annotations, spec)));
    }

    private static SidecarSet set(String name) {
        return set(name, "{}", "");
    }

    private static PodView pod(String namespace, String app, String created, String injected, String phase) {
        return PodViews.of((ObjectNode) Json.read("""
                {"metadata":{"name":"p","namespace":"%s","uid":"u","resourceVersion":"1","creationTimestamp":"%s","labels":{"app":"%s"},
                  "annotations":{"kruise.io/sidecarset-injected-list":"%s"}},
                 "spec":{"containers":[{"name":"app","image":"app:1"}]},"status":{"phase":"%s"}}""".formatted(namespace, created, app,
                injected, phase)));
    }

    private static PodView pod(String created, String injected) {
        return pod("shop", "x", created, injected, "Running");
    }

    private static Census count(List<SidecarSet> sets, PodView... pods) {
        SetIndex index = SetIndex.of(sets, List.of(new NamespaceView("shop", Map.of()), new NamespaceView("own", Map.of()),
                new NamespaceView("kube-system", Map.of()), new NamespaceView("plane", Map.of("control-plane", ""))));
        return Census.of(List.of(pods), index, "own");
    }

    private static Map<String, Integer> some(Census census) {
        return census.byReason().entrySet().stream().filter(e -> e.getValue() > 0)
                .collect(Collectors.toMap(Map.Entry::getKey, Map.Entry::getValue));
    }

    @Test
    void countsAPodOnceForEachSetItLacks() {
        Census census = count(List.of(set("a"), set("b"), set("c")), pod(LATE, "a"), pod(LATE, "a,b,c"), pod(LATE, ""));

        assertThat(some(census)).isEqualTo(Map.of("webhook-not-reached", 5));
        assertThat(census.bySet()).isEqualTo(Map.of("a", 1, "b", 2, "c", 2));
        assertThat(census.byReason()).containsOnlyKeys(Census.REASONS);
    }

    @Test
    void otherPodsDoNotCount() {
        PodView other = pod("shop", "y", LATE, "", "Running");
        PodView finished = pod("shop", "x", LATE, "", "Succeeded");
        assertThat(some(count(List.of(set("a")), other, finished))).isEmpty();
        assertThat(some(count(List.of(), pod(LATE, "")))).isEmpty();
        String elsewhere = "\"namespaceSelector\":{\"matchLabels\":{\"kubernetes.io/metadata.name\":\"other\"}},";
        assertThat(some(count(List.of(set("a", "{}", elsewhere)), pod(LATE, "")))).isEmpty();
    }

    @Test
    void eachReasonHasItsWord() {
        assertThat(some(count(List.of(set("a")), pod(EARLY, "")))).isEqualTo(Map.of("older-than-set", 1));
        assertThat(some(count(List.of(set("a", "{}", "\"injectionStrategy\":{\"paused\":true},")), pod(EARLY, ""))))
                .isEqualTo(Map.of("paused", 1));
        List<PodView> excluded = new ArrayList<>();
        for (String namespace : List.of("kube-system", "own", "plane")) {
            excluded.add(pod(namespace, "x", LATE, "", "Running"));
        }
        assertThat(some(count(List.of(set("a")), excluded.toArray(PodView[]::new)))).isEqualTo(Map.of("namespace-excluded", 3));
    }

    @Test
    void aCanaryInTheSetsPlaceIsAReason() {
        SidecarSet canary = set("a-canary", "{\"apps.kruise.io/sidecarset-canary\":\"true\",\"" + Wire.BASE + "\":\"a\"}", "");
        assertThat(canary.canaryOf()).contains("a");

        assertThat(some(count(List.of(set("a"), canary), pod(LATE, "a-canary")))).isEqualTo(Map.of("hidden-by-canary", 1));
    }
}
