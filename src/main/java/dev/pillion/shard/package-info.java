/**
 * Who reconciles which sets: slots of sets, each with a Lease whose holder alone writes.
 * In: Leases, and SlotDrained from the queue.
 * Out: terms of ownership, SlotsChanged, and the Enqueues of sets whose slot was taken.
 */
@NullMarked
package dev.pillion.shard;

import org.jspecify.annotations.NullMarked;
