/**
 * Quantities and resource expressions, pure.
 * In: texts as users write them.
 * Out: values, canonical or kept texts, and errors with a position.
 */
@NullMarked
package dev.pillion.expr;

import org.jspecify.annotations.NullMarked;
