/** Tests of this package. */
@NullMarked
package dev.pillion.api;

import org.jspecify.annotations.NullMarked;
