package dev.pillion.kube;

import java.util.Optional;

/** Leases in the own namespace. Blocking, with a deadline of their own; never retried here. All throw {@link KubeException}. */
public interface Leases {
    /** Reads the Lease live; empty when there is none. */
    Optional<LeaseRecord> read(String name);

    /** Creates the Lease; 409 AlreadyExists when there is one. */
    LeaseRecord create(String name, LeaseSpec spec);

    /**
     * Makes the Lease say this, if it is still the very version that is known: 409 when it was changed, 404 or a uid mismatch when it is
     * gone. What others wrote into it besides stays.
     */
    LeaseRecord change(LeaseRecord known, LeaseSpec spec);
}
