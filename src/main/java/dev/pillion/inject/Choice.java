package dev.pillion.inject;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

import dev.pillion.api.InjectionStrategy.Pin;
import dev.pillion.inject.Injection.Verdict;
import dev.pillion.match.CompiledSet;
import dev.pillion.match.NamespaceView;
import dev.pillion.match.SetIndex;

/**
 * Which sets a pod gets, and in which revision (injection.md 4, 5):
 * <ol>
 * <li>candidates from the index, those bound to the namespace first, each group by name;
 * <li>paused ones are left out;
 * <li>the Namespace must exist and match, then the pod's labels;
 * <li>the pinned revision or the latest content is chosen;
 * <li>sets whose canary is among the chosen ones are left out.
 * </ol>
 */
final class Choice {
    private final InjectRequest request;
    private final RawPod pod;
    private final SetIndex index;
    private final InjectOptions options;
    private final Revisions revisions;

    Choice(InjectRequest request, RawPod pod, SetIndex index, InjectOptions options) {
        this.request = request;
        this.pod = pod;
        this.index = index;
        this.options = options;
        this.revisions = new Revisions(request, pod, index, options);
    }

    /** What is not in the index although some set asks for it. */
    Needs needs() {
        Set<String> namespaces = new LinkedHashSet<>();
        Set<String> names = new LinkedHashSet<>();
        Set<LiveAnswers.CustomVersion> customVersions = new LinkedHashSet<>();
        for (CompiledSet set : index.candidates(pod.namespace(), pod.labels())) {
            if (set.set().injectionStrategy().paused() || !(set.matchesLabels(pod.labels()) || fault(set).isPresent())) {
                continue;
            }
            boolean unknown = set.namespaceSelector().isPresent() && isUnread();
            if (unknown) {
                namespaces.add(pod.namespace());
            } else if (!set.matchesNamespace(namespace())) {
                continue;
            }
            Optional<Pin> pin = set.set().injectionStrategy().pin();
            if (pin.isPresent() && revisions.isUnread(set, pin.get())) {
                pin.get().revisionName().ifPresentOrElse(names::add, () -> pin.get().customVersion()
                        .ifPresent(v -> customVersions.add(new LiveAnswers.CustomVersion(set.name(), v))));
            }
        }
        return new Needs(namespaces, names, customVersions);
    }

    /** The chosen contents in order. Adds a verdict for every set that is left out. */
    List<CompiledSet> choose(List<Verdict> verdicts) throws RefusedException {
        List<CompiledSet> matching = new ArrayList<>();
        for (CompiledSet set : candidates()) {
            try {
                Optional<Reason> mismatch = mismatch(set);
                if (mismatch.isPresent()) {
                    verdicts.add(new Verdict(set.name(), mismatch.get().word()));
                } else {
                    matching.add(revisions.content(set));
                }
            } catch (RefusedException e) {
                throw e.by(set.name());
            }
        }
        Set<String> bases = new HashSet<>();
        matching.forEach(set -> set.set().canaryOf().ifPresent(bases::add));
        List<CompiledSet> chosen = new ArrayList<>();
        for (CompiledSet set : matching) {
            if (bases.contains(set.name())) {
                verdicts.add(new Verdict(set.name(), Reason.HIDDEN_BY_CANARY.word()));
            } else {
                chosen.add(set);
            }
        }
        return chosen;
    }

    private List<CompiledSet> candidates() {
        return switch (options.look()) {
            case CANDIDATES -> index.candidates(pod.namespace(), pod.labels());
            case ALL_SETS -> index.all();
        };
    }

    /** Why the set does not take the pod; empty when it does. Of several reasons the one that the user would have to change first. */
    private Optional<Reason> mismatch(CompiledSet set) throws RefusedException {
        Optional<String> fault = fault(set);
        if (!set.isIndexedUnder(pod.namespace())) {
            return Optional.of(Reason.NAMESPACE_MISMATCH);
        }
        if (!set.matchesLabels(pod.labels()) && fault.isEmpty()) {
            return Optional.of(Reason.SELECTOR_MISMATCH);
        }
        // A paused set asks for nothing and refuses nothing, whatever its selectors are.
        boolean unread = set.namespaceSelector().isPresent() && isUnread();
        boolean paused = set.set().injectionStrategy().paused();
        if (unread && !paused && options.unknownNamespace() == InjectOptions.UnknownNamespace.READ_LIVE) {
            throw new RefusedException(503, Reason.NAMESPACE_UNREAD,
                    "Namespace " + pod.namespace() + " could not be read in time, and SidecarSet " + set.name()
                            + " selects by namespace; try again");
        }
        // Compatible: a namespace selector that cannot be read matches nothing, silently (injection.md 4.4).
        if (!(unread && paused) && !set.matchesNamespace(namespace())) {
            return Optional.of(Reason.NAMESPACE_MISMATCH);
        }
        if (paused) {
            return Optional.of(Reason.PAUSED);
        }
        if (fault.isPresent()) {
            throw RefusedException.of(Reason.SELECTOR_FAULT,
                    "SidecarSet " + set.name() + ": spec.selector." + fault.get() + "; correct the SidecarSet or pause its injection");
        }
        return Optional.empty();
    }

    private static Optional<String> fault(CompiledSet set) {
        return set.selector().flatMap(s -> s.fault());
    }

    private boolean isUnread() {
        return index.namespace(pod.namespace()).isEmpty() && !request.answers().namespaces().containsKey(pod.namespace());
    }

    private Optional<NamespaceView> namespace() {
        Optional<NamespaceView> known = index.namespace(pod.namespace());
        return known.isPresent() ? known : request.answers().namespaces().getOrDefault(pod.namespace(), Optional.empty());
    }
}
