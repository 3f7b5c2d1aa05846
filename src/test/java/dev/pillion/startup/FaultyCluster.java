package dev.pillion.startup;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;

import dev.pillion.api.Json;
import dev.pillion.api.PodKey;
import dev.pillion.api.PodView;
import dev.pillion.api.SetKey;
import dev.pillion.api.SidecarSet;
import dev.pillion.kube.BarrierMap;
import dev.pillion.kube.BarrierWrites;
import dev.pillion.kube.EventSink;
import dev.pillion.kube.KubeException;
import dev.pillion.kube.LeaseRecord;
import dev.pillion.kube.PodCache;
import dev.pillion.kube.PodWrites;
import dev.pillion.podmeta.PodViews;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * A cluster in memory for one purpose: faults at chosen moments, which neither the sandbox nor a real API server gives on demand. The cache
 * shows what was there at the last {@link #watch}, plus own answers.
 */
final class FaultyCluster implements PodCache, PodWrites, BarrierWrites, EventSink {
    final List<String> log = new ArrayList<>();
    final List<String> events = new ArrayList<>();
    /** Called with the log line of each request before it happens; throws or changes things. */
    Consumer<String> before = _ -> {
    };
    private final Map<PodKey, ObjectNode> pods = new HashMap<>();
    private final Map<PodKey, PodView> cache = new HashMap<>();
    private final Map<String, BarrierMap> maps = new HashMap<>();
    private int version = 100;

    StartupPorts ports() {
        return new StartupPorts(this, this, this, this);
    }

    static KubeException unavailable() {
        return new KubeException(503, "ServiceUnavailable", false, "not now");
    }

    synchronized PodView put(String pod) {
        ObjectNode object = (ObjectNode) Json.read(pod.replace('\'', '"'));
        ((ObjectNode) object.path("metadata")).put("namespace", "n").put("resourceVersion", next());
        PodView view = PodViews.of(object);
        pods.put(view.key(), object);
        return watch(view.key());
    }

    /** Changes the stored Pod, which the cache does not see before {@link #watch}. */
    synchronized void change(PodKey key, Consumer<ObjectNode> step) {
        ObjectNode pod = find(key);
        step.accept(pod);
        ((ObjectNode) pod.path("metadata")).put("resourceVersion", next());
    }

    synchronized PodView watch(PodKey key) {
        PodView view = PodViews.of(find(key).deepCopy());
        cache.put(key, view);
        return view;
    }

    synchronized void remove(PodKey key) {
        pods.remove(key);
    }

    synchronized void forget(PodKey key) {
        cache.remove(key);
    }

    synchronized ObjectNode pod(PodKey key) {
        return find(key).deepCopy();
    }

    synchronized BarrierMap put(BarrierMap map) {
        maps.put(map.name(), map);
        return map;
    }

    synchronized Optional<BarrierMap> map(String name) {
        return Optional.ofNullable(maps.get(name));
    }

    synchronized void removeMap(String name) {
        maps.remove(name);
    }

    List<String> lines(String prefix) {
        return log.stream().filter(l -> l.startsWith(prefix)).toList();
    }

    private String next() {
        return Integer.toString(++version);
    }

    private void request(String line) {
        log.add(line);
        before.accept(line);
    }

    private ObjectNode find(PodKey key) {
        ObjectNode pod = pods.get(key);
        if (pod == null) {
            throw new KubeException(404, "NotFound", false, "pod " + key + " not found");
        }
        return pod;
    }

    // Pods

    @Override
    public synchronized Optional<PodView> get(PodKey key) {
        return Optional.ofNullable(cache.get(key));
    }

    @Override
    public List<PodView> naming(SetKey set) {
        return List.of();
    }

    @Override
    public synchronized void applyOwnWrite(PodView pod) {
        PodView known = cache.get(pod.key());
        if (known != null && known.uid().equals(pod.uid()) && pod.isNewerThan(known)) {
            cache.put(pod.key(), pod);
        }
    }

    @Override
    public synchronized PodView patch(PodKey key, String body) {
        request("patch " + key.name());
        ObjectNode pod = guarded(key, body);
        ObjectNode annotations = ((ObjectNode) pod.path("metadata")).withObjectProperty("annotations");
        Json.read(body).path("metadata").path("annotations").properties().forEach(e -> annotations.set(e.getKey(), e.getValue()));
        return stored(pod);
    }

    @Override
    public synchronized PodView patchStatus(PodKey key, String body) {
        request("status " + key.name());
        ObjectNode pod = guarded(key, body);
        ArrayNode conditions = pod.withObjectProperty("status").withArrayProperty("conditions");
        for (JsonNode condition : Json.read(body).path("status").path("conditions")) {
            conditions.removeIf(c -> c.path("type").equals(condition.path("type")));
            conditions.insert(0, condition);
        }
        return stored(pod);
    }

    private ObjectNode guarded(PodKey key, String body) {
        ObjectNode pod = find(key);
        JsonNode wanted = Json.read(body).path("metadata");
        if (!wanted.path("uid").equals(pod.path("metadata").path("uid"))) {
            throw new KubeException(422, "Invalid", true, "metadata.uid");
        }
        if (wanted.has("resourceVersion") && !wanted.path("resourceVersion").equals(pod.path("metadata").path("resourceVersion"))) {
            throw new KubeException(409, "Conflict", false, "the object has been modified");
        }
        return pod;
    }

    private PodView stored(ObjectNode pod) {
        ((ObjectNode) pod.path("metadata")).put("resourceVersion", next());
        return PodViews.of(pod.deepCopy());
    }

    @Override
    public synchronized PodView read(PodKey key) {
        request("read " + key.name());
        return PodViews.of(find(key).deepCopy());
    }

    @Override
    public Map<String, String> readAnnotations(PodKey key) {
        return Map.of();
    }

    // ConfigMaps

    @Override
    public synchronized Optional<BarrierMap> read(PodView pod) {
        request("get map");
        return map(pod.key().name() + "-barrier");
    }

    @Override
    public synchronized BarrierMap create(PodView pod, Set<String> keys) {
        request("create map");
        String name = pod.key().name() + "-barrier";
        if (maps.containsKey(name)) {
            throw new KubeException(409, "AlreadyExists", false, "configmaps \"" + name + "\" already exists");
        }
        return put(new BarrierMap("n", name, "m" + next(), keys, List.of(new BarrierMap.Owner("Pod", pod.uid())), false));
    }

    @Override
    public synchronized BarrierMap add(BarrierMap map, Set<String> keys) {
        request("add " + String.join(",", keys.stream().sorted().toList()));
        BarrierMap now = current(map);
        Set<String> all = new HashSet<>(now.keys());
        all.addAll(keys);
        return put(new BarrierMap(now.namespace(), now.name(), now.uid(), all, now.owners(), now.deleting()));
    }

    @Override
    public synchronized BarrierMap adopt(BarrierMap map, PodView pod, Set<String> keys) {
        request("adopt map");
        BarrierMap now = current(map);
        Set<String> all = new HashSet<>(now.keys());
        all.addAll(keys);
        return put(new BarrierMap(now.namespace(), now.name(), now.uid(), all, List.of(new BarrierMap.Owner("Pod", pod.uid())), false));
    }

    private BarrierMap current(BarrierMap map) {
        BarrierMap now = maps.get(map.name());
        if (now == null) {
            throw new KubeException(404, "NotFound", false, "configmaps \"" + map.name() + "\" not found");
        }
        if (!now.uid().equals(map.uid())) {
            throw new KubeException(409, "Conflict", false, "Precondition failed: UID in precondition");
        }
        return now;
    }

    @Override
    public synchronized void delete(BarrierMap map) {
        request("delete map");
        maps.computeIfPresent(map.name(), (_, now) -> now.uid().equals(map.uid()) ? null : now);
    }

    // Events

    @Override
    public void onSet(SidecarSet set, Type type, String reason, String note) {
        throw new IllegalStateException("no event about a set comes from here");
    }

    @Override
    public void onLease(LeaseRecord lease, Type type, String reason, String note) {
        throw new AssertionError("the start of Pods tells nothing about Leases");
    }

    @Override
    public synchronized void onPod(PodKey pod, String podUid, Type type, String reason, String note) {
        events.add(type + " " + reason + " " + pod + ": " + note);
    }
}
