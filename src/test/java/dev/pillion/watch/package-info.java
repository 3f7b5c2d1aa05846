/** Tests of watch. */
@NullMarked
package dev.pillion.watch;

import org.jspecify.annotations.NullMarked;
