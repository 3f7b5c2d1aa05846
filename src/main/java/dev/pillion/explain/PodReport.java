package dev.pillion.explain;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

import dev.pillion.api.ByteOrder;
import dev.pillion.api.PodView;
import dev.pillion.api.SetKey;
import dev.pillion.api.SidecarSet;
import dev.pillion.explain.InjectionReport.Line;
import dev.pillion.explain.InjectionReport.Outcome;
import dev.pillion.inject.Injection;
import dev.pillion.inject.Reason;
import dev.pillion.match.CompiledSet;
import dev.pillion.match.ImageCompare;
import dev.pillion.match.NamespaceView;
import dev.pillion.match.PodState;
import dev.pillion.match.SetIndex;
import dev.pillion.rollout.WaitReason;

/** Why a Pod that exists has, or lacks, the sidecars of each set (FR-07). */
public final class PodReport {
    /**
     * What is known of the Pod.
     *
     * @param now what the webhook would say if it were created now, asked with Look.ALL_SETS
     * @param namespace empty: it is gone
     */
    public record Subject(PodView pod, Optional<NamespaceView> namespace, WebhookReach reach, Injection now) {
    }

    private PodReport() {
    }

    /** One line for each set of the index, and for each set that the Pod names and that is gone. */
    public static List<Line> of(SetIndex index, Subject subject) {
        PodView pod = subject.pod();
        String namespaceName = pod.key().namespace();
        InjectionReport now = InjectionReport.of(subject.now(), index,
                new InjectionReport.Subject(namespaceName, subject.namespace(), pod));
        Set<String> injected = new TreeSet<>(ByteOrder.UTF8);
        injected.addAll(pod.marks().injectedList());
        List<Line> lines = new ArrayList<>();
        Set<String> known = new HashSet<>();
        for (Line line : now.lines()) {
            SidecarSet set = index.set(new SetKey(line.set())).orElseThrow();
            known.add(set.name());
            lines.add(injected.contains(set.name()) ? injected(set, pod) : leftOut(set, line, subject));
        }
        injected.stream().filter(n -> !n.isEmpty() && !known.contains(n)).forEach(n -> lines.add(new Line(n, Outcome.INJECTED,
                Reason.INJECTED.word(), "the SidecarSet is gone; its containers stay until the Pod is re-created", List.of())));
        return lines;
    }

    private static Line injected(SidecarSet set, PodView pod) {
        List<String> present = new ArrayList<>();
        set.initContainers().forEach(c -> add(present, c.initPodNames(), pod.initContainers()));
        set.containers().forEach(c -> add(present, c.podNames(), pod.containers()));
        String revision = pod.marks().hash(set.name()).map(h -> h.controllerRevision()).filter(r -> !r.isEmpty())
                .map(r -> "revision " + r).orElse("no revision recorded");
        String containers = present.isEmpty() ? "" : ": " + String.join(", ", present);
        return new Line(set.name(), Outcome.INJECTED, Reason.INJECTED.word(), revision + containers, List.of());
    }

    private static void add(List<String> present, List<String> names, List<PodView.Container> containers) {
        names.stream().filter(n -> containers.stream().anyMatch(c -> c.name().equals(n))).forEach(present::add);
    }

    private static Line leftOut(SidecarSet set, Line now, Subject subject) {
        Reason reason = Reason.of(now.reason());
        if (reason == Reason.SELECTOR_MISMATCH || reason == Reason.NAMESPACE_MISMATCH) {
            return now;
        }
        Optional<Absence.Cause> certain = Absence.certain(set, subject.pod(), subject.reach());
        if (certain.isPresent()) {
            return line(set, certain.get());
        }
        return switch (now.outcome()) {
            case LEFT_OUT -> now;
            case REFUSED -> new Line(set.name(), Outcome.REFUSED, now.reason(), "if it were created now: " + now.sentence(),
                    now.notes());
            case INJECTED -> line(set, Absence.unreached(set, subject.pod(), subject.reach()));
        };
    }

    private static Line line(SidecarSet set, Absence.Cause cause) {
        return new Line(set.name(), Outcome.LEFT_OUT, cause.absence().word(), cause.sentence(), List.of());
    }

    /**
     * Why the roll-out of a set that injected the Pod does not count it among its Pods (rollout.md 2); empty when it does.
     *
     * @param namespace empty: it is gone
     */
    public static Optional<Line> outsideRollout(CompiledSet set, PodView pod, Optional<NamespaceView> namespace) {
        Map<String, String> labels = pod.labels();
        if (!pod.isActive()) {
            return Optional.of(outside(set, Reason.INACTIVE.word(), "the Pod has ended or is being deleted"));
        }
        if (!set.matchesLabels(labels)) {
            return Optional.of(outside(set, Reason.SELECTOR_MISMATCH.word(), InjectionReport.selector(set, labels)));
        }
        if (!set.matchesNamespace(namespace)) {
            return Optional.of(outside(set, Reason.NAMESPACE_MISMATCH.word(),
                    InjectionReport.namespace(set, pod.key().namespace(), namespace)));
        }
        return PodState.of(set.set(), ImageCompare.NORMALIZED).hasContainers(pod)
                ? Optional.empty()
                : Optional.of(outside(set, WaitReason.OTHER_CONTAINERS.word(), Waits.reason(WaitReason.OTHER_CONTAINERS)));
    }

    private static Line outside(CompiledSet set, String reason, String sentence) {
        return new Line(set.name(), Outcome.LEFT_OUT, reason, sentence, List.of());
    }
}
