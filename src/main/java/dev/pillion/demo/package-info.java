/**
 * Sandbox, simulators and controller in one JVM, joined by a kubeconfig only.
 * In: options of the demo.
 * Out: a roll-out to watch, judged from the audit log.
 */
@NullMarked
package dev.pillion.demo;

import org.jspecify.annotations.NullMarked;
