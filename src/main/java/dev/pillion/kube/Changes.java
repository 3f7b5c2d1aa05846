package dev.pillion.kube;

import java.util.Optional;

import dev.pillion.api.PodView;
import dev.pillion.api.Revision;
import dev.pillion.api.SidecarSet;
import dev.pillion.match.NamespaceView;

/** What the watches tell. Called on the client's threads, one call at a time per kind; must not block or throw. */
public interface Changes {
    /** old empty: new to us (also in the first list). now empty: gone, also when learnt late from a relist. */
    void pod(Optional<PodView> old, Optional<PodView> now);

    void set(Optional<SidecarSet> old, Optional<SidecarSet> now);

    void namespace(Optional<NamespaceView> old, Optional<NamespaceView> now);

    /** ControllerRevisions in the own namespace that carry a set's name. */
    default void revision(Optional<Revision> old, Optional<Revision> now) {
    }

    /** Text of the configuration's whitelist key; empty when there is none. */
    default void whitelist(Optional<String> text) {
    }

    /** The first lists of all kinds are complete. Called once. */
    void synced();

    /** A watch is alive (event, bookmark, successful start) or failed: kind word, ok, reason. */
    void watch(String kind, boolean ok, String reason);
}
