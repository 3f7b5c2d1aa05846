package dev.pillion.check;

import java.time.Duration;
import java.time.Instant;

/**
 * The controller's settings as far as they decide what is right, and the time.
 *
 * @param namespace the controller's own
 * @param admissionDeadline when an answer of the webhooks is sent at the latest
 */
public record CheckOptions(Instant now, String namespace, Duration admissionDeadline, Certificates certificates, Served gate,
        Served launchPriority) {
    /** The Secret that all replicas share. */
    public static final String SECRET = "pillion-webhook-certs";
    /** How the Leases of Pillion's slots begin. */
    public static final String SLOT = "pillion-slot-";
    /** The Lease of OpenKruise's manager. */
    public static final String OTHER_MANAGER = "kruise-manager";
    /** Names of the own webhook configurations. */
    static final String MUTATING_NAME = "pillion-mutating-webhook-configuration";
    static final String VALIDATING_NAME = "pillion-validating-webhook-configuration";

    /** Where certificates come from. */
    public enum Certificates {
        OWN, EXTERNAL
    }

    /** Whether a controller does its part for Pods that wait for it. */
    public enum Served {
        YES, NO
    }
}
