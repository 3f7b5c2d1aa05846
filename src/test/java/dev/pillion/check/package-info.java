/** Tests of the judge of whole clusters. */
@NullMarked
package dev.pillion.check;

import org.jspecify.annotations.NullMarked;
