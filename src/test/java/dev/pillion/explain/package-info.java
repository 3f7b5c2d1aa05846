/** Tests of explain. */
@NullMarked
package dev.pillion.explain;

import org.jspecify.annotations.NullMarked;
