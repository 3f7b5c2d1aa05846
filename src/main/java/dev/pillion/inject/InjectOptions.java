package dev.pillion.inject;

import dev.pillion.expr.Expression.VariableSearch;

/** Every rule of injection that a setting or a trap's verdict changes. */
public record InjectOptions(SameName sameName, Sort sort, ReadinessGate readinessGate, LaunchPriority launchPriority, Repeat repeat,
        ZeroPercent zeroPercent, VariableSearch variableSearch, UnknownNamespace unknownNamespace, OtherRequests otherRequests, Look look) {

    /** Setting injection.same-name: what happens to a container of the pod that has a sidecar's name (trap 7, FR-01). */
    public enum SameName {
        REPLACE,
        /** Only one that carries the injection marker is replaced. */
        REFUSE
    }

    /** Setting injection.sort-by-name. */
    public enum Sort {
        AS_WRITTEN, BY_NAME
    }

    /** Setting injection.readiness-gate: which pods get the gate (neighbours.md 2.1). */
    public enum ReadinessGate {
        OWNED, ALL, OFF
    }

    /** Setting injection.launch-priority (neighbours.md 1.2). */
    public enum LaunchPriority {
        ON, OFF
    }

    /** A pod that was here before, in a second call or as a dump (FR-02, FR-20; traps 32, 33; neighbours.md 1.6 trap 4). */
    public enum Repeat {
        /** Everything is written anew, as in the reference. */
        REWRITE,
        /** What is as it should be stays, times included. */
        KEEP
    }

    /** Whether a draw of exactly p picks the revision (trap 5). */
    public enum ZeroPercent {
        MAY_PICK_REVISION, NEVER_PICKS_REVISION
    }

    /** A Namespace that the index lacks (trap 3). */
    public enum UnknownNamespace {
        NO_MATCH, READ_LIVE
    }

    /** Sub-resources and updates (injection.md 10, FR-23). */
    public enum OtherRequests {
        /** Readiness gate on created sub-resources; an update without old object is refused. */
        AS_REFERENCE, SKIP
    }

    /** Which sets get a verdict. */
    public enum Look {
        CANDIDATES,
        /** For explaining: also sets that the index rules out. */
        ALL_SETS
    }

    public static final InjectOptions REFERENCE = new InjectOptions(SameName.REPLACE, Sort.AS_WRITTEN, ReadinessGate.OWNED,
            LaunchPriority.ON, Repeat.REWRITE, ZeroPercent.MAY_PICK_REVISION, VariableSearch.EXACT, UnknownNamespace.NO_MATCH,
            OtherRequests.AS_REFERENCE, Look.CANDIDATES);

    public static final InjectOptions PILLION = new InjectOptions(SameName.REPLACE, Sort.AS_WRITTEN, ReadinessGate.OWNED,
            LaunchPriority.ON, Repeat.KEEP, ZeroPercent.NEVER_PICKS_REVISION, VariableSearch.ANY_CASE, UnknownNamespace.READ_LIVE,
            OtherRequests.SKIP, Look.CANDIDATES);

    /** These options with the settings of section injection of settings.md. */
    public InjectOptions with(SameName names, Sort order, ReadinessGate gate, LaunchPriority launch) {
        return new InjectOptions(names, order, gate, launch, repeat, zeroPercent, variableSearch, unknownNamespace, otherRequests, look);
    }

    public InjectOptions looking(Look sets) {
        return new InjectOptions(sameName, sort, readinessGate, launchPriority, repeat, zeroPercent, variableSearch, unknownNamespace,
                otherRequests, sets);
    }
}
