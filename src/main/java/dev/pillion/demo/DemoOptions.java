package dev.pillion.demo;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/**
 * What a demo run does.
 *
 * @param end what happens after the roll-out
 * @param image which image comes second
 * @param sidecarSets the user's own SidecarSets; empty: the log agent of the demo
 * @param manifests the user's own workloads; empty: the shop of the demo
 * @param kubeletDelay how long the simulated kubelet takes to start a container
 * @param deadline when a roll-out that has not ended counts as failed
 */
public record DemoOptions(End end, Image image, List<Path> sidecarSets, List<Path> manifests, Duration kubeletDelay, Duration deadline) {
    public enum End {
        EXIT, SERVE
    }

    public enum Image {
        GOOD,
        /** One that never becomes ready; the demo corrects it after a while. */
        BAD_FIRST
    }

    public DemoOptions {
        sidecarSets = List.copyOf(sidecarSets);
        manifests = List.copyOf(manifests);
    }
}
