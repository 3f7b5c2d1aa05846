package dev.pillion.inject;

/** The whole pod webhook (injection.md 3-9); one function for webhook, command line and tests. */
public final class Injector {
    private Injector() {
    }
}
