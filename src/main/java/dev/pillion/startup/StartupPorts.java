package dev.pillion.startup;

import dev.pillion.kube.BarrierWrites;
import dev.pillion.kube.EventSink;
import dev.pillion.kube.PodCache;
import dev.pillion.kube.PodWrites;

/** The cluster, as the start of a Pod sees it. All writes block, with a deadline. */
public record StartupPorts(PodCache pods, PodWrites podWrites, BarrierWrites barriers, EventSink events) {
}
