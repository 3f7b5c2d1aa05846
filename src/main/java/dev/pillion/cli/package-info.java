/**
 * Doors of the command line to the pure core: each command reads, asks one function that the controller asks too, and prints.
 * In: files or a cluster, and the controller's settings.
 * Out: texts and exit codes.
 */
@NullMarked
package dev.pillion.cli;

import org.jspecify.annotations.NullMarked;
