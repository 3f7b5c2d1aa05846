package dev.pillion.cli;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

import dev.pillion.api.InjectionStrategy.Pin;
import dev.pillion.api.Revision;
import dev.pillion.api.SidecarSet;
import dev.pillion.api.Wire;
import dev.pillion.match.SetIndex;
import dev.pillion.revision.RestoredSet;
import dev.pillion.validate.AlphaWarnings;
import dev.pillion.validate.Fault;
import dev.pillion.validate.SetValidator;
import dev.pillion.validate.ValidationRequest;
import dev.pillion.validate.ValidationRequest.Operation;
import dev.pillion.validate.ValidationRequest.Pinned;

/** What the validating webhook would say to each set of the files, were they created together. */
record SetCheck(List<Result> results) {
    /**
     * One set.
     *
     * @param faults field and text, the way out included; empty when it is accepted
     */
    record Result(Manifest manifest, List<String> faults, List<String> warnings) {
        Result {
            faults = List.copyOf(faults);
            warnings = List.copyOf(warnings);
        }
    }

    /** Whether a revision that is not known may exist nevertheless. */
    enum Revisions {
        ALL_KNOWN, SOME_KNOWN
    }

    static SetCheck of(FileCluster cluster, CommandSettings settings) {
        SetIndex index = cluster.index();
        return new SetCheck(
                cluster.sets().stream().map(s -> of(s, Optional.empty(), index, Revisions.SOME_KNOWN, settings)).toList());
    }

    /**
     * Checks one set.
     *
     * @param old the set as it is stored now, for an update
     * @param index all other sets, and the revisions that are known
     */
    static Result of(FileCluster.Stored stored, Optional<SidecarSet> old, SetIndex index, Revisions revisions, CommandSettings settings) {
        Optional<Map<String, String>> configMap = index.whitelist().map(w -> Map.of(Wire.WHITELIST_KEY, w));
        Optional<Pin> pin = stored.set().injectionStrategy().pin().filter(p -> p.revisionName().or(p::customVersion).isPresent());
        Optional<Revision> revision = pin.flatMap(p -> pinned(stored.set(), p, index));
        boolean unknown = pin.isPresent() && revision.isEmpty();
        Pinned otherwise = unknown && revisions == Revisions.ALL_KNOWN ? Pinned.NOT_FOUND : Pinned.FOUND;
        ValidationRequest request = new ValidationRequest(old.isPresent() ? Operation.UPDATE : Operation.CREATE, stored.set().raw(),
                old.map(SidecarSet::raw), revision.map(r -> judged(stored.set(), r)).orElse(otherwise), configMap, settings.namespace());
        var validation = SetValidator.validate(request, index, settings.validate());
        List<String> warnings = new ArrayList<>(AlphaWarnings.of(stored.manifest().object()));
        warnings.addAll(validation.warnings());
        if (unknown && revisions == Revisions.SOME_KNOWN && validation.isAccepted()) {
            warnings.add("spec.injectionStrategy.revision is not checked: the ControllerRevision it names is in no file");
        }
        return new Result(stored.manifest(), validation.faults().stream().map(SetCheck::text).distinct().toList(), warnings);
    }

    private static String text(Fault fault) {
        return fault.field() + ": " + fault.text();
    }

    private static Optional<Revision> pinned(SidecarSet set, Pin pin, SetIndex index) {
        return pin.revisionName().isPresent()
                ? index.revision(pin.revisionName().get())
                : pin.customVersion().flatMap(v -> index.revision(set.name(), v));
    }

    private static Pinned judged(SidecarSet set, Revision revision) {
        if (!set.name().equals(revision.labels().get(Wire.SET_NAME_LABEL))) {
            return Pinned.OF_ANOTHER_SET;
        }
        return RestoredSet.isRestorable(revision) ? Pinned.FOUND : Pinned.NOT_RESTORABLE;
    }

    /** One line for each set that would not be stored. */
    List<String> refusals() {
        return results.stream().filter(r -> !r.faults().isEmpty())
                .map(r -> r.manifest().describe() + " would be refused: " + r.faults().stream().collect(Collectors.joining("; "))).toList();
    }
}
