/**
 * Meters by their known names, /metrics, health and readiness.
 * In: measurements and Health messages.
 * Out: the Prometheus text and the probes.
 */
@NullMarked
package dev.pillion.metrics;

import org.jspecify.annotations.NullMarked;
