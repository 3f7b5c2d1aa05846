package dev.pillion.cli;

import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

import dev.pillion.api.Revision;
import dev.pillion.api.SidecarSet;
import dev.pillion.api.Wire;
import dev.pillion.kube.ClusterReads;
import dev.pillion.revision.History;

/** A set with its own revisions, ascending. */
record SetHistory(SidecarSet set, List<Revision> revisions) {

    static SetHistory of(SidecarSet set, ClusterReads reads) {
        List<Revision> labelled = reads.revisions().stream().filter(r -> set.name().equals(r.labels().get(Wire.SET_NAME_LABEL))).toList();
        return new SetHistory(set, History.own(set, labelled));
    }

    /** By number or by name. */
    Optional<Revision> find(String wanted) {
        return revisions.stream().filter(r -> wanted.equals(r.name()) || wanted.equals(Long.toString(r.number()))).findFirst();
    }

    /** The sentence for a revision that is not there. */
    String none(String wanted) {
        String known = revisions.isEmpty()
                ? "it has none yet"
                : "it has " + revisions.stream().map(r -> Long.toString(r.number())).collect(Collectors.joining(", "));
        return "SidecarSet " + set.name() + " has no revision " + wanted + ": " + known;
    }
}
