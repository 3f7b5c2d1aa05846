package dev.pillion.kube;

import java.util.Optional;

import dev.pillion.api.PodView;
import dev.pillion.api.SidecarSet;
import dev.pillion.match.NamespaceView;

/** Passes everything on and then throws, as a faulty listener would. */
record ThrowingChanges(Changes next) implements Changes {
    @Override
    public void pod(Optional<PodView> old, Optional<PodView> now) {
        next.pod(old, now);
        throw new IllegalStateException("pod");
    }

    @Override
    public void set(Optional<SidecarSet> old, Optional<SidecarSet> now) {
        next.set(old, now);
        throw new IllegalStateException("set");
    }

    @Override
    public void namespace(Optional<NamespaceView> old, Optional<NamespaceView> now) {
        next.namespace(old, now);
        throw new IllegalStateException("namespace");
    }

    @Override
    public void synced() {
        next.synced();
    }

    @Override
    public void watch(String kind, boolean ok, String reason) {
        next.watch(kind, ok, reason);
        throw new IllegalStateException("watch");
    }
}
