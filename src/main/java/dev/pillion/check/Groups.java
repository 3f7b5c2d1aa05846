package dev.pillion.check;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BiConsumer;

/** Objects by what was found about them, in the order of first appearance. */
final class Groups<K> {
    private final Map<K, List<String>> members = new LinkedHashMap<>();

    void add(K what, String object) {
        members.computeIfAbsent(what, _ -> new ArrayList<>()).add(object);
    }

    void forEach(BiConsumer<K, List<String>> user) {
        members.forEach(user);
    }
}
