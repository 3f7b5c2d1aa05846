package dev.pillion.cli;

/** Exit codes of the commands; those of usage and trouble are the usual ones of sysexits, apart from any answer. */
final class Exit {
    static final int OK = 0;
    /** The answer is no: a Pod is refused, a set is invalid, there is nothing to go back to. */
    static final int REFUSED = 1;
    /** Nothing was injected. */
    static final int SKIPPED = 2;
    /** Wrong arguments, or a file that cannot be used. */
    static final int USAGE = 64;
    /** The cluster does not answer, or not as it should. */
    static final int UNAVAILABLE = 69;
    /** A fault of the program. */
    static final int SOFTWARE = 70;

    private Exit() {
    }
}
