/** The pod that injection must make, worked out as plainly as can be from the behaviour description; uses nothing of the product. */
@NullMarked
package dev.pillion.naive;

import org.jspecify.annotations.NullMarked;
