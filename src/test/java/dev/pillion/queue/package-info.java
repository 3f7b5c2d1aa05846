/** Tests of queue. */
@NullMarked
package dev.pillion.queue;

import org.jspecify.annotations.NullMarked;
