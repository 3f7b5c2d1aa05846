package dev.pillion.cli;

import java.util.function.Function;

import dev.pillion.api.SidecarSet;
import dev.pillion.kube.KubeClient;
import dev.pillion.kube.KubeException;

import tools.jackson.databind.node.ObjectNode;

/**
 * One change of a set that was looked at. The controller writes the status all the time, which makes the version that was read old; that is
 * no reason to fail. A changed spec is.
 */
final class SetChange {
    private static final int TRIES = 10;

    private SetChange() {
    }

    /**
     * Writes what the change makes of the set.
     *
     * @param seen the set as the user's decision knows it
     * @param change from the set as it is read now to the object to write, which keeps its resourceVersion
     * @return the set as it was stored
     */
    static SidecarSet write(KubeClient kube, SidecarSet seen, Function<SidecarSet, ObjectNode> change) {
        SidecarSet current = seen;
        for (int tries = TRIES;; tries--) {
            try {
                return SidecarSet.of(kube.objects().apply(change.apply(current)));
            } catch (KubeException e) {
                if (!e.isConflict() || tries <= 1) {
                    throw e;
                }
                SidecarSet now = kube.reads().set(seen.name()).filter(s -> s.uid().equals(seen.uid())).orElseThrow(() -> e);
                if (now.generation() != seen.generation()) {
                    throw e;
                }
                current = now;
            }
        }
    }
}
