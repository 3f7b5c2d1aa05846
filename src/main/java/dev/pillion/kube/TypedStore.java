package dev.pillion.kube;

import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BiConsumer;
import java.util.function.Function;

/**
 * The local view of a kind with few objects, by name and by a group of its own. Safe for all threads; the listener is called by the
 * watch's thread only, and hears of every object's end, also of one that was deleted by us.
 */
final class TypedStore<T> implements Sink<T> {
    private final Map<String, ObjectReader.Item<T>> items = new ConcurrentHashMap<>();
    private final Map<String, Set<String>> groups = new ConcurrentHashMap<>();
    /** Deleted by us, but the watch has not told of it. */
    private final Set<String> deleted = ConcurrentHashMap.newKeySet();
    private final Function<T, String> group;
    private final BiConsumer<Optional<T>, Optional<T>> listener;
    private final Set<String> listed = new HashSet<>();
    private History history = History.CONTINUED;
    private volatile long newestSeen;

    /** @param group what objects are asked for by; the same for the whole life of an object's name */
    TypedStore(Function<T, String> group, BiConsumer<Optional<T>, Optional<T>> listener) {
        this.group = group;
        this.listener = listener;
    }

    Optional<T> get(String name) {
        ObjectReader.Item<T> item = deleted.contains(name) ? null : items.get(name);
        return item == null ? Optional.empty() : item.value();
    }

    /** The objects of a group, at the cost of their number. */
    List<T> of(String wanted) {
        return groups.getOrDefault(wanted, Set.of()).stream().map(this::get).flatMap(Optional::stream).toList();
    }

    /**
     * Puts the answer to an own write in, unless the watch has gone past it; tells nobody. Excludes the watch, so that what it has gone
     * past is there to be read.
     */
    synchronized void applyOwnWrite(ObjectReader.Item<T> item) {
        if (version(item) <= newestSeen) {
            // The watch has told of this write or of a deletion after it.
            return;
        }
        items.merge(item.key(), item, (known, mine) -> version(known) > version(mine) ? known : mine);
        join(item);
    }

    /** Hides the object until the watch has told of its end. */
    void applyOwnDelete(String name) {
        if (items.containsKey(name)) {
            deleted.add(name);
        }
    }

    private void join(ObjectReader.Item<T> item) {
        deleted.remove(item.key());
        item.value().map(group).ifPresent(g -> groups.computeIfAbsent(g, _ -> ConcurrentHashMap.newKeySet()).add(item.key()));
    }

    private void leave(ObjectReader.Item<T> item) {
        deleted.remove(item.key());
        item.value().map(group).ifPresent(g -> groups.computeIfPresent(g, (_, names) -> {
            names.remove(item.key());
            return names.isEmpty() ? null : names;
        }));
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
        synchronized (this) {
            // Before the end of the object: an own write from before it must not come back.
            newestSeen = Math.max(newestSeen, version(item));
        }
        remove(item.key());
    }

    private void take(ObjectReader.Item<T> item, History of) {
        ObjectReader.Item<T> known;
        synchronized (this) {
            newestSeen = of == History.LOST ? version(item) : Math.max(newestSeen, version(item));
            if (item.value().isEmpty()) {
                return;
            }
            known = items.get(item.key());
            if (known != null && of == History.CONTINUED && version(known) > version(item)) {
                return;
            }
            items.put(item.key(), item);
            join(item);
        }
        listener.accept(known == null ? Optional.empty() : known.value(), item.value());
    }

    private void remove(String name) {
        ObjectReader.Item<T> known = items.remove(name);
        if (known != null) {
            leave(known);
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
