/**
 * The SidecarSet model (v1beta1 is the hub), PodView, and the wire names and JSON bytes other programs depend on.
 * In: JSON trees from the API server or from files.
 * Out: immutable values, and JSON equal to the reference's byte for byte.
 */
@NullMarked
package dev.pillion.api;

import org.jspecify.annotations.NullMarked;
