package dev.pillion.sim;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.client.informers.cache.ItemStore;

/** What an informer keeps of each object: a stripped copy. A whole Pod takes 34 KB of heap. */
final class SlimStore<T extends HasMetadata> implements ItemStore<T> {
    private final Map<String, T> items = new ConcurrentHashMap<>();
    private final UnaryOperator<T> strip;

    SlimStore(UnaryOperator<T> strip) {
        this.strip = strip;
    }

    @Override
    public String getKey(T object) {
        String namespace = object.getMetadata().getNamespace();
        return (namespace == null ? "" : namespace + "/") + object.getMetadata().getName();
    }

    @Override
    public @Nullable T put(String key, T object) {
        return items.put(key, strip.apply(object));
    }

    @Override
    public @Nullable T remove(String key) {
        return items.remove(key);
    }

    @Override
    public Stream<String> keySet() {
        return items.keySet().stream();
    }

    @Override
    public Stream<T> values() {
        return items.values().stream();
    }

    @Override
    public int size() {
        return items.size();
    }

    @Override
    public @Nullable T get(String key) {
        return items.get(key);
    }

    @Override
    public boolean isFullState() {
        return false;
    }
}
