package dev.pillion.rollout;

import dev.pillion.api.PodView;

/** One thing to do, in the order of the plan. The pod is the view the decision rests on; writes are guarded by its uid and resourceVersion. */
public sealed interface Decision {
    PodView pod();

    /** Write the new images and annotations (rollout.md 9). Only with faults kept the condition follows at once. */
    record Upgrade(PodView pod) implements Decision {
    }

    /** Set the idle twins to the empty image (rollout.md 10.4). */
    record Flip(PodView pod) implements Decision {
    }

    /** Set the condition with false (rollout.md 8). */
    record MarkNotUpgradable(PodView pod) implements Decision {
    }

    /** Set the condition with true: the pod was upgraded (rollout.md 9.9), or seen updated again (trap G). */
    record MarkUpgradable(PodView pod) implements Decision {
    }

    /** An expectation is overdue: read the pod live and tell the ledger (FR-27). */
    record ReadLive(PodView pod) implements Decision {
    }
}
