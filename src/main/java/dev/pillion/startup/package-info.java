/**
 * The controllers behind the pod webhook's readiness gate and launch priority (neighbours.md 1.4, 2.2).
 * In: changes of Pods that still need something to start.
 * Out: the condition KruisePodReady, barrier ConfigMaps, and the annotation of a completed launch.
 */
@NullMarked
package dev.pillion.startup;

import org.jspecify.annotations.NullMarked;
