/**
 * Judges a whole cluster: what keeps Pillion from working there, and what another SidecarSet controller left behind.
 * In: facts that were read once, some of them hidden from the reader.
 * Out: findings, each with its way out.
 */
@NullMarked
package dev.pillion.check;

import org.jspecify.annotations.NullMarked;
