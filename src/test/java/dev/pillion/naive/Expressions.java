package dev.pillion.naive;

import java.util.Map;
import java.util.function.UnaryOperator;

/** Expressions that random sets use, each with what it means; the language itself has recorded cases of its own. */
final class Expressions {
    static final Map<String, UnaryOperator<Amount>> KNOWN = Map.ofEntries(
            Map.entry("cpu", v -> v), Map.entry("memory", v -> v), Map.entry("CPU*50%", v -> v.times(0.5)),
            Map.entry("MEMORY*50%", v -> v.times(0.5)), Map.entry("cpu*50%", v -> v.times(0.5)),
            Map.entry("cpu*29%", v -> v.times(29.0 / 100)), Map.entry("memory*33%", v -> v.times(33.0 / 100)),
            Map.entry("cpu/3", v -> v.dividedBy(3)), Map.entry("memory/2", v -> v.dividedBy(2)),
            Map.entry("max(cpu*50%, 50m)", v -> v.times(0.5).max(Amount.known("50m"))),
            Map.entry("max(memory, 64Mi)", v -> v.max(Amount.known("64Mi"))),
            Map.entry("memory+100Mi", v -> v.plus(Amount.known("100Mi"))), Map.entry("cpu+100m", v -> v.plus(Amount.known("100m"))),
            Map.entry("200Mi", _ -> Amount.known("200Mi")), Map.entry("250m", _ -> Amount.known("250m")),
            Map.entry("-1*cpu", v -> v.times(-1)), Map.entry("cpu*5x", v -> v.times(0)));

    private Expressions() {
    }
}
