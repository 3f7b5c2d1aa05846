/**
 * Hashes of a set, and its history as ControllerRevisions.
 * In: a SidecarSet and the revisions that exist.
 * Out: hash annotations, the wanted revision, what to create, renumber and delete.
 */
@NullMarked
package dev.pillion.revision;

import org.jspecify.annotations.NullMarked;
