/**
 * Addresses, messages, their codec, and the inboxes.
 * In: records from verticles.
 * Out: the same records, by reference.
 */
@NullMarked
package dev.pillion.bus;

import org.jspecify.annotations.NullMarked;
