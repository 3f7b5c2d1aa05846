/**
 * An in-process Kubernetes API for tests and the demo, over HTTP only.
 * In: requests of ordinary API clients.
 * Out: answers as a real API server gives them, and an audit log.
 */
@NullMarked
package dev.pillion.sandbox;

import org.jspecify.annotations.NullMarked;
