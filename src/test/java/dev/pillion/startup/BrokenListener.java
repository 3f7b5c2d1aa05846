package dev.pillion.startup;

import java.util.Optional;

import dev.pillion.api.PodView;
import dev.pillion.api.SidecarSet;
import dev.pillion.kube.Changes;
import dev.pillion.match.NamespaceView;

/** The rest of a controller, failing on every Pod: Pods must start all the same. */
final class BrokenListener implements Changes {
    @Override
    public void pod(Optional<PodView> old, Optional<PodView> now) {
        throw new IllegalStateException("broken");
    }

    @Override
    public void set(Optional<SidecarSet> old, Optional<SidecarSet> now) {
    }

    @Override
    public void namespace(Optional<NamespaceView> old, Optional<NamespaceView> now) {
    }

    @Override
    public void synced() {
    }

    @Override
    public void watch(String kind, boolean ok, String reason) {
    }
}
