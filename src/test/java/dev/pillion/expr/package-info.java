/** Tests of this package. */
@NullMarked
package dev.pillion.expr;

import org.jspecify.annotations.NullMarked;
