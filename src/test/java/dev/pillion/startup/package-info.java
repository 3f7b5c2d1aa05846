/** Tests of startup. */
@NullMarked
package dev.pillion.startup;

import org.jspecify.annotations.NullMarked;
