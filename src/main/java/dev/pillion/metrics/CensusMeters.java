package dev.pillion.metrics;

import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Stream;

import io.micrometer.core.instrument.MultiGauge;
import io.micrometer.core.instrument.Tags;

/** Pods without the sidecars of a set that matches them (FR-09), and the opt-in series of single sets. Safe for all threads. */
public final class CensusMeters {
    private final AtomicReference<Map<String, Integer>> lacking = new AtomicReference<>(Map.of());
    private final MultiGauge sets;

    /**
     * Pods of one set.
     *
     * @param matched by the set's status, as are updated, ready and updatedReady
     * @param lacking matching ones without its sidecars, which are in no other number
     */
    public record SetPods(String set, int matched, int updated, int ready, int updatedReady, int lacking) {
    }

    /** @param reasons the words that {@link #lacking} may have; each has a series from the beginning */
    public CensusMeters(Meters meters, Collection<String> reasons) {
        reasons.forEach(reason -> meters.gauge("pillion_pods_without_sidecar",
                "Pods that lack the sidecars of a set that matches them, by the reason", () -> lacking.get().getOrDefault(reason, 0),
                "reason", reason));
        sets = MultiGauge.builder("pillion_set_pods").description("Pods of single sets, by what they are")
                .register(meters.registry());
    }

    /** Number of Pods by reason. */
    public void lacking(Map<String, Integer> byReason) {
        lacking.set(Map.copyOf(byReason));
    }

    /** Replaces the series of single sets. */
    public void sets(List<SetPods> pods) {
        sets.register(pods.stream().flatMap(CensusMeters::rows).toList(), true);
    }

    private static Stream<MultiGauge.Row<?>> rows(SetPods pods) {
        return Stream.of(row(pods, "matched", pods.matched), row(pods, "updated", pods.updated), row(pods, "ready", pods.ready),
                row(pods, "updated-ready", pods.updatedReady), row(pods, "without-sidecar", pods.lacking));
    }

    private static MultiGauge.Row<?> row(SetPods pods, String state, int count) {
        return MultiGauge.Row.of(Tags.of("sidecarset", pods.set, "state", state), count);
    }
}
