package dev.pillion.admission;

import dev.pillion.api.SidecarSet;

/** Told of every Pod that is refused through a fault of one set, whatever the Pod (FR-47); not of dry runs. Must not block. */
public interface Refusals {
    void refused(SidecarSet set, String message);
}
