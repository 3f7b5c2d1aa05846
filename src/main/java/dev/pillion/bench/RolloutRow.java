package dev.pillion.bench;

import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/**
 * One measured roll-out.
 *
 * @param atOnce maxUnavailable as given
 * @param wall from the change of the set to the last Pod being ready again
 * @param others the same of clients by hand
 * @param ideal batches times the kubelet's time; zero when maxUnavailable is a percentage
 * @param cost of the controller's process
 * @param everybody CPU time of all processes
 * @param writes of the controller, of whatever object
 * @param reads of the controller
 * @param mostUnavailable by the judge
 * @param violations of maxUnavailable, one sentence each
 * @param heap bytes in use after a collection
 */
record RolloutRow(int pods, String atOnce, Duration wall, RolloutTrial.Others others, Duration ideal, Cost cost, CpuShares everybody,
        int writes, int reads,
        int mostUnavailable, List<String> violations, long heap) {
    static final List<String> HEAD = List.of(
            "| Pods | at once | wall | of batches x kubelet | of steady client | of plain client | CPU of all per Pod "
                    + "| of it server, store | of it kubelet, judge | CPU per Pod | of it compiler | of it collector "
                    + "| allocated | switches | writes per Pod | reads per Pod | most unavailable | heap |",
            "|---|---|---|---|---|---|---|---|---|---|---|---|---|---|---|---|---|---|");
    private static final double KIBI = 1024;
    private static final double MEBI = 1024.0 * 1024;

    String line() {
        return String.format(Locale.ROOT,
                "| %,d | %s | %.1f s | %s | %s | %s | %.2f ms | %s | %.2f ms | %.2f ms | %.2f ms | %.2f ms | %.0f KiB | %.0f | %.2f | %.2f | %d%s "
                        + "| %.0f MiB |",
                pods, atOnce, seconds(wall), ratio(ideal), ratio(others.steady()), ratio(others.plain()), perPod(everybody.all()),
                everybody.server().stream().map(t -> String.format(Locale.ROOT, "%.2f ms", perPod(t))).collect(Collectors.joining(", ")),
                perPod(everybody.own()),
                perPod(cost.cpu()), perPod(cost.compiler()), perPod(cost.collector()),
                cost.allocated() / KIBI / pods, (double) cost.switches() / pods,
                (double) writes / pods, (double) reads / pods, mostUnavailable, violations.isEmpty() ? "" : " (LIMIT BROKEN)",
                heap / MEBI);
    }

    private String ratio(Duration other) {
        return other.isZero() ? "-" : String.format(Locale.ROOT, "%.2f", seconds(wall) / seconds(other));
    }

    private double perPod(Duration time) {
        return time.toNanos() / 1e6 / pods;
    }

    static double seconds(Duration time) {
        return time.toNanos() / 1e9;
    }
}
