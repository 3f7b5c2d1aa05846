package dev.pillion.kube;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

import org.junit.jupiter.api.Test;

class TypedStoreTest {
    private final List<String> told = new ArrayList<>();
    private final TypedStore<String> store = new TypedStore<>(value -> value.substring(0, 1),
            (old, now) -> told.add(old.orElse("-") + ">" + now.orElse("-")));

    @Test
    void findsTheObjectsOfAGroup() {
        store.seen(item("one", 1, "a1"));
        store.seen(item("two", 2, "a2"));
        store.seen(item("three", 3, "b1"));
        store.gone(item("two", 4, "a2"));

        assertThat(store.of("a")).containsExactly("a1");
        assertThat(store.of("b")).containsExactly("b1");
        assertThat(store.of("c")).isEmpty();
    }

    @Test
    void anOwnDeleteIsSeenAtOnceAndToldWhenTheWatchTells() {
        store.seen(item("one", 1, "a1"));
        store.applyOwnDelete("one");
        assertThat(store.of("a")).isEmpty();
        assertThat(store.get("one")).isEmpty();
        assertThat(told).containsExactly("->a1");

        store.gone(item("one", 2, "a1"));
        assertThat(told).containsExactly("->a1", "a1>-");
    }

    @Test
    void aNameThatIsMadeAnewAfterAnOwnDeleteIsThere() {
        store.seen(item("one", 1, "a1"));
        store.applyOwnDelete("one");
        store.applyOwnWrite(item("one", 3, "a3"));

        assertThat(store.of("a")).containsExactly("a3");
    }

    private static ObjectReader.Item<String> item(String key, int version, String value) {
        return new ObjectReader.Item<>(key, Integer.toString(version), Optional.of(value));
    }
}
