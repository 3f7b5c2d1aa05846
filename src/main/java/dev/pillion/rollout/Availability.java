package dev.pillion.rollout;

import java.util.List;
import java.util.Map;

import dev.pillion.api.LabelSelector;
import dev.pillion.api.PodView;
import dev.pillion.api.SidecarSet;
import dev.pillion.match.Selector;

/** What observers of a roll-out ask about one set's Pods: the judge of rollout.md 16.3, tables, summaries. Immutable. */
public final class Availability {
    private final SidecarSet set;
    private final SetRules rules;
    private final Selector selector;

    private Availability(SidecarSet set) {
        this.set = set;
        this.rules = new SetRules(set, RolloutOptions.PILLION);
        this.selector = set.selector().map(Selector::of).orElse(Selector.of(new LabelSelector(Map.of(), List.of())));
    }

    public static Availability of(SidecarSet set) {
        return new Availability(set);
    }

    /** Rules 2.1, 2.3 and 2.4: namespaces are not looked at, since the injected list already names the set. */
    public boolean counts(PodView pod) {
        return set.selector().isPresent() && pod.isActive() && pod.marks().injectedList().contains(set.name())
                && selector.matches(pod.labels())
                && rules.state().hasContainers(pod);
    }

    /** Rule 4.5. */
    public boolean isReady(PodView pod) {
        return rules.isReady(pod);
    }

    /** State consistent and ready (rules 4.3, 4.5). */
    public boolean isSound(PodView pod) {
        return rules.state().isConsistent(pod) && rules.isReady(pod);
    }

    /** Rule 7.2 for this number of matching Pods. */
    public int maxUnavailable(int pods) {
        return Budget.maxUnavailable(set.updateStrategy().maxUnavailable(), pods);
    }
}
