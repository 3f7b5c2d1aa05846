package dev.pillion.startup;

/** What can be switched on; each goes with the webhook's step of the same name, and never without it. */
public enum Feature {
    /** Sets the condition KruisePodReady. */
    READINESS_GATE,
    /** Keeps the barrier ConfigMaps. */
    LAUNCH_PRIORITY
}
