package dev.pillion.check;

/** A kind of OpenKruise that Pillion does not offer, and what it needs of OpenKruise (neighbours.md 4, 5). */
public enum OtherKind {
    WORKLOAD_SPREAD("apps.kruise.io", "WorkloadSpread", Rule.NEEDS_POD_WEBHOOK,
            "it needs OpenKruise's pod webhooks: without them new pods are no longer spread by it",
            "replace it by topologySpreadConstraints before that webhook goes, or put the take-over off"), //
    POD_UNAVAILABLE_BUDGET("policy.kruise.io", "PodUnavailableBudget", Rule.NEEDS_POD_WEBHOOK,
            "it needs OpenKruise's pod webhooks: without them nothing holds deletions back",
            "replace it by a PodDisruptionBudget before that webhook goes, or put the take-over off"), //
    PERSISTENT_POD_STATE("apps.kruise.io", "PersistentPodState", Rule.NEEDS_POD_WEBHOOK,
            "it needs OpenKruise's pod webhook: without it pods that are created anew may land on other nodes",
            "use volumes that are bound to nodes, or put the take-over off"), //
    POD_PROBE_MARKER("apps.kruise.io", "PodProbeMarker", Rule.NEEDS_MANAGER,
            "it needs OpenKruise's manager and node daemon, not its pod webhook (virtual nodes apart)", "keep both running"), //
    CLONE_SET("apps.kruise.io", "CloneSet", Rule.NEEDS_MANAGER, workload(), served()), //
    STATEFUL_SET("apps.kruise.io", "StatefulSet", Rule.NEEDS_MANAGER, workload(), served()), //
    DAEMON_SET("apps.kruise.io", "DaemonSet", Rule.NEEDS_MANAGER, workload(), served()), //
    BROADCAST_JOB("apps.kruise.io", "BroadcastJob", Rule.NEEDS_MANAGER, workload(), served());

    private final String group;
    private final String kind;
    private final Rule rule;
    private final String what;
    private final String wayOut;

    OtherKind(String group, String kind, Rule rule, String what, String wayOut) {
        this.group = group;
        this.kind = kind;
        this.rule = rule;
        this.what = what;
        this.wayOut = wayOut;
    }

    private static String workload() {
        return "its controller is in OpenKruise's manager; its pods get the readiness gate KruisePodReady";
    }

    private static String served() {
        return "keep the manager running with SidecarSets left to Pillion, and injection.readiness-gate at \"owned\" or \"all\"";
    }

    public String group() {
        return group;
    }

    public String kind() {
        return kind;
    }

    Rule rule() {
        return rule;
    }

    String what() {
        return what;
    }

    String wayOut() {
        return wayOut;
    }
}
