package dev.pillion.watch;

import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import dev.pillion.api.PodChange;
import dev.pillion.api.PodView;
import dev.pillion.api.Revision;
import dev.pillion.api.SetKey;
import dev.pillion.api.SidecarSet;
import dev.pillion.bus.BusMessage.Enqueue;
import dev.pillion.bus.BusMessage.Priority;
import dev.pillion.bus.BusMessage.SetsChanged;
import dev.pillion.bus.Inboxes;
import dev.pillion.bus.LatestSets;
import dev.pillion.kube.Changes;
import dev.pillion.match.NamespaceView;
import dev.pillion.match.SetIndex;
import dev.pillion.metrics.WatchMeters;

/**
 * Takes what the watches tell and turns it into inbox entries, Enqueues and new indexes. Runs on the watches' threads: only
 * translates, appends and sends. Until the first lists are complete nothing leaves it; then the index, and every set once with low
 * priority. An event that cannot be judged is logged, and its sets look at all their Pods anew (traps 7.18, 7.19).
 */
final class ChangeFeed implements Changes {
    private static final Logger LOG = LoggerFactory.getLogger(ChangeFeed.class);
    private static final String PODS = "pods";

    /** Where the results go; each call may come from any thread. */
    interface Outlet {
        void send(Enqueue message);

        void publish(SetsChanged message);

        /** Asks for one call of {@link #flush} soon; more than one request before it needs one call only. */
        void flushSoon();

        void firstListsComplete();

        /** A watch speaks that had been silent for too long. */
        void heardAgain();
    }

    private final Outlet outlet;
    private final Inboxes inboxes;
    private final LatestSets latest;
    private final WatchMeters meters;
    private final Silence silence;
    private final PodEvents podEvents;
    private final SetEvents setEvents;
    private final Snapshot snapshot = new Snapshot();
    private final AtomicBoolean synced = new AtomicBoolean();
    private final AtomicBoolean published = new AtomicBoolean();

    ChangeFeed(Outlet outlet, Inboxes inboxes, LatestSets latest, WatchMeters meters, Silence silence, WatchOptions options) {
        this.outlet = outlet;
        this.inboxes = inboxes;
        this.latest = latest;
        this.meters = meters;
        this.silence = silence;
        this.podEvents = new PodEvents(options);
        this.setEvents = new SetEvents(options);
    }

    @Override
    public void pod(Optional<PodView> old, Optional<PodView> now) {
        meters.event(PODS);
        SetIndex index = latest.get();
        try {
            PodEvents.Verdict verdict = podEvents.judge(old, now, index::set);
            Optional<PodChange> change = now.<PodChange>map(PodChange.Seen::new)
                    .or(() -> old.map(p -> new PodChange.Gone(p.key(), p.uid())));
            verdict.told().forEach(set -> change.ifPresent(c -> inboxes.append(set, c)));
            verdict.wakeups().forEach(w -> send(now.map(w::atEase).orElse(w), Priority.HIGH));
        } catch (RuntimeException e) {
            broken(PODS, e);
            old.ifPresent(p -> lookAnew(p, index));
            now.ifPresent(p -> lookAnew(p, index));
        }
    }

    private void lookAnew(PodView pod, SetIndex index) {
        pod.marks().injectedList().stream().map(SetKey::new).filter(set -> index.set(set).isPresent()).forEach(set -> {
            inboxes.append(set, new PodChange.Rebuild());
            send(Wakeup.now(set, Wakeup.POD_STATUS), Priority.HIGH);
        });
    }

    @Override
    public void set(Optional<SidecarSet> old, Optional<SidecarSet> now) {
        changed("sidecarsets", () -> snapshot.set(old, now, setEvents.set(old, now)));
    }

    @Override
    public void namespace(Optional<NamespaceView> old, Optional<NamespaceView> now) {
        changed("namespaces", () -> snapshot.namespace(old, now));
    }

    @Override
    public void revision(Optional<Revision> old, Optional<Revision> now) {
        changed("controllerrevisions", () -> snapshot.revision(old, now));
    }

    @Override
    public void whitelist(Optional<String> text) {
        changed("configmaps", () -> snapshot.whitelist(text));
    }

    private void changed(String kind, Runnable step) {
        meters.event(kind);
        try {
            step.run();
        } catch (RuntimeException e) {
            broken(kind, e);
        }
        if (synced.get()) {
            outlet.flushSoon();
        }
    }

    private void broken(String kind, RuntimeException e) {
        meters.broken(kind);
        LOG.atError().setCause(e).addKeyValue("kind", kind).log("Change could not be judged");
    }

    @Override
    public void synced() {
        synced.set(true);
        outlet.flushSoon();
    }

    /** Publishes the index of everything told so far, then sends the Enqueues that waited for it. One call at a time. */
    void flush() {
        boolean first = published.compareAndSet(false, true);
        Snapshot.Taken taken = snapshot.take();
        SetIndex index = latest.get().next(taken.content());
        latest.put(index);
        outlet.publish(new SetsChanged(index));
        if (first) {
            index.sets().forEach(s -> send(Wakeup.now(s.key(), Wakeup.FIRST_LIST), Priority.LOW));
            outlet.firstListsComplete();
            return;
        }
        taken.wakeups().forEach(w -> send(w, Priority.HIGH));
        taken.namespaces().stream().map(c -> setEvents.namespace(c.old(), c.now(), index)).flatMap(List::stream).forEach(w -> {
            inboxes.append(w.set(), new PodChange.Rebuild());
            send(w, Priority.HIGH);
        });
    }

    private void send(Wakeup wakeup, Priority priority) {
        meters.enqueued(wakeup.cause().word());
        outlet.send(new Enqueue(wakeup.set(), wakeup.after(), priority, wakeup.cause()));
    }

    @Override
    public void watch(String kind, boolean ok, String reason) {
        if (ok) {
            boolean again = silence.alive(kind);
            meters.alive(kind);
            if (again) {
                outlet.heardAgain();
            }
        } else {
            meters.failed(kind);
        }
    }
}
