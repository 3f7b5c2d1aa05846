/** Tests of bus. */
@NullMarked
package dev.pillion.bus;

import org.jspecify.annotations.NullMarked;
