/**
 * The HTTPS webhooks.
 * In: AdmissionReview and ConversionReview bytes.
 * Out: an orderly answer to each.
 */
@NullMarked
package dev.pillion.admission;

import org.jspecify.annotations.NullMarked;
