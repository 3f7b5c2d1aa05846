/**
 * Codecs of the pod annotations and patchPodMetadata.
 * In: annotation texts in any form, also damaged ones.
 * Out: PodMarks, and the exact texts to write.
 */
@NullMarked
package dev.pillion.podmeta;

import org.jspecify.annotations.NullMarked;
