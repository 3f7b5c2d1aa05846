/**
 * Doors of the command line to the pure core.
 * In: files or a cluster.
 * Out: texts and exit codes.
 */
@NullMarked
package dev.pillion.cli;

import org.jspecify.annotations.NullMarked;
