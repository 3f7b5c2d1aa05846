package dev.pillion.validate;

import java.util.List;

/** Every fault at once (conflicts only when there is no other), and warnings for accepted but risky input. */
public record Validation(List<Fault> faults, List<String> warnings) {
    public Validation {
        faults = List.copyOf(faults);
        warnings = List.copyOf(warnings);
    }

    public boolean isAccepted() {
        return faults.isEmpty();
    }
}
