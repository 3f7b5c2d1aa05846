package dev.pillion.kube;

import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BiConsumer;
import java.util.stream.Stream;

/** The local view of a kind with few objects, by name. Safe for all threads; the listener is called by the watch's thread only. */
final class TypedStore<T> implements Sink<T> {
    private final Map<String, ObjectReader.Item<T>> items = new ConcurrentHashMap<>();
    private final BiConsumer<Optional<T>, Optional<T>> listener;
    private final Set<String> listed = new HashSet<>();
    private History history = History.CONTINUED;
    private volatile long newestSeen;

    TypedStore(BiConsumer<Optional<T>, Optional<T>> listener) {
        this.listener = listener;
    }

    Optional<T> get(String name) {
        ObjectReader.Item<T> item = items.get(name);
        return item == null ? Optional.empty() : item.value();
    }

    Stream<T> all() {
        return items.values().stream().flatMap(i -> i.value().stream());
    }

    /** Puts the answer to an own write in, unless the watch has gone past it; tells nobody. */
    void applyOwnWrite(ObjectReader.Item<T> item) {
        if (version(item) <= newestSeen) {
            // The watch has told of this write or of a deletion after it.
            return;
        }
        items.merge(item.key(), item, (known, mine) -> version(known) > version(mine) ? known : mine);
    }

    void applyOwnDelete(String name) {
        items.remove(name);
    }

    @Override
    public void listBegins(History of) {
        listed.clear();
        history = of;
    }

    @Override
    public void listed(ObjectReader.Item<T> item) {
        listed.add(item.key());
        take(item, history);
    }

    @Override
    public void listEnds() {
        for (String name : List.copyOf(items.keySet())) {
            if (!listed.contains(name)) {
                remove(name);
            }
        }
        listed.clear();
        history = History.CONTINUED;
    }

    @Override
    public void seen(ObjectReader.Item<T> item) {
        take(item, History.CONTINUED);
    }

    @Override
    public void gone(ObjectReader.Item<T> item) {
        newestSeen = Math.max(newestSeen, version(item));
        remove(item.key());
    }

    private void take(ObjectReader.Item<T> item, History of) {
        newestSeen = of == History.LOST ? version(item) : Math.max(newestSeen, version(item));
        if (item.value().isEmpty()) {
            return;
        }
        ObjectReader.Item<T> known = items.get(item.key());
        if (known != null && of == History.CONTINUED && version(known) > version(item)) {
            return;
        }
        items.put(item.key(), item);
        listener.accept(known == null ? Optional.empty() : known.value(), item.value());
    }

    private void remove(String name) {
        ObjectReader.Item<T> known = items.remove(name);
        if (known != null) {
            listener.accept(known.value(), Optional.empty());
        }
    }

    private static long version(ObjectReader.Item<?> item) {
        try {
            return Long.parseLong(item.version());
        } catch (NumberFormatException e) {
            return 0;
        }
    }
}
