/** Golden cases recorded from the reference, and the runner that names every deliberate difference. */
@NullMarked
package dev.pillion.conformance;

import org.jspecify.annotations.NullMarked;
