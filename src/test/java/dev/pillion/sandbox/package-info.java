/** Tests of the API server double, without HTTP. */
@NullMarked
package dev.pillion.sandbox;

import org.jspecify.annotations.NullMarked;
