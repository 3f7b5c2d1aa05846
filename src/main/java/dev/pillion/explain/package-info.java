/**
 * Turns injections and plans into sentences.
 * In: values of inject and rollout.
 * Out: texts for events, warnings, logs and the command line.
 */
@NullMarked
package dev.pillion.explain;

import org.jspecify.annotations.NullMarked;
