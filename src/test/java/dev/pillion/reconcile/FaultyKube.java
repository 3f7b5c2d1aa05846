package dev.pillion.reconcile;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Consumer;

import dev.pillion.api.Json;
import dev.pillion.api.PodKey;
import dev.pillion.api.PodView;
import dev.pillion.api.Revision;
import dev.pillion.api.SetKey;
import dev.pillion.api.SetStatus;
import dev.pillion.api.SidecarSet;
import dev.pillion.api.Wire;
import dev.pillion.kube.EventSink;
import dev.pillion.kube.KubeException;
import dev.pillion.kube.LeaseRecord;
import dev.pillion.kube.PodCache;
import dev.pillion.kube.PodWrites;
import dev.pillion.kube.RevisionWrites;
import dev.pillion.kube.SetWrites;
import dev.pillion.podmeta.PodViews;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * A cluster in memory for one purpose: faults at chosen moments, which neither the sandbox nor a real API server gives on demand. The
 * cache shows what was there at the last {@link #watch}, plus own answers. Knows just enough of a merge for our own patches.
 */
final class FaultyKube implements PodCache, PodWrites, SetWrites, EventSink {
    final List<String> log = new ArrayList<>();
    final List<String> events = new ArrayList<>();
    /** Called with the log line of each write before it happens; throws or changes things. */
    Consumer<String> before = _ -> {
    };
    /** The same when a write of a Pod begins, while others go on; may wait. */
    volatile Consumer<String> atBegin = _ -> {
    };
    /** The same after it happened. */
    Consumer<String> after = _ -> {
    };
    private final TreeMap<PodKey, ObjectNode> pods = new TreeMap<>();
    private final Map<PodKey, PodView> cache = new HashMap<>();
    private final Map<String, ObjectNode> sets = new HashMap<>();
    final Revisions revisions = new Revisions();
    private int version = 100;

    KubePorts ports() {
        return new KubePorts(this, this, this, revisions, this);
    }

    synchronized SidecarSet put(ObjectNode set) {
        ((ObjectNode) set.path("metadata")).put("resourceVersion", next());
        sets.put(set.path("metadata").path("name").asString(), set);
        return SidecarSet.of(set.deepCopy());
    }

    synchronized void put(PodKey key, ObjectNode pod) {
        ((ObjectNode) pod.path("metadata")).put("resourceVersion", next());
        pods.put(key, pod);
    }

    synchronized void change(PodKey key, Consumer<ObjectNode> step) {
        ObjectNode pod = find(key);
        step.accept(pod);
        put(key, pod);
    }

    synchronized void delete(PodKey key) {
        pods.remove(key);
    }

    /** The cache catches up. Returns all views, for the inbox. */
    synchronized List<PodView> watch() {
        cache.clear();
        pods.forEach((key, pod) -> cache.put(key, PodViews.of(pod)));
        return List.copyOf(cache.values());
    }

    synchronized SidecarSet stored(String name) {
        return SidecarSet.of(find(name).deepCopy());
    }

    synchronized ObjectNode pod(PodKey key) {
        return find(key).deepCopy();
    }

    /** Puts a revision in as it is. */
    void keep(Revision revision) {
        revisions.stored.put(revision.name(), revision);
    }

    List<String> lines(String prefix) {
        return log.stream().filter(l -> l.startsWith(prefix)).toList();
    }

    private String next() {
        return Integer.toString(++version);
    }

    private ObjectNode find(PodKey key) {
        ObjectNode pod = pods.get(key);
        if (pod == null) {
            throw new KubeException(404, "NotFound", false, "pod " + key + " not found");
        }
        return pod;
    }

    private ObjectNode find(String set) {
        ObjectNode found = sets.get(set);
        if (found == null) {
            throw new KubeException(404, "NotFound", false, "sidecarset " + set + " not found");
        }
        return found;
    }

    private static void guard(ObjectNode stored, JsonNode preconditions) {
        if (!preconditions.path("uid").asString().equals(stored.path("metadata").path("uid").asString())) {
            throw new KubeException(422, "Invalid", true, "metadata.uid");
        }
        if (!preconditions.path("resourceVersion").asString().equals(stored.path("metadata").path("resourceVersion").asString())) {
            throw new KubeException(409, "Conflict", false, "the object has been modified");
        }
    }

    // Pods

    @Override
    public synchronized Optional<PodView> get(PodKey key) {
        return Optional.ofNullable(cache.get(key));
    }

    @Override
    public synchronized List<PodView> naming(SetKey set) {
        return cache.values().stream().filter(p -> p.marks().injectedList().contains(set.name())).toList();
    }

    @Override
    public synchronized void applyOwnWrite(PodView pod) {
        PodView known = cache.get(pod.key());
        if (known != null && pod.isNewerThan(known)) {
            cache.put(pod.key(), pod);
        }
    }

    @Override
    public PodView patch(PodKey key, String body) {
        atBegin.accept("patch " + key.name());
        return write("patch " + key.name(), key, body);
    }

    @Override
    public PodView patchStatus(PodKey key, String body) {
        atBegin.accept("status " + key.name());
        return write("status " + key.name(), key, body);
    }

    private synchronized PodView write(String line, PodKey key, String body) {
        log.add(line);
        before.accept(line);
        ObjectNode pod = find(key);
        ObjectNode patch = (ObjectNode) Json.read(body);
        guard(pod, patch.path("metadata"));
        ObjectNode annotations = ((ObjectNode) pod.path("metadata")).withObject("annotations");
        patch.path("metadata").path("annotations").properties().forEach(e -> annotations.set(e.getKey(), e.getValue()));
        for (JsonNode changed : patch.path("spec").path("containers")) {
            for (JsonNode container : pod.path("spec").path("containers")) {
                if (container.path("name").equals(changed.path("name"))) {
                    ((ObjectNode) container).set("image", changed.path("image"));
                }
            }
        }
        for (JsonNode condition : patch.path("status").path("conditions")) {
            var conditions = ((ObjectNode) pod.path("status")).withArray("conditions");
            conditions.removeIf(c -> c.path("type").equals(condition.path("type")));
            conditions.insert(0, condition);
        }
        put(key, pod);
        PodView answer = PodViews.of(pod.deepCopy());
        after.accept(line);
        return answer;
    }

    @Override
    public synchronized PodView read(PodKey key) {
        log.add("read " + key.name());
        before.accept("read " + key.name());
        return PodViews.of(find(key).deepCopy());
    }

    @Override
    public synchronized Map<String, String> readAnnotations(PodKey key) {
        return PodViews.of(find(key)).marks().raw().all();
    }

    // Sets

    @Override
    public synchronized SidecarSet writeStatus(SidecarSet set, SetStatus status) {
        log.add("set " + status.updatedPods() + "/" + status.matchedPods());
        before.accept("set");
        ObjectNode stored = find(set.name());
        ObjectNode preconditions = Json.object().put("uid", set.uid()).put("resourceVersion", set.resourceVersion());
        guard(stored, preconditions);
        stored.set("status", status.toJson());
        return put(stored);
    }

    @Override
    public synchronized SidecarSet read(String name) {
        return stored(name);
    }

    /** Own revisions, always as they are. */
    final class Revisions implements RevisionWrites {
        private final Map<String, Revision> stored = new TreeMap<>();

        @Override
        public List<Revision> of(String setName) {
            return stored.values().stream().filter(r -> setName.equals(r.labels().get(Wire.SET_NAME_LABEL))).toList();
        }

        @Override
        public Revision read(String name) {
            return Optional.ofNullable(stored.get(name)).orElseThrow(() -> new KubeException(404, "NotFound", false, name));
        }

        @Override
        public Revision create(Revision r, SidecarSet owner) {
            log.add("revision " + r.number());
            before.accept("revision");
            if (stored.containsKey(r.name())) {
                throw new KubeException(409, "AlreadyExists", false, r.name());
            }
            return keep(r, r.number(), r.labels());
        }

        private Revision keep(Revision r, long number, Map<String, String> labels) {
            Revision kept = new Revision(r.name(), "uid-" + r.name(), next(), number, r.created(), labels, r.annotations(), r.data(),
                    r.ownerUid());
            stored.put(r.name(), kept);
            return kept;
        }

        @Override
        public Revision renumber(Revision r, long number) {
            log.add("renumber " + number);
            before.accept("renumber");
            return keep(r, number, r.labels());
        }

        @Override
        public Revision label(Revision r, String key, String value) {
            before.accept("label");
            Map<String, String> labels = new HashMap<>(r.labels());
            labels.put(key, value);
            return keep(r, r.number(), labels);
        }

        @Override
        public void delete(Revision r) {
            log.add("delete revision " + r.number());
            before.accept("delete revision");
            stored.remove(r.name());
        }
    }

    // Events

    @Override
    public synchronized void onSet(SidecarSet set, Type type, String reason, String note) {
        events.add(type + " " + reason + " " + set.name() + ": " + note);
    }

    @Override
    public synchronized void onLease(LeaseRecord lease, Type type, String reason, String note) {
        throw new AssertionError("a reconcile tells nothing about Leases");
    }

    @Override
    public synchronized void onPod(PodKey pod, String podUid, Type type, String reason, String note) {
        events.add(type + " " + reason + " " + pod.name() + ": " + note);
    }
}
