/**
 * Which sets concern which pods: selectors, namespaces, the SetIndex snapshot, and what a pod's state says.
 * In: SidecarSets, Namespaces' labels, PodViews.
 * Out: candidates and yes-or-no answers.
 */
@NullMarked
package dev.pillion.match;

import org.jspecify.annotations.NullMarked;
