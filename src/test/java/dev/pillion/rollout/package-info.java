/** Tests of the roll-out: recorded cases, random histories, tables. */
@NullMarked
package dev.pillion.rollout;

import org.jspecify.annotations.NullMarked;
