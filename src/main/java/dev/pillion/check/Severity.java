package dev.pillion.check;

/** How much a finding matters. */
public enum Severity {
    /** Something does not work, or will not when it is needed. */
    ERROR,
    /** Something works, and not as most would want it. */
    WARNING,
    /** Good to know. */
    INFO
}
