/**
 * Which pods to upgrade now, in which order, and what to write.
 * In: a set, its pods, expectations, the time.
 * Out: status and ordered decisions; Plan from scratch, Ledger incrementally.
 */
@NullMarked
package dev.pillion.rollout;

import org.jspecify.annotations.NullMarked;
