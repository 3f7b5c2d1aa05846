/**
 * The rules a SidecarSet must keep.
 * In: the set, the old set, the other sets, options.
 * Out: every fault with path, kind and text, and warnings.
 */
@NullMarked
package dev.pillion.validate;

import org.jspecify.annotations.NullMarked;
