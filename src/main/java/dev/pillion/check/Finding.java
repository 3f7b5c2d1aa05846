package dev.pillion.check;

import java.util.List;

/**
 * One thing that was found, in the same way for all of its objects.
 *
 * @param kind of the objects
 * @param objects their names, those of namespaced ones as namespace/name; never empty
 * @param what a sentence without the objects' names
 * @param wayOut what to do
 */
public record Finding(Rule rule, String kind, List<String> objects, String what, String wayOut) {
    public Finding {
        objects = List.copyOf(objects);
    }

    static Finding of(Rule rule, String kind, String object, String what, String wayOut) {
        return new Finding(rule, kind, List.of(object), what, wayOut);
    }
}
