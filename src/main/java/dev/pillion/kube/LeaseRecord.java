package dev.pillion.kube;

/** A Lease as the API server told it. uid and version guard the next write of it. */
public record LeaseRecord(String name, String uid, String version, LeaseSpec spec) {
}
