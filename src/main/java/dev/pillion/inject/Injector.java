package dev.pillion.inject;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

import dev.pillion.api.Json;
import dev.pillion.api.Wire;
import dev.pillion.inject.Injection.Verdict;
import dev.pillion.match.CompiledSet;
import dev.pillion.match.SetIndex;

/** The whole pod webhook (injection.md 3-9); one function for webhook, command line and tests. */
public final class Injector {
    private Injector() {
    }

    /**
     * What the caller should read live and hand over in the request before it asks for the patch. Nothing needed, also when the request
     * will be refused or skipped anyway.
     */
    public static Needs needs(InjectRequest request, SetIndex index, InjectOptions options) {
        if (!isPodCreate(request)) {
            return Needs.NONE;
        }
        try {
            RawPod pod = RawPod.of(request);
            return pod.isActive() ? new Choice(request, pod, index, options).needs() : Needs.NONE;
        } catch (RefusedException e) {
            return Needs.NONE;
        }
    }

    /**
     * Answers one request:
     * <ol>
     * <li>requests that create no pod are left alone, objects that cannot be decoded are refused;
     * <li>readiness gate (neighbours.md 2.1);
     * <li>sidecars of the chosen sets (injection.md 4-9), unless the pod has ended or is being deleted;
     * <li>launch priority on the final list of containers (neighbours.md 1.2);
     * <li>no operation left over: nothing to patch.
     * </ol>
     */
    public static Injection inject(InjectRequest request, SetIndex index, InjectOptions options) {
        List<Verdict> verdicts = new ArrayList<>();
        try {
            return answer(request, index, options, verdicts);
        } catch (RefusedException e) {
            verdicts.replaceAll(v -> v.reason().equals(Reason.INJECTED.word()) || v.reason().equals(Reason.ALREADY_INJECTED.word())
                    ? new Verdict(v.set(), Reason.POD_REFUSED.word())
                    : v);
            e.set().ifPresent(set -> {
                verdicts.removeIf(v -> v.set().equals(set));
                verdicts.add(new Verdict(set, e.reason()));
            });
            return new Injection.Refuse(e.code(), e.reason(), e.text(), List.copyOf(verdicts));
        }
    }

    private static Injection answer(InjectRequest request, SetIndex index, InjectOptions options, List<Verdict> verdicts)
            throws RefusedException {
        if (!isPodCreate(request) && options.otherRequests() == InjectOptions.OtherRequests.SKIP) {
            return new Injection.Skip(Reason.OTHER_OPERATION.word(), verdicts);
        }
        RawPod pod = RawPod.of(request);
        PatchDraft draft = new PatchDraft(pod);
        if (request.operation().equals("CREATE") && ReadinessGate.isMissing(pod, options.readinessGate())) {
            draft.append("readinessGates", List.of(Json.object().put("conditionType", Wire.READY_GATE)));
        }
        if (!isPodCreate(request)) {
            return asReference(request, pod, draft);
        }
        Reason skip = Reason.INACTIVE;
        Sidecars sidecars;
        if (pod.isActive()) {
            List<CompiledSet> chosen = new Choice(request, pod, index, options).choose(verdicts);
            skip = chosen.isEmpty() ? Reason.NO_MATCH : Reason.ALREADY_INJECTED;
            sidecars = Sidecars.of(pod, chosen, request.moment(), options, verdicts);
        } else {
            sidecars = Sidecars.none(pod);
        }
        List<Slot> containers = sidecars.containers();
        List<String> warnings = new ArrayList<>(sidecars.warnings());
        Optional<LaunchPriority.Barriers> barriers = options.launchPriority() == InjectOptions.LaunchPriority.ON
                ? LaunchPriority.of(pod, sidecars.annotations(), containers, request.moment().nameSuffix(), warnings)
                : Optional.empty();
        barriers.flatMap(LaunchPriority.Barriers::madeName).ifPresent(draft::setName);
        draft.annotations(sidecars.annotations(), sidecars.ready());
        draft.containers("initContainers", sidecars.initContainers(), Optional.empty(), options.repeat());
        draft.containers("containers", containers, barriers, options.repeat());
        draft.append("volumes", sidecars.volumes());
        draft.remove("imagePullSecrets", sidecars.repeatedSecrets());
        draft.append("imagePullSecrets", sidecars.secrets());
        if (draft.ops().isEmpty()) {
            Reason reason = sidecars.isEmpty() && skip == Reason.ALREADY_INJECTED ? Reason.NOTHING_TO_INJECT : skip;
            return new Injection.Skip(reason.word(), List.copyOf(warnings), List.copyOf(verdicts));
        }
        return new Injection.Patch(List.copyOf(draft.ops()), List.copyOf(warnings), List.copyOf(verdicts));
    }

    private static boolean isPodCreate(InjectRequest request) {
        return request.operation().equals("CREATE") && request.subResource().isEmpty();
    }

    /** Other requests as the reference answers them (injection.md 10). */
    private static Injection asReference(InjectRequest request, RawPod pod, PatchDraft draft) throws RefusedException {
        if (request.operation().equals("UPDATE") && request.subResource().isEmpty() && pod.isActive() && !request.hasOldObject()) {
            throw new RefusedException(400, Reason.UNDECODABLE, "the update of Pod " + pod.describe() + " carries no old object");
        }
        return draft.ops().isEmpty()
                ? new Injection.Skip(Reason.OTHER_OPERATION.word(), List.of())
                : new Injection.Patch(List.copyOf(draft.ops()), List.of(), List.of());
    }
}
