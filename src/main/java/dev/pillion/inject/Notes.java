package dev.pillion.inject;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;

/** What was passed over without a refusal, by set; only gathered for explaining, the webhook's path makes no texts. */
final class Notes {
    private final InjectOptions.Look look;
    private final Map<String, List<String>> bySet = new HashMap<>();

    Notes(InjectOptions.Look look) {
        this.look = look;
    }

    void add(String set, Supplier<String> text) {
        switch (look) {
            case CANDIDATES -> {
            }
            case ALL_SETS -> bySet.computeIfAbsent(set, _ -> new ArrayList<>()).add(text.get());
        }
    }

    List<String> of(String set) {
        return List.copyOf(bySet.getOrDefault(set, List.of()));
    }
}
