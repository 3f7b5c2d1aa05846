package dev.pillion.bench;

import java.lang.management.ManagementFactory;
import java.lang.ref.Reference;
import java.time.Duration;
import java.util.Arrays;
import java.util.Locale;
import java.util.function.Supplier;

import com.sun.management.ThreadMXBean;

/**
 * What one call costs the thread that makes it. Wall time is not measured: machines for tests are shared, and it lies there.
 *
 * @param nanos CPU time, median of the rounds
 * @param bytes allocated, mean of the rounds
 */
record CallCost(long nanos, long bytes) {
    private static final double THOUSAND = 1000;
    private static final double KIBI = 1024;

    /**
     * How long to measure, in CPU time.
     *
     * @param warmUp until the compiler has seen the code; not counted
     */
    record Effort(Duration warmUp, Duration round, int rounds) {
    }

    @SuppressWarnings("ReachabilityFenceUsage") // only keeps the compiler from leaving the call out
    static CallCost of(Supplier<?> call, Effort effort) {
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        long start = threads.getCurrentThreadCpuTime();
        long warmUp = 0;
        while (threads.getCurrentThreadCpuTime() - start < effort.warmUp.toNanos() || warmUp == 0) {
            Reference.reachabilityFence(call.get());
            warmUp++;
        }
        long nanosEach = Math.max(1, (threads.getCurrentThreadCpuTime() - start) / warmUp);
        long calls = Math.max(1, effort.round.toNanos() / nanosEach);
        long[] nanos = new long[effort.rounds];
        long bytesBefore = threads.getCurrentThreadAllocatedBytes();
        for (int round = 0; round < effort.rounds; round++) {
            long before = threads.getCurrentThreadCpuTime();
            for (long i = 0; i < calls; i++) {
                Reference.reachabilityFence(call.get());
            }
            nanos[round] = (threads.getCurrentThreadCpuTime() - before) / calls;
        }
        long bytes = threads.getCurrentThreadAllocatedBytes() - bytesBefore;
        Arrays.sort(nanos);
        return new CallCost(nanos[effort.rounds / 2], bytes / (calls * effort.rounds));
    }

    /** A row of a Markdown table: what, CPU in µs, memory in KiB. */
    String row(String what) {
        return String.format(Locale.ROOT, "| %s | %.1f µs | %.1f KiB |", what, nanos / THOUSAND, bytes / KIBI);
    }
}
