package dev.pillion.inject;

import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

import dev.pillion.api.InjectionStrategy.Pin;
import dev.pillion.api.IntOrString;
import dev.pillion.api.Revision;
import dev.pillion.api.UpdateStrategy;
import dev.pillion.match.CompiledSet;
import dev.pillion.match.Selector;
import dev.pillion.match.SetIndex;
import dev.pillion.podmeta.HashAnnotation.Entry;
import dev.pillion.revision.RestoredSet;

/** Latest content or the pinned revision (injection.md 5), and the content a revision restores (api.md 4.3). */
final class Revisions {
    private static final Pattern PERCENTAGE = Pattern.compile("([+-]?(?:[0-9]+\\.?[0-9]*|\\.[0-9]+)(?:[eE][+-]?[0-9]+)?)%");

    private final InjectRequest request;
    private final RawPod pod;
    private final SetIndex index;
    private final InjectOptions options;

    Revisions(InjectRequest request, RawPod pod, SetIndex index, InjectOptions options) {
        this.request = request;
        this.pod = pod;
        this.index = index;
        this.options = options;
    }

    /** The content to inject. A pin that leads nowhere refuses the pod, whatever the policy (trap 4). */
    CompiledSet content(CompiledSet set) throws RefusedException {
        Optional<Pin> pin = set.set().injectionStrategy().pin()
                .filter(p -> p.revisionName().isPresent() || p.customVersion().isPresent());
        if (pin.isEmpty()) {
            return set;
        }
        Revision revision = find(set, pin.get());
        if (!takesRevision(set, pin.get(), revision)) {
            return set;
        }
        Optional<CompiledSet> known = index.restorations().find(set, revision);
        if (known.isPresent()) {
            return known.get();
        }
        CompiledSet content = restored(set, revision);
        index.restorations().keep(set, revision, content);
        return content;
    }

    boolean isUnread(CompiledSet set, Pin pin) {
        if (pin.revisionName().isPresent()) {
            String name = pin.revisionName().get();
            return index.revision(name).isEmpty() && !request.answers().revisions().containsKey(name);
        }
        return pin.customVersion().filter(v -> index.revision(set.name(), v).isEmpty()
                && !request.answers().customVersions().containsKey(new LiveAnswers.CustomVersion(set.name(), v))).isPresent();
    }

    private Revision find(CompiledSet set, Pin pin) throws RefusedException {
        String wanted = pin.revisionName().map(n -> "ControllerRevision " + n)
                .orElseGet(() -> "a ControllerRevision with custom version " + pin.customVersion().orElse(""));
        if (isUnread(set, pin)) {
            throw new RefusedException(503, Reason.REVISION_UNREAD,
                    "SidecarSet " + set.name() + " pins " + wanted + ", which could not be read in time; try again");
        }
        Optional<Revision> found = pin.revisionName().isPresent()
                ? named(pin.revisionName().get())
                : customVersion(set.name(), pin.customVersion().orElse(""));
        return found.orElseThrow(() -> RefusedException.of(Reason.REVISION_NOT_FOUND, "SidecarSet " + set.name() + " pins " + wanted
                + ", which does not exist; correct or remove spec.injectionStrategy.revision"));
    }

    private Optional<Revision> named(String name) {
        Optional<Revision> known = index.revision(name);
        return known.isPresent() ? known : request.answers().revisions().getOrDefault(name, Optional.empty());
    }

    private Optional<Revision> customVersion(String setName, String version) {
        Optional<Revision> known = index.revision(setName, version);
        return known.isPresent()
                ? known
                : request.answers().customVersions().getOrDefault(new LiveAnswers.CustomVersion(setName, version), List.of()).stream()
                        .max(SetIndex.REVISION_ORDER);
    }

    private boolean takesRevision(CompiledSet set, Pin pin, Revision revision) throws RefusedException {
        UpdateStrategy strategy = set.set().updateStrategy();
        if (strategy.paused() || !pin.policy().equals("Partial")) {
            return true;
        }
        Optional<Selector> selector = set.rollout();
        if (selector.isPresent()) {
            Optional<String> fault = selector.get().fault();
            if (fault.isPresent()) {
                throw RefusedException.of(Reason.SELECTOR_FAULT,
                        "SidecarSet " + set.name() + ": spec.updateStrategy.selector." + fault.get());
            }
            if (!selector.get().matches(pod.labels())) {
                return true;
            }
        }
        return switch (strategy.partition().orElse(new IntOrString.Int(0))) {
            case IntOrString.Int _ -> false;
            case IntOrString.Text(String text) -> isDrawn(set, text, revision);
        };
    }

    /** What was drawn for the pod in an earlier call stays drawn, as long as chance decides at all (FR-20). */
    private boolean isDrawn(CompiledSet set, String partition, Revision revision) throws RefusedException {
        var form = PERCENTAGE.matcher(partition);
        if (!form.matches()) {
            throw RefusedException.of(Reason.PARTITION_FAULT,
                    "SidecarSet " + set.name() + ": spec.updateStrategy.partition \"" + partition + "\" is no percentage such as 25%");
        }
        double share = Double.parseDouble(form.group(1)) / 100;
        double draw = request.moment().draw();
        if (options.repeat() == InjectOptions.Repeat.KEEP && share > 0 && share < 1) {
            Optional<Entry> before = Bookkeeping.of(pod, pod.annotations()).entry(set.name());
            if (before.isPresent() && before.get().controllerRevision().equals(revision.name())) {
                return true;
            }
            if (before.isPresent() && before.get().hash().equals(set.set().hash())
                    && before.get().controllerRevision().equals(set.set().status().latestRevision())) {
                return false;
            }
        }
        return switch (options.zeroPercent()) {
            case MAY_PICK_REVISION -> draw <= share;
            case NEVER_PICKS_REVISION -> draw < share;
        };
    }

    /** Metadata and status of the set as it is now, and of the spec only what the revision holds. */
    private static CompiledSet restored(CompiledSet current, Revision revision) throws RefusedException {
        return CompiledSet.of(RestoredSet.of(current.set(), revision).orElseThrow(() -> RefusedException.of(Reason.REVISION_UNREADABLE,
                "SidecarSet " + current.name() + " pins ControllerRevision " + revision.name() + ", whose data cannot be read;"
                        + " correct or remove spec.injectionStrategy.revision")));
    }
}
