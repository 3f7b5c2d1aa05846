package dev.pillion.explain;

import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

import dev.pillion.api.PodView;
import dev.pillion.inject.Injection;
import dev.pillion.inject.Injection.Verdict;
import dev.pillion.inject.Reason;
import dev.pillion.match.CompiledSet;
import dev.pillion.match.NamespaceView;
import dev.pillion.match.Selector;
import dev.pillion.match.SetIndex;

/**
 * Why each set was or was not injected into one Pod, one line each (FR-07). Never tells values of env.
 *
 * @param lines in the order of injection
 */
public record InjectionReport(List<Line> lines) {
    /** Reasons of a canary that takes its base's place although the Pod gets none of its containers. */
    private static final Set<Reason> HIDING = EnumSet.of(Reason.NOTHING_TO_INJECT, Reason.HIDDEN_BY_CANARY);

    /** What a set's reason comes to. */
    public enum Outcome {
        INJECTED, LEFT_OUT, REFUSED
    }

    /**
     * One set.
     *
     * @param reason a word of {@link Reason}
     * @param sentence without the name of the set
     */
    public record Line(String set, Outcome outcome, String reason, String sentence, List<String> notes) {
        public Line {
            notes = List.copyOf(notes);
        }
    }

    /**
     * What the report is about.
     *
     * @param namespace as far as it is known
     * @param result the Pod after injection; for anything but a patch the Pod itself
     */
    public record Subject(String namespaceName, Optional<NamespaceView> namespace, PodView result) {
    }

    public InjectionReport {
        lines = List.copyOf(lines);
    }

    /** Explains an answer that was made with Look.ALL_SETS: every set of the index gets a line. */
    public static InjectionReport of(Injection injection, SetIndex index, Subject subject) {
        Map<String, Verdict> verdicts = new HashMap<>();
        injection.verdicts().forEach(v -> verdicts.put(v.set(), v));
        List<Line> lines = new ArrayList<>();
        for (CompiledSet set : index.all()) {
            Verdict verdict = verdicts.getOrDefault(set.name(), new Verdict(set.name(), fallback(injection).word()));
            lines.add(line(set, verdict, injection, index, subject));
        }
        return new InjectionReport(lines);
    }

    /** For a set that was not come to. */
    private static Reason fallback(Injection injection) {
        return switch (injection) {
            case Injection.Refuse _ -> Reason.POD_REFUSED;
            case Injection.Skip skip -> Reason.of(skip.reason());
            case Injection.Patch _ -> Reason.INACTIVE;
        };
    }

    private static Line line(CompiledSet set, Verdict verdict, Injection injection, SetIndex index, Subject subject) {
        Reason reason = Reason.of(verdict.reason());
        String sentence = switch (reason) {
            case INJECTED -> "adds " + added(set, subject.result());
            case ALREADY_INJECTED -> "the Pod carries this version already";
            case NOTHING_TO_INJECT -> "the SidecarSet has no container";
            case SELECTOR_MISMATCH -> selector(set, subject.result().labels());
            case NAMESPACE_MISMATCH -> namespace(set, subject.namespaceName(), subject.namespace());
            case PAUSED -> "spec.injectionStrategy.paused is true";
            case HIDDEN_BY_CANARY -> canaries(set.name(), injection, index);
            case OTHER_OPERATION -> "only the creation of a Pod injects";
            case INACTIVE -> "the Pod has ended or is being deleted";
            case NO_MATCH -> "no SidecarSet takes the Pod";
            case POD_REFUSED -> "the Pod is refused" + culprit(injection);
            case UNDECODABLE, NAMESPACE_UNREAD, REVISION_UNREAD, REVISION_NOT_FOUND, REVISION_UNREADABLE, SELECTOR_FAULT, PARTITION_FAULT,
                    METADATA_PATCH, SAME_NAME, RESOURCES_POLICY, LAUNCH_PRIORITY, ANNOTATION_UNREADABLE ->
                injection instanceof Injection.Refuse refuse ? refuse.message() : reason.word();
        };
        return new Line(set.name(), outcome(reason), reason.word(), sentence, verdict.notes());
    }

    private static Outcome outcome(Reason reason) {
        return switch (reason) {
            case INJECTED, ALREADY_INJECTED -> Outcome.INJECTED;
            case NOTHING_TO_INJECT, SELECTOR_MISMATCH, NAMESPACE_MISMATCH, PAUSED, HIDDEN_BY_CANARY, OTHER_OPERATION, INACTIVE, NO_MATCH ->
                Outcome.LEFT_OUT;
            case POD_REFUSED, UNDECODABLE, NAMESPACE_UNREAD, REVISION_UNREAD, REVISION_NOT_FOUND, REVISION_UNREADABLE, SELECTOR_FAULT,
                    PARTITION_FAULT, METADATA_PATCH, SAME_NAME, RESOURCES_POLICY, LAUNCH_PRIORITY, ANNOTATION_UNREADABLE ->
                Outcome.REFUSED;
        };
    }

    private static String culprit(Injection injection) {
        String message = injection instanceof Injection.Refuse refuse ? ": " + refuse.message() : "";
        return injection.verdicts().stream()
                .filter(v -> outcome(Reason.of(v.reason())) == Outcome.REFUSED && !v.reason().equals(Reason.POD_REFUSED.word())).findFirst()
                .map(v -> " because of SidecarSet " + v.set()).orElse(message);
    }

    /** Containers by name; of an older revision those that are left are still named. */
    private static String added(CompiledSet set, PodView result) {
        List<String> parts = new ArrayList<>();
        parts.add(names("init container", set.initContainers().stream()
                .flatMap(c -> c.written().initPodNames().stream())
                .filter(n -> result.initContainers().stream().anyMatch(c -> c.name().equals(n))).toList()));
        parts.add(names("container", set.containers().stream().flatMap(c -> c.written().podNames().stream())
                .filter(n -> result.containers().stream().anyMatch(c -> c.name().equals(n))).toList()));
        String revision = result.marks().hash(set.name()).map(h -> h.controllerRevision()).orElse("");
        String from = revision.isEmpty() || revision.equals(set.set().status().latestRevision()) ? "" : " of revision " + revision;
        String what = parts.stream().filter(p -> !p.isEmpty()).collect(Collectors.joining(" and "));
        return (what.isEmpty() ? "its containers" : what) + from;
    }

    private static String names(String kind, List<String> names) {
        return names.isEmpty() ? "" : kind + (names.size() == 1 ? " " : "s ") + String.join(", ", names);
    }

    static String selector(CompiledSet set, Map<String, String> labels) {
        if (set.selector().isEmpty()) {
            return "spec.selector is empty, which selects no Pod";
        }
        return set.selector().get().unmet(labels).map(u -> "spec.selector wants " + u.wanted() + "; the Pod has " + found(u))
                .orElse("spec.selector does not match the Pod's labels");
    }

    private static String found(Selector.Unmet unmet) {
        return unmet.found().map(v -> unmet.key() + "=" + v).orElse("no label " + unmet.key());
    }

    static String namespace(CompiledSet set, String name, Optional<NamespaceView> view) {
        String wants = "spec.namespaceSelector wants ";
        if (!set.isIndexedUnder(name)) {
            return wants + "namespace " + String.join(" or ", set.namespaces().orElseThrow().stream().sorted().toList())
                    + "; the Pod is in " + name;
        }
        if (view.isEmpty()) {
            return "Namespace " + name + " does not exist, and the SidecarSet selects by namespace";
        }
        return set.namespaceSelector().flatMap(s -> s.fault()).map(f -> "spec.namespaceSelector." + f + ", so it matches no namespace")
                .or(() -> set.namespaceSelector().flatMap(s -> s.unmet(view.get().labels()))
                        .map(u -> wants + u.wanted() + "; namespace " + name + " has " + found(u)))
                .orElse("spec.namespaceSelector does not match namespace " + name);
    }

    private static String canaries(String base, Injection injection, SetIndex index) {
        // A refusal leaves the canary without a verdict, so the index tells of it.
        List<String> names = index.all().stream().filter(s -> s.set().canaryOf().filter(base::equals).isPresent()).map(CompiledSet::name)
                .filter(s -> !isLeftOut(s, injection)).sorted().toList();
        return names.size() == 1
                ? "its canary " + names.getFirst() + " takes its place"
                : "its canaries " + String.join(", ", names) + " take its place";
    }

    private static boolean isLeftOut(String set, Injection injection) {
        return injection.verdicts().stream().filter(v -> v.set().equals(set))
                .map(v -> Reason.of(v.reason())).anyMatch(r -> outcome(r) == Outcome.LEFT_OUT && !HIDING.contains(r));
    }
}
