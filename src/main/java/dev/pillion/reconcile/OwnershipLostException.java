package dev.pillion.reconcile;

/** A write was not started, because the set is no longer ours to write for. Ends the reconcile; not a fault of anybody. */
final class OwnershipLostException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    OwnershipLostException() {
        super("the set's slot is no longer owned by this process");
    }
}
