/**
 * The work queue: one key, one worker, delays, back-off, two priority bands.
 * In: Enqueue and Done.
 * Out: Reconcile to idle workers.
 */
@NullMarked
package dev.pillion.queue;

import org.jspecify.annotations.NullMarked;
