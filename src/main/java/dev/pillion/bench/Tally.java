package dev.pillion.bench;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;

/** What requests of one kind took and cost, over all rounds. */
final class Tally {
    private static final double MICRO = 1e3;
    private static final double MILLI = 1e6;
    private static final double SECOND = 1e9;
    private static final double KIBI = 1024;

    /** What this process has used so far: CPU of all its threads in ns, of them the compiler's, allocated bytes. */
    record Used(long cpu, long compiler, long bytes) {
        /** Where it is not asked. */
        static final Used NONE = new Used(0, 0, 0);

        static Used now() {
            Cost cost = Cost.ofThisProcess();
            return new Used(cost.cpu().toNanos(), cost.compiler().toNanos(), cost.allocated());
        }
    }

    private final String name;
    private final List<Double> cpu = new ArrayList<>();
    private final List<long[]> latencies = new ArrayList<>();
    private long requests;
    private long nanos;
    private long bytes;
    private long compiler;

    Tally(String name) {
        this.name = name;
    }

    /** @param before what the server had used before the round */
    void add(Job.Outcome outcome, Used before, Used after) {
        int count = outcome.latencies().length;
        cpu.add((double) (after.cpu - before.cpu) / count);
        latencies.add(outcome.latencies());
        requests += count;
        nanos += outcome.nanos();
        bytes += after.bytes - before.bytes;
        // Less than before when one of its threads has ended.
        compiler += Math.max(0, after.compiler - before.compiler);
    }

    String name() {
        return name;
    }

    long requests() {
        return requests;
    }

    /** CPU of a request in ns, median of the rounds. */
    double cpu() {
        return median(cpu.stream().mapToDouble(Double::doubleValue));
    }

    /**
     * How many times the CPU of another kind a request of this kind takes. Each round is compared for itself and the median counts: what
     * slows the machine for some rounds does so to both kinds alike, where the medians of either may come from different rounds.
     *
     * @param other measured in the same rounds
     */
    double times(Tally other) {
        return median(IntStream.range(0, cpu.size()).mapToDouble(i -> cpu.get(i) / other.cpu.get(i)));
    }

    private static double median(DoubleStream values) {
        double[] sorted = values.sorted().toArray();
        return sorted[sorted.length / 2];
    }

    /** Bytes allocated for a request, mean. */
    long bytes() {
        return bytes / requests;
    }

    /** The share of the requests that took at most the result, in ns. */
    long quantile(double share) {
        long[] sorted = latencies.stream().flatMapToLong(Arrays::stream).sorted().toArray();
        return sorted[(int) Math.min(sorted.length - 1L, (long) (share * sorted.length))];
    }

    static String head() {
        return """
                | What | Requests/s | p50 | p99 | p99.9 | Server CPU per request | Compiler per request | Allocated per request |
                |---|---|---|---|---|---|---|---|""";
    }

    String row() {
        return String.format(Locale.ROOT, "| %s | %,.0f | %.2f ms | %.2f ms | %.2f ms | %.0f µs | %.1f µs | %.1f KiB |", name,
                requests * SECOND / nanos, quantile(.5) / MILLI, quantile(.99) / MILLI, quantile(.999) / MILLI, cpu() / MICRO,
                (double) compiler / requests / MICRO, bytes() / KIBI);
    }
}
