package dev.pillion.reconcile;

import dev.pillion.kube.EventSink;
import dev.pillion.kube.PodCache;
import dev.pillion.kube.PodWrites;
import dev.pillion.kube.RevisionWrites;
import dev.pillion.kube.SetWrites;

/** The cluster, as a reconcile sees it. All writes block, with a deadline. */
public record KubePorts(PodCache pods, PodWrites podWrites, SetWrites sets, RevisionWrites revisions, EventSink events) {
}
