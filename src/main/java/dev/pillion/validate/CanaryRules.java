package dev.pillion.validate;

import java.util.Optional;
import java.util.function.Function;

import dev.pillion.api.SidecarSet;
import dev.pillion.api.Wire;

/** A canary set and its base (validation.md 6). */
final class CanaryRules {
    private final Faults faults;

    CanaryRules(Faults faults) {
        this.faults = faults;
    }

    /** @param sets finds a set by its name */
    void check(SidecarSet set, Optional<SidecarSet> old, Function<String, Optional<SidecarSet>> sets) {
        if (set.canaryOf().isEmpty()) {
            return;
        }
        String base = set.canaryOf().get();
        if (base.equals(set.name())) {
            invalid("a canary cannot be its own base: name another set in annotation " + Wire.BASE);
        }
        if (old.isPresent() && !old.get().annotations().getOrDefault(Wire.BASE, "").equals(base)) {
            invalid("annotation " + Wire.BASE + " cannot change: create a new canary instead");
        }
        Optional<SidecarSet> baseSet = sets.apply(base);
        if (baseSet.isEmpty()) {
            invalid("the base " + Faults.quoted(base) + " does not exist: create it first, or correct annotation " + Wire.BASE);
        } else if (baseSet.get().canaryOf().isPresent()) {
            invalid("the base " + Faults.quoted(base) + " is a canary itself: name its base");
        }
        if (!set.updateStrategy().isNotUpdate()) {
            invalid("a canary needs updateStrategy.type NotUpdate: it only concerns new pods");
        }
    }

    private void invalid(String text) {
        faults.invalid("metadata", text);
    }
}
