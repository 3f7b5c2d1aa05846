package dev.pillion.sandbox;

import java.util.List;

/** Who sent a request: goes into the audit log and into AdmissionReviews. */
record Caller(String user, List<String> groups, String userAgent, String address) {
    static final Caller SYSTEM = new Caller("system:apiserver", List.of("system:masters", "system:authenticated"), "sandbox", "127.0.0.1");

    Caller {
        groups = List.copyOf(groups);
    }
}
