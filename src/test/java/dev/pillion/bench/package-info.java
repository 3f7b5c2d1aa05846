/** Tests of bench. */
@NullMarked
package dev.pillion.bench;

import org.jspecify.annotations.NullMarked;
