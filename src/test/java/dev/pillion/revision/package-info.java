/** Tests of this package. */
@NullMarked
package dev.pillion.revision;

import org.jspecify.annotations.NullMarked;
