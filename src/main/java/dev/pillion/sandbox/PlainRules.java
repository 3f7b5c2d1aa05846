package dev.pillion.sandbox;

import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/** Rules of types that need no defaults and no checks of their own. */
final class PlainRules implements TypeRules {
    private final Set<Trait> traits;
    private final Map<String, List<String>> fields;

    private PlainRules(Set<Trait> traits, List<String> fields) {
        this.traits = traits;
        this.fields = paths(fields);
    }

    static PlainRules unconditional(List<String> fields) {
        return new PlainRules(Set.of(Trait.UNCONDITIONAL_UPDATE), fields);
    }

    /** Types whose DELETE answers the object. */
    static PlainRules answering() {
        return new PlainRules(Set.of(Trait.ANSWERS_DELETED), List.of());
    }

    /** Types with a generation; a PUT needs the resourceVersion. */
    static PlainRules counted() {
        return new PlainRules(Set.of(Trait.GENERATION), List.of());
    }

    /** Field names with dots as paths of members. */
    static Map<String, List<String>> paths(List<String> fields) {
        Map<String, List<String>> paths = new TreeMap<>();
        for (String field : fields) {
            paths.put(field, List.of(field.split("\\.", -1)));
        }
        return Map.copyOf(paths);
    }

    @Override
    public Set<Trait> traits() {
        return traits;
    }

    @Override
    public Map<String, List<String>> selectableFields() {
        return fields;
    }
}
