package dev.pillion.kube;

import dev.pillion.api.SetStatus;
import dev.pillion.api.SidecarSet;

/** Reads and writes of SidecarSets. Blocking, with a deadline. All throw {@link KubeException}. */
public interface SetWrites {
    /** Writes the status of exactly this version of the set (uid and resourceVersion as preconditions); returns the answer. */
    SidecarSet writeStatus(SidecarSet set, SetStatus status);

    SidecarSet read(String name);
}
