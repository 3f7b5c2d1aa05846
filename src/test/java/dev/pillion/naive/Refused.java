package dev.pillion.naive;

/** The pod must be denied. */
final class Refused extends RuntimeException {
    private static final long serialVersionUID = 1;

    Refused(String why) {
        super(why);
    }
}
