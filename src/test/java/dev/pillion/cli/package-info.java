/** Tests of cli. */
@NullMarked
package dev.pillion.cli;

import org.jspecify.annotations.NullMarked;
