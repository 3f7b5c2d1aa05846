package dev.pillion.cli;

import java.util.List;
import java.util.Map;
import java.util.Optional;

import io.fabric8.zjsonpatch.JsonPatch;

import dev.pillion.api.PatchOp;
import dev.pillion.api.Wire;
import dev.pillion.explain.InjectionReport;
import dev.pillion.inject.InjectOptions;
import dev.pillion.inject.InjectRequest;
import dev.pillion.inject.Injection;
import dev.pillion.inject.Injector;
import dev.pillion.inject.LiveAnswers;
import dev.pillion.inject.Moment;
import dev.pillion.inject.Needs;
import dev.pillion.match.NamespaceView;
import dev.pillion.match.SetIndex;
import dev.pillion.podmeta.PodViews;

import tools.jackson.databind.node.ObjectNode;

/**
 * What the webhook would answer to one Pod, and the Pod that comes of it.
 *
 * @param pod after the patch; as it was when there is none
 * @param assumed Namespaces that were asked for and are in no file: taken to have only the label with their name
 */
record PodInjection(PodSource source, Injection injection, ObjectNode pod, InjectionReport report, List<String> assumed) {

    /** Where a Pod goes that names no namespace, and when. */
    record Request(String namespace, Moment moment) {
    }

    /** Asks the webhook's own function. What the index lacks does not exist, Namespaces excepted. */
    static PodInjection of(PodSource source, SetIndex index, InjectOptions options, Request asked) {
        InjectOptions looking = options.looking(InjectOptions.Look.ALL_SETS);
        InjectRequest request = InjectRequest.create(asked.namespace(), "", source.submitted(), asked.moment());
        Needs needs = Injector.needs(request, index, looking);
        LiveAnswers answers = NothingElse.answers(needs,
                n -> Optional.of(new NamespaceView(n, Map.of(Wire.NAMESPACE_NAME_LABEL, n))));
        Injection injection = Injector.inject(request.with(answers), index, looking);
        ObjectNode pod = injection instanceof Injection.Patch patch
                ? (ObjectNode) JsonPatch.apply(PatchOp.toJson(patch.ops()), source.pod().deepCopy())
                : source.pod();
        String namespace = source.namespace(asked.namespace());
        Optional<NamespaceView> view = index.namespace(namespace)
                .or(() -> answers.namespaces().getOrDefault(namespace, Optional.empty()));
        InjectionReport report = InjectionReport.of(injection, index,
                new InjectionReport.Subject(namespace, view, PodViews.of(pod)));
        return new PodInjection(source, injection, pod, report, List.copyOf(needs.namespaces()));
    }
}
