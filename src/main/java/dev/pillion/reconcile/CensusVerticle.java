package dev.pillion.reconcile;

import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.function.LongSupplier;

import io.vertx.core.Future;
import io.vertx.core.VerticleBase;

import dev.pillion.api.ByteOrder;
import dev.pillion.api.SidecarSet;
import dev.pillion.bus.LatestSets;
import dev.pillion.explain.Census;
import dev.pillion.kube.AllPods;
import dev.pillion.match.SetIndex;
import dev.pillion.metrics.CensusMeters;
import dev.pillion.metrics.CensusMeters.SetPods;

/**
 * Counts from time to time, if anything has changed, the Pods that lack sidecars, and offers the series of single sets. Walks through all
 * Pods, so it takes a small share of the time only. Deploy it as a virtual-thread verticle.
 */
public final class CensusVerticle extends VerticleBase {
    private static final Duration PAUSE = Duration.ofSeconds(10);
    /** A count that takes long is repeated after this many times its duration. */
    private static final int SHARE = 200;

    /**
     * What to count.
     *
     * @param ownNamespace the controller's
     * @param perSetLimit setting metrics.per-set-limit: so many sets get series, the first ones by name
     */
    public record Options(String ownNamespace, int perSetLimit) {
    }

    private record Seen(SetIndex index, long changes) {
    }

    private final AllPods pods;
    private final LatestSets latest;
    private final CensusMeters meters;
    private final Options options;
    private final LongSupplier nanos;

    public CensusVerticle(AllPods pods, LatestSets latest, CensusMeters meters, Options options, LongSupplier nanos) {
        this.pods = pods;
        this.latest = latest;
        this.meters = meters;
        this.options = options;
        this.nanos = nanos;
    }

    @Override
    public Future<?> start() {
        later(PAUSE, Optional.empty());
        return Future.succeededFuture();
    }

    private void later(Duration pause, Optional<Seen> before) {
        vertx.setTimer(pause.toMillis(), _ -> look(before));
    }

    private void look(Optional<Seen> before) {
        // The number first: a change after it is counted next time at the latest.
        long changes = pods.changes();
        Optional<Seen> now = latest.known().map(index -> new Seen(index, changes));
        if (now.isEmpty() || now.equals(before)) {
            later(PAUSE, before);
            return;
        }
        long began = nanos.getAsLong();
        count(now.get().index);
        Duration taken = Duration.ofNanos(nanos.getAsLong() - began).multipliedBy(SHARE);
        later(taken.compareTo(PAUSE) > 0 ? taken : PAUSE, now);
    }

    private void count(SetIndex index) {
        Census census = Census.of(pods.all(), index, options.ownNamespace);
        meters.lacking(census.byReason());
        if (options.perSetLimit > 0) {
            List<SetPods> shown = index.sets().stream().sorted(Comparator.comparing(SidecarSet::name, ByteOrder.UTF8))
                    .limit(options.perSetLimit).map(set -> of(set, census)).toList();
            meters.sets(shown);
        }
    }

    private static SetPods of(SidecarSet set, Census census) {
        return new SetPods(set.name(), set.status().matchedPods(), set.status().updatedPods(), set.status().readyPods(),
                set.status().updatedReadyPods(), census.bySet().getOrDefault(set.name(), 0));
    }
}
