package dev.pillion.validate;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;

import dev.pillion.api.LabelSelector;
import dev.pillion.api.LabelSelector.Requirement;
import dev.pillion.api.SidecarSet;

/** Whether two sets could match one pod (validation.md 10). */
final class Overlap {
    private static final String ALL = "ALL";

    private final ValidateOptions.Overlap mode;

    Overlap(ValidateOptions.Overlap mode) {
        this.mode = mode;
    }

    boolean canMatchOnePod(SidecarSet a, SidecarSet b) {
        // Trap 3: a set stored without selector matches nothing.
        if (a.selector().isEmpty() || b.selector().isEmpty()) {
            return false;
        }
        boolean namespaces = switch (mode) {
            case COMPATIBLE -> a.namespaceSelector().isEmpty() || b.namespaceSelector().isEmpty()
                    || overlap(a.namespaceSelector().get(), b.namespaceSelector().get());
            // One selector alone may exclude every namespace.
            case STRICT -> example(selectors(a.namespaceSelector(), b.namespaceSelector())).isPresent();
        };
        return namespaces && overlap(a.selector().get(), b.selector().get());
    }

    boolean overlap(LabelSelector a, LabelSelector b) {
        return switch (mode) {
            case COMPATIBLE -> !disjoint(a, b) && !disjoint(b, a);
            case STRICT -> jointly(a, b);
        };
    }

    /** Rule 10.3, with its wildcard and its united values (traps 5, 6). */
    private static boolean disjoint(LabelSelector a, LabelSelector b) {
        Map<String, List<String>> values = new HashMap<>();
        a.matchLabels().forEach((k, v) -> values.put(k, new ArrayList<>(List.of(v))));
        for (Requirement r : a.matchExpressions()) {
            switch (r.operator()) {
                case "In" -> values.computeIfAbsent(r.key(), _ -> new ArrayList<>()).addAll(r.values());
                case "Exists" -> values.put(r.key(), new ArrayList<>(List.of(ALL)));
                default -> {
                    // NotIn and DoesNotExist add nothing.
                }
            }
        }
        for (Map.Entry<String, String> label : b.matchLabels().entrySet()) {
            List<String> own = values.get(label.getKey());
            if (own != null && !own.contains(ALL) && !own.contains(label.getValue())) {
                return true;
            }
        }
        return b.matchExpressions().stream().anyMatch(r -> excludes(values.get(r.key()), r));
    }

    private static boolean excludes(@Nullable List<String> own, Requirement r) {
        return switch (r.operator()) {
            case "In" -> own != null && !own.contains(ALL) && own.stream().noneMatch(r.values()::contains);
            case "NotIn" -> own != null && r.values().containsAll(own);
            case "Exists" -> own == null;
            case "DoesNotExist" -> own != null;
            default -> false;
        };
    }

    /** Strict: some labels satisfy both. */
    private static boolean jointly(LabelSelector a, LabelSelector b) {
        return example(List.of(a, b)).isPresent();
    }

    static List<LabelSelector> selectors(Optional<LabelSelector> a, Optional<LabelSelector> b) {
        return Stream.of(a, b).flatMap(Optional::stream).toList();
    }

    /**
     * Labels, in the order of their keys, that satisfy all the selectors; empty when there are none. Judged key by key, since requirements
     * on different keys never touch each other.
     */
    static Optional<Map<String, String>> example(List<LabelSelector> selectors) {
        Map<String, Domain> domains = new TreeMap<>();
        for (LabelSelector selector : selectors) {
            selector.matchLabels().forEach((k, v) -> domains.computeIfAbsent(k, _ -> new Domain()).in(List.of(v)));
            for (Requirement r : selector.matchExpressions()) {
                Domain domain = domains.computeIfAbsent(r.key(), _ -> new Domain());
                switch (r.operator()) {
                    case "In" -> domain.in(r.values());
                    case "NotIn" -> domain.excluded.addAll(r.values());
                    case "Exists" -> domain.needed = true;
                    case "DoesNotExist" -> domain.absent = true;
                    default -> {
                        // Refused elsewhere; says nothing about overlap.
                    }
                }
            }
        }
        Map<String, String> labels = new LinkedHashMap<>();
        for (Map.Entry<String, Domain> entry : domains.entrySet()) {
            Domain domain = entry.getValue();
            Optional<String> value = domain.value();
            if (domain.needed && (domain.absent || value.isEmpty())) {
                return Optional.empty();
            }
            value.filter(_ -> domain.needed).ifPresent(v -> labels.put(entry.getKey(), v));
        }
        return Optional.of(labels);
    }

    /** What all requirements on one key allow. */
    private static final class Domain {
        private final Set<String> excluded = new HashSet<>();
        private Optional<Set<String>> allowed = Optional.empty();
        private boolean needed;
        private boolean absent;

        void in(List<String> values) {
            needed = true;
            Set<String> both = new LinkedHashSet<>(values);
            allowed.ifPresent(both::retainAll);
            allowed = Optional.of(both);
        }

        /** Some value that the key may have; empty when there is none. */
        Optional<String> value() {
            return allowed.isPresent()
                    ? allowed.get().stream().filter(v -> !excluded.contains(v)).findFirst()
                    : Stream.iterate("any", v -> v + "-other").filter(v -> !excluded.contains(v)).findFirst();
        }
    }
}
