/**
 * The measurements of src/docs/performance.md.
 * In: sizes and durations.
 * Out: tables.
 */
@NullMarked
package dev.pillion.bench;

import org.jspecify.annotations.NullMarked;
