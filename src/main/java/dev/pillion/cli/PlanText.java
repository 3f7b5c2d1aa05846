package dev.pillion.cli;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

import dev.pillion.api.PodKey;
import dev.pillion.api.SidecarSet;
import dev.pillion.explain.Waits;
import dev.pillion.rollout.Standing;
import dev.pillion.rollout.WaitReason;

/** What a set that is not applied yet would do to the Pods there are, in lines. */
final class PlanText {
    private final RolloutLook look;
    private final int limit;

    PlanText(RolloutLook look, int limit) {
        this.look = look;
        this.limit = limit;
    }

    /** What the change means for running Pods, by the two hashes. */
    String change(Optional<SidecarSet> old) {
        SidecarSet set = look.set();
        if (old.isEmpty()) {
            return "a new SidecarSet: only pods created from now on get its sidecars";
        }
        if (old.get().hash().equals(set.hash())) {
            return "containers stay as they are: running pods need no update";
        }
        return old.get().hashWithoutImage().equals(set.hashWithoutImage())
                ? "only images change, which running pods take over in place: " + SetText.images(set)
                : "more than images changes: running pods keep what they have until they are re-created";
    }

    String pods() {
        return look.selected().size() + " match, " + look.found().matching().size() + " of them carry the sidecars";
    }

    /** One line for each fate, those that are updated first. */
    List<String> rollout() {
        List<String> lines = new ArrayList<>();
        add(lines, look.standing(Standing.State.NEXT), "updated first");
        add(lines, look.waitingFor(WaitReason.MAX_UNAVAILABLE), "follow, as maxUnavailable allows");
        add(lines, look.waitingFor(WaitReason.UPGRADING), "follow when an earlier update has ended");
        for (WaitReason reason : List.of(WaitReason.PARTITION, WaitReason.NOT_SELECTED, WaitReason.NOT_UPGRADABLE, WaitReason.NOT_UPDATE,
                WaitReason.PAUSED, WaitReason.SET_DELETING, WaitReason.FLIPPING, WaitReason.OTHER_CONTAINERS)) {
            add(lines, look.waitingFor(reason), "left alone (" + reason.word() + "): " + Waits.reason(reason));
        }
        return lines;
    }

    private void add(List<String> lines, List<Standing> standings, String what) {
        if (!standings.isEmpty()) {
            lines.add(count(standings.stream().map(Standing::pod).toList()) + " " + what);
        }
    }

    /** Matching Pods without sidecars, by reason. */
    List<String> lacking(WholeView all) {
        List<String> lines = new ArrayList<>();
        all.lacking(look).forEach((reason, pods) -> lines
                .add(count(pods.stream().map(WholeView.Lacking::pod).toList()) + " stay without sidecars (" + reason + ")"));
        return lines;
    }

    private String count(List<PodKey> pods) {
        return pods.size() + (pods.size() == 1 ? " pod" : " pods") + " (" + SetText.names(pods, limit) + ")";
    }
}
