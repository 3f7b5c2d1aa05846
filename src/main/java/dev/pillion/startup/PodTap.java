package dev.pillion.startup;

import java.util.Optional;
import java.util.function.Consumer;

import dev.pillion.api.PodKey;
import dev.pillion.api.PodView;
import dev.pillion.api.Revision;
import dev.pillion.api.SidecarSet;
import dev.pillion.kube.ChangeSource;
import dev.pillion.kube.Changes;
import dev.pillion.match.NamespaceView;

/** The watches with a second listener for Pods, which keeps {@link OpenPods} and names each Pod that should be looked at. */
final class PodTap implements ChangeSource {
    private final ChangeSource source;
    private final OpenPods open;
    private final Consumer<PodKey> look;

    PodTap(ChangeSource source, OpenPods open, Consumer<PodKey> look) {
        this.source = source;
        this.open = open;
        this.look = look;
    }

    @Override
    public void start(Changes changes) {
        source.start(new Tee(changes));
    }

    @Override
    public void refresh(long since) throws InterruptedException {
        source.refresh(since);
    }

    @Override
    public void stop() {
        source.stop();
    }

    private void see(Optional<PodView> old, Optional<PodView> now) {
        now.or(() -> old).map(PodView::key).filter(open::judge).ifPresent(look);
    }

    private final class Tee implements Changes {
        private final Changes first;

        private Tee(Changes first) {
            this.first = first;
        }

        @Override
        public void pod(Optional<PodView> old, Optional<PodView> now) {
            try {
                first.pod(old, now);
            } finally {
                see(old, now);
            }
        }

        @Override
        public void set(Optional<SidecarSet> old, Optional<SidecarSet> now) {
            first.set(old, now);
        }

        @Override
        public void namespace(Optional<NamespaceView> old, Optional<NamespaceView> now) {
            first.namespace(old, now);
        }

        @Override
        public void revision(Optional<Revision> old, Optional<Revision> now) {
            first.revision(old, now);
        }

        @Override
        public void whitelist(Optional<String> text) {
            first.whitelist(text);
        }

        @Override
        public void synced() {
            first.synced();
        }

        @Override
        public void watch(String kind, boolean ok, String reason) {
            first.watch(kind, ok, reason);
        }
    }
}
