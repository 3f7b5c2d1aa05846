package dev.pillion.kube;

import java.util.Collection;

import dev.pillion.api.PodView;

/** The local view of all Pods that have not finished. Safe for all threads. */
public interface AllPods {
    /** A live view: Pods that come or go while it is walked through may be in it or not. */
    Collection<PodView> all();

    /** Grows with each change of the view. */
    long changes();
}
