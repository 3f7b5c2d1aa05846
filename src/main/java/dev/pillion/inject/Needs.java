package dev.pillion.inject;

import java.util.Set;

/** What must be read live before a request can be answered, because the index lacks it. */
public record Needs(Set<String> namespaces, Set<String> revisions, Set<LiveAnswers.CustomVersion> customVersions) {
    public static final Needs NONE = new Needs(Set.of(), Set.of(), Set.of());

    public Needs {
        namespaces = Set.copyOf(namespaces);
        revisions = Set.copyOf(revisions);
        customVersions = Set.copyOf(customVersions);
    }

    public boolean isEmpty() {
        return namespaces.isEmpty() && revisions.isEmpty() && customVersions.isEmpty();
    }
}
