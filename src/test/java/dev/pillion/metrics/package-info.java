/** Tests of metrics. */
@NullMarked
package dev.pillion.metrics;

import org.jspecify.annotations.NullMarked;
