package dev.pillion.match;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReference;

import org.jspecify.annotations.Nullable;

import dev.pillion.api.ByteOrder;
import dev.pillion.api.Revision;
import dev.pillion.api.SetKey;
import dev.pillion.api.SidecarSet;
import dev.pillion.api.Wire;

/**
 * Immutable snapshot of all SidecarSets, compiled, with the Namespaces' labels, the pinned revisions and the whitelist; published by
 * reference (design.md 3). Finding the sets of a pod costs by candidates, not by sets (FR-56).
 */
public final class SetIndex {
    private static final Comparator<CompiledSet> BY_NAME = Comparator.comparing(CompiledSet::name, ByteOrder.UTF8);

    /** Of several revisions with one custom version the greatest counts; creation times are RFC 3339 in UTC, so texts order as times. */
    public static final Comparator<Revision> REVISION_ORDER = Comparator.comparingLong(Revision::number).thenComparing(Revision::created)
            .thenComparing(Revision::name, ByteOrder.UTF8);

    /**
     * What goes into an index.
     *
     * @param revisions those that some set pins, by name or by custom version
     * @param whitelist text of the configuration's whitelist key, empty when there is none (validation.md)
     */
    public record Content(Collection<SidecarSet> sets, Collection<NamespaceView> namespaces, Collection<Revision> revisions,
            Optional<String> whitelist) {
        public Content {
            sets = List.copyOf(sets);
            namespaces = List.copyOf(namespaces);
            revisions = List.copyOf(revisions);
        }
    }

    public static final SetIndex EMPTY = of(List.of(), List.of());

    private final Content content;
    private final Map<SetKey, CompiledSet> sets = new HashMap<>();
    private final Map<String, NamespaceView> namespaces = new HashMap<>();
    private final Map<String, Revision> revisions = new HashMap<>();
    private final Map<String, List<Revision>> revisionsBySet = new HashMap<>();
    private final Filing filing;
    private final Restorations restorations;
    private final Optional<NameIndex.Base> earlierNames;
    /** Made at the first conflict check: pods never need it. */
    private final AtomicReference<@Nullable NameIndex> names = new AtomicReference<>();

    /** @param earlier the index before the change, if there was one */
    private SetIndex(Content content, Optional<SetIndex> earlier, Restorations restorations) {
        this.content = content;
        this.restorations = restorations;
        this.earlierNames = earlier.flatMap(e -> Optional.ofNullable(e.names.get()).map(NameIndex::base).or(() -> e.earlierNames));
        Map<SetKey, CompiledSet> before = earlier.map(e -> e.sets).orElse(Map.of());
        for (SidecarSet set : content.sets()) {
            CompiledSet known = before.get(set.key());
            sets.put(set.key(), known == null ? CompiledSet.of(set) : isSame(known.set(), set) ? known : known.with(set));
        }
        restorations.retain(sets.keySet());
        content.namespaces().forEach(n -> namespaces.put(n.name(), n));
        content.revisions().forEach(r -> {
            revisions.put(r.name(), r);
            revisionsBySet.computeIfAbsent(r.labels().getOrDefault(Wire.SET_NAME_LABEL, ""), _ -> new ArrayList<>(1)).add(r);
        });
        filing = earlier.filter(e -> Filing.isSame(e.sets, sets)).map(e -> e.filing).orElseGet(() -> Filing.of(sets));
    }

    @SuppressWarnings("ReferenceEquality") // informers keep the instance of an unchanged object; only of others the specs are compared
    private static boolean isSame(SidecarSet a, SidecarSet b) {
        return a == b;
    }

    public static SetIndex of(Collection<SidecarSet> sets, Collection<NamespaceView> namespaces) {
        return of(new Content(sets, namespaces, List.of(), Optional.empty()));
    }

    public static SetIndex of(Content content) {
        return new SetIndex(content, Optional.empty(), new Restorations());
    }

    /** The index after a change; of sets that are the same instances as here, or have the same spec, nothing is compiled again. */
    public SetIndex next(Content changed) {
        return new SetIndex(changed, Optional.of(this), restorations);
    }

    /** Where the sets are filed. */
    Filing filing() {
        return filing;
    }

    public Content content() {
        return content;
    }

    public Optional<SidecarSet> set(SetKey key) {
        return compiled(key).map(CompiledSet::set);
    }

    public Optional<CompiledSet> compiled(SetKey key) {
        return Optional.ofNullable(sets.get(key));
    }

    public Collection<SidecarSet> sets() {
        return content.sets();
    }

    public Optional<NamespaceView> namespace(String name) {
        return Optional.ofNullable(namespaces.get(name));
    }

    public Collection<NamespaceView> namespaces() {
        return content.namespaces();
    }

    /** A pinned revision by its name, whoever it belongs to (injection.md 5). */
    public Optional<Revision> revision(String name) {
        return Optional.ofNullable(revisions.get(name));
    }

    /** The greatest pinned revision of that set with that custom version. */
    public Optional<Revision> revision(String setName, String customVersion) {
        return revisionsBySet.getOrDefault(setName, List.of()).stream()
                .filter(r -> customVersion.equals(r.labels().get(Wire.CUSTOM_VERSION_LABEL)))
                .max(REVISION_ORDER);
    }

    /** What pinned revisions restore, kept from one request to the next. */
    public Restorations restorations() {
        return restorations;
    }

    public Optional<String> whitelist() {
        return content.whitelist();
    }

    /**
     * Sets that may match a pod with these labels in this namespace: first those bound to the namespace, then the cluster-wide ones, each
     * by name (injection.md 4.2). A set left out does not match; one returned must still be tried, namespace selector included.
     */
    public List<CompiledSet> candidates(String namespace, Map<String, String> labels) {
        Set<LabelPair> pairs = new LinkedHashSet<>();
        labels.forEach((key, value) -> pairs.add(new LabelPair(key, value)));
        List<CompiledSet> bound = filing.bound(namespace, pairs, this::filed);
        bound.sort(BY_NAME);
        List<CompiledSet> wide = filing.wide(pairs, this::filed);
        wide.sort(BY_NAME);
        bound.addAll(wide);
        return bound;
    }

    /** What is filed is there. */
    private CompiledSet filed(SetKey key) {
        return Objects.requireNonNull(sets.get(key));
    }

    /** Sets that have a container, volume or patched annotation name in common with this one, by name (validation.md 10). */
    public List<SidecarSet> sharingNames(SidecarSet set) {
        NameIndex known = names.get();
        if (known == null) {
            known = NameIndex.of(sets, earlierNames);
            names.set(known);
        }
        return known.sharing(set);
    }

    /** All sets in the order of {@link #candidates}, for explaining: also those that cannot match. */
    public List<CompiledSet> all() {
        return sets.values().stream().sorted(Comparator.comparing((CompiledSet s) -> s.namespaces().isEmpty()).thenComparing(BY_NAME))
                .toList();
    }
}
