package dev.pillion.shard;

import java.util.function.Consumer;
import java.util.function.Predicate;

import dev.pillion.api.SetKey;
import dev.pillion.bus.LatestSets;
import dev.pillion.bus.Ownership;
import dev.pillion.kube.EventSink;
import dev.pillion.metrics.ShardMeters;

/**
 * What the slots share with the rest of the process.
 *
 * @param forget drops what is remembered of the sets it is given; called when none of them is in work
 */
public record ShardShared(Ownership ownership, LatestSets sets, Consumer<Predicate<SetKey>> forget, EventSink events, ShardMeters meters) {
}
