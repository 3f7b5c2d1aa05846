package dev.pillion.match;

import java.util.Map;

/** A Namespace: its name and labels. */
public record NamespaceView(String name, Map<String, String> labels) {
    public NamespaceView {
        labels = Map.copyOf(labels);
    }
}
