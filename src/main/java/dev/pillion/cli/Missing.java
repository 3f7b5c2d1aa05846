package dev.pillion.cli;

import java.io.PrintWriter;
import java.util.Optional;

import dev.pillion.api.SidecarSet;
import dev.pillion.kube.ClusterReads;

/** The one answer to a name that nothing has. */
final class Missing {
    private Missing() {
    }

    /** The set; when there is none, this is told. */
    static Optional<SidecarSet> orTell(ClusterReads reads, String name, PrintWriter err) {
        Optional<SidecarSet> set = reads.set(name);
        if (set.isEmpty()) {
            err.println("pillion: there is no SidecarSet " + name + "; \"pillion status\" lists them");
        }
        return set;
    }
}
