package dev.pillion.cli;

import java.io.PrintWriter;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;

import dev.pillion.api.PodView;
import dev.pillion.explain.PodReport;
import dev.pillion.explain.WebhookReach;
import dev.pillion.inject.InjectOptions;
import dev.pillion.inject.InjectRequest;
import dev.pillion.inject.Injection;
import dev.pillion.inject.Injector;
import dev.pillion.inject.LiveAnswers;
import dev.pillion.inject.Moment;
import dev.pillion.kube.ClusterReads;
import dev.pillion.match.NamespaceView;
import dev.pillion.match.SetIndex;
import dev.pillion.podmeta.PodViews;

import tools.jackson.databind.node.ObjectNode;

/**
 * One Pod of a cluster with all that its explanation needs.
 *
 * @param raw the Pod as it is stored
 */
record PodQuestion(ObjectNode raw, PodView pod, SetIndex index, PodReport.Subject subject) {

    static PodQuestion of(ObjectNode raw, ClusterReads reads, CommandSettings settings, Moment moment, PrintWriter err) {
        PodView pod = PodViews.of(raw);
        SetIndex index = SetIndex.of(new SetIndex.Content(reads.sets(), reads.namespaces(), reads.revisions(), Optional.empty()));
        Optional<NamespaceView> namespace = index.namespace(pod.key().namespace());
        WebhookReach reach = reach(Gentle.read("webhook configurations", () -> Optional.of(reads.mutatingWebhookConfigurations()),
                Optional.<List<ObjectNode>>empty(), err), namespace, pod.labels());
        Injection now = now(raw, pod, index, settings.inject(), moment);
        return new PodQuestion(raw, pod, index, new PodReport.Subject(pod, namespace, reach, now));
    }

    /** Configurations that may not be read are taken to send every Pod. */
    static WebhookReach reach(Optional<List<ObjectNode>> configurations, Optional<NamespaceView> namespace, Map<String, String> labels) {
        return configurations.map(c -> WebhookReach.of(c, namespace, labels)).orElse(new WebhookReach.Sent("(unknown)", "(unknown)", 0));
    }

    /** What the webhook would say if the Pod were created as it is now; what the index lacks does not exist. */
    private static Injection now(ObjectNode raw, PodView pod, SetIndex index, InjectOptions options, Moment moment) {
        ObjectNode fresh = raw.deepCopy();
        fresh.remove("status");
        fresh.withObjectProperty("metadata").remove("deletionTimestamp");
        InjectOptions looking = options.looking(InjectOptions.Look.ALL_SETS);
        InjectRequest request = InjectRequest.create(pod.key().namespace(), pod.key().name(), fresh, moment);
        LiveAnswers answers = NothingElse.answers(Injector.needs(request, index, looking), _ -> Optional.empty());
        return Injector.inject(request.with(answers), index, looking);
    }

    /** The line above the tables. */
    String title(Instant now) {
        String state = raw.path("metadata").has("deletionTimestamp") ? "being deleted" : pod.phase().isEmpty() ? "no phase" : pod.phase();
        return "Pod " + pod.key() + ": " + state + (pod.isReady() ? ", ready" : ", not ready") + ", " + Ages.of(pod.created(), now)
                + " old";
    }
}
