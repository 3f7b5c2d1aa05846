/**
 * Workers that carry out what rollout decides.
 * In: Reconcile messages and the inbox.
 * Out: writes to the API server, and Done.
 */
@NullMarked
package dev.pillion.reconcile;

import org.jspecify.annotations.NullMarked;
