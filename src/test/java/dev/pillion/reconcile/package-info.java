/** Tests of reconcile. */
@NullMarked
package dev.pillion.reconcile;

import org.jspecify.annotations.NullMarked;
