package dev.pillion.match;

/** How image texts of spec and status are compared (setting rollout.image-compare; rollout.md traps C, D). */
public enum ImageCompare {
    /** Short names and full names of one image are equal; a bare image id decides nothing. */
    NORMALIZED,
    /** Character by character, as the reference. */
    LITERAL
}
