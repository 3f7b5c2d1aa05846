/**
 * A kubelet, workload controllers and owner collection as ordinary API clients.
 * In: an API server's watch streams.
 * Out: pod status, pods and deletions.
 */
@NullMarked
package dev.pillion.sim;

import org.jspecify.annotations.NullMarked;
