/**
 * Turns changes of sets and pods into enqueues.
 * In: old and new views.
 * Out: Enqueue messages, inbox entries, SetsChanged.
 */
@NullMarked
package dev.pillion.watch;

import org.jspecify.annotations.NullMarked;
