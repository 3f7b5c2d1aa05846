package dev.pillion.explain;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import java.util.Optional;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import dev.pillion.api.Json;
import dev.pillion.api.PodView;
import dev.pillion.api.SidecarSet;
import dev.pillion.match.NamespaceView;
import dev.pillion.podmeta.PodViews;

import tools.jackson.databind.node.ObjectNode;

/** Whether a webhook is asked at all, and what is said when not. */
final class WebhookReachTest {
    private static final String RULE = "'rules':[{'operations':['CREATE'],'apiGroups':[''],'apiVersions':['v1'],'resources':['pods']}]";
    private static final String SERVICE = "'clientConfig':{'service':{'path':'/mutate-pod'}},'failurePolicy':'Fail'";

    private static ObjectNode json(String text) {
        return (ObjectNode) Json.read(text.replace('\'', '"'));
    }

    private static WebhookReach reach(String... webhooks) {
        List<ObjectNode> configurations = List.of(webhooks).stream().map(w -> json("{'metadata':{'name':'c'},'webhooks':[" + w + "]}"))
                .toList();
        return WebhookReach.of(configurations, Optional.of(new NamespaceView("n", Map.of("team", "a", "kubernetes.io/metadata.name", "n"))),
                Map.of("app", "web"));
    }

    @Test
    void podsOfEveryNamespaceAreSentWhenNothingExcludesThem() {
        assertThat(reach("{" + RULE + "," + SERVICE + "}")).isEqualTo(new WebhookReach.Sent("c", "Fail", 0));
        assertThat(
                reach("{" + RULE + ",'clientConfig':{'url':'https://h:1/mutate-pod'},'failurePolicy':'Ignore','matchConditions':[{},{}]}"))
                .isEqualTo(new WebhookReach.Sent("c", "Ignore", 2));
    }

    @ParameterizedTest
    @CsvSource(delimiter = ';', value = {
            "{'matchExpressions':[{'key':'kubernetes.io/metadata.name','operator':'NotIn','values':['n']}]};not in (n)",
            "{'matchLabels':{'inject':'yes'}};no label inject",
            "{'matchExpressions':[{'key':'team','operator':'DoesNotExist'}]};has team=a"})
    void excludedNamespacesAreToldWithTheTermThatExcludes(String selector, String told) {
        assertThat(reach("{" + RULE + "," + SERVICE + ",'namespaceSelector':" + selector + "}"))
                .isInstanceOfSatisfying(WebhookReach.NamespaceExcluded.class, e -> assertThat(e.sentence()).contains("c wants", told));
    }

    @Test
    void podsMayOptOutByTheObjectSelector() {
        String selector = ",'objectSelector':{'matchExpressions':[{'key':'app','operator':'NotIn','values':['web']}]}}";
        assertThat(reach("{" + RULE + "," + SERVICE + selector)).isInstanceOfSatisfying(WebhookReach.OptedOut.class,
                o -> assertThat(o.sentence()).contains("app not in (web)", "app=web"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"{'rules':[],'clientConfig':{'service':{'path':'/mutate-pod'}}}",
            "{'rules':[{'operations':['UPDATE'],'apiGroups':[''],'apiVersions':['v1'],'resources':['pods']}],'clientConfig':{'service':{'path':'/mutate-pod'}}}",
            "{'rules':[{'operations':['*'],'apiGroups':['*'],'apiVersions':['*'],'resources':['pods/status']}],'clientConfig':{'service':{'path':'/mutate-pod'}}}",
            "{'rules':[{'operations':['*'],'apiGroups':['*'],'apiVersions':['*'],'resources':['*']}],'clientConfig':{'service':{'path':'/inject'}}}",
            "{'rules':[{'operations':['*'],'apiGroups':['*'],'apiVersions':['*'],'resources':['*']}],'clientConfig':{'url':'not a url %'}}",
            "{}"})
    void otherWebhooksDoNotCount(String webhook) {
        assertThat(reach(webhook)).isEqualTo(new WebhookReach.Absent());
    }

    @Test
    void theBestOfSeveralCounts() {
        String excluded = "{" + RULE + "," + SERVICE + ",'namespaceSelector':{'matchLabels':{'x':'y'}}}";
        String open = "{" + RULE + "," + SERVICE + "}";
        assertThat(reach(excluded, open)).isInstanceOf(WebhookReach.Sent.class);
        assertThat(reach(excluded + "," + open)).isInstanceOf(WebhookReach.Sent.class);
        assertThat(reach()).isInstanceOf(WebhookReach.Absent.class);
    }

    @Test
    void causesAreToldApart() {
        SidecarSet set = SidecarSet.of(json("{'metadata':{'name':'s','creationTimestamp':'2026-03-01T12:00:00Z'},'spec':{}}"));
        PodView older = pod("2026-03-01T11:59:59Z");
        PodView same = pod("2026-03-01T12:00:00Z");
        WebhookReach sent = new WebhookReach.Sent("c", "Ignore", 0);

        assertThat(Absence.certain(set, older, sent)).get().extracting(c -> c.absence().word()).isEqualTo("older-than-set");
        assertThat(Absence.certain(set, older, new WebhookReach.Absent())).get().extracting(c -> c.absence().word())
                .isEqualTo("older-than-set");
        assertThat(Absence.certain(set, same, sent)).isEmpty();
        assertThat(Absence.certain(set, same, new WebhookReach.Absent())).get().extracting(c -> c.absence().word())
                .isEqualTo("webhook-not-reached");
        assertThat(Absence.certain(set, older, new WebhookReach.OptedOut("c", "x"))).get().extracting(c -> c.absence().word())
                .isEqualTo("opted-out");
        assertThat(Absence.certain(set, older, new WebhookReach.NamespaceExcluded("c", "x"))).get().extracting(c -> c.absence().word())
                .isEqualTo("namespace-excluded");
        assertThat(Absence.unreached(set, same, sent).sentence()).contains("same second", "failurePolicy is Ignore");
        assertThat(Absence.unreached(set, pod("2026-03-02T12:00:00Z"), new WebhookReach.Sent("c", "Fail", 1)).sentence())
                .contains("matchConditions").doesNotContain("same second");
        assertThat(Absence.unreached(set, pod("2026-03-02T12:00:00Z"), new WebhookReach.Sent("c", "Fail", 0)).sentence())
                .contains("not installed");
    }

    private static PodView pod(String created) {
        return PodViews.of(json("{'metadata':{'name':'p','namespace':'n','creationTimestamp':'" + created + "'}}"));
    }
}
