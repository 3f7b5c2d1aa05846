/**
 * What the integration tests (*IT) share: the clusters they run on, kubectl, and waiting.
 * In: a test class marked {@code @OnEveryCluster}.
 * Out: one run on the sandbox and, unchanged, one on a real API server when there is one.
 */
@NullMarked
package dev.pillion.it;

import org.jspecify.annotations.NullMarked;
