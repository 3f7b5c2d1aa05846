/**
 * The pod webhook as a pure function.
 * In: a request, the SetIndex, options.
 * Out: Skip, Refuse or Patch, with a verdict for each set looked at.
 */
@NullMarked
package dev.pillion.inject;

import org.jspecify.annotations.NullMarked;
