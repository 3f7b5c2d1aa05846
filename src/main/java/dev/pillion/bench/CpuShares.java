package dev.pillion.bench;

import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;

/**
 * CPU time of a measurement by process.
 *
 * @param all of every process: the server with its store, this one, and the controller
 * @param server of the API server, then of its store if that is a process of its own
 * @param own of this process: kubelet, generator and judge
 */
record CpuShares(Duration all, List<Duration> server, Duration own) {
    CpuShares {
        server = List.copyOf(server);
    }

    /** Until this moment. */
    static CpuShares now(TargetServer server) {
        return new CpuShares(Cost.ofThisProcessAndItsChildren(), server.cpu(), Cost.of(ProcessHandle.current()));
    }

    /** What was used between an earlier moment and this one. */
    CpuShares since(CpuShares before) {
        return new CpuShares(all.minus(before.all), IntStream.range(0, server.size())
                .mapToObj(i -> server.get(i).minus(before.server.get(i))).toList(), own.minus(before.own));
    }
}
