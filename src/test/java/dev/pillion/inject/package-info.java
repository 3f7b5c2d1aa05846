/** Injection against recorded cases, random pods and the spec's tables. */
@NullMarked
package dev.pillion.inject;

import org.jspecify.annotations.NullMarked;
