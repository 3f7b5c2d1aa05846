/**
 * Main: wires, deploys, stops in order.
 * In: the command line.
 * Out: a running controller, an exit code.
 */
@NullMarked
package dev.pillion.app;

import org.jspecify.annotations.NullMarked;
