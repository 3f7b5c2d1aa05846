package dev.pillion.kube;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

import dev.pillion.api.Json;
import dev.pillion.api.PodView;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** Barrier ConfigMaps as raw requests, in the form of neighbours.md 1.1 and 1.4: no labels, one owner reference without controller. */
final class HttpBarrierWrites implements BarrierWrites {
    private static final String SUFFIX = "-barrier";
    private static final String OPEN = "true";

    private final RawApi api;

    HttpBarrierWrites(RawApi api) {
        this.api = api;
    }

    @Override
    public Optional<BarrierMap> read(PodView pod) {
        try {
            return Optional.of(map(api.getTree(path(pod.key().namespace(), pod.key().name() + SUFFIX))));
        } catch (KubeException e) {
            if (e.code() == 404) {
                return Optional.empty();
            }
            throw e;
        }
    }

    @Override
    public BarrierMap create(PodView pod, Set<String> keys) {
        ObjectNode object = Json.object().put("apiVersion", "v1").put("kind", "ConfigMap");
        ObjectNode metadata = object.putObject("metadata");
        metadata.put("name", pod.key().name() + SUFFIX).put("namespace", pod.key().namespace());
        own(metadata, pod);
        data(object, keys);
        return map(RawApi.tree(api.send("POST", KubeObjects.configMaps(pod.key().namespace()), RawApi.JSON, Json.write(object))));
    }

    @Override
    public BarrierMap add(BarrierMap map, Set<String> keys) {
        ObjectNode patch = guarded(map);
        data(patch, keys);
        return patched(map, patch);
    }

    @Override
    public BarrierMap adopt(BarrierMap map, PodView pod, Set<String> keys) {
        ObjectNode patch = guarded(map);
        own(patch.withObjectProperty("metadata"), pod);
        data(patch, keys);
        return patched(map, patch);
    }

    @Override
    public void delete(BarrierMap map) {
        ObjectNode options = Json.object().put("apiVersion", "v1").put("kind", "DeleteOptions");
        options.putObject("preconditions").put("uid", map.uid());
        try {
            api.send("DELETE", path(map.namespace(), map.name()), RawApi.JSON, Json.write(options));
        } catch (KubeException e) {
            if (!e.isGone() && !e.isConflict()) {
                throw e;
            }
        }
    }

    /** The uid keeps a write from reaching another ConfigMap of the same name; without a resourceVersion, others may add keys meanwhile. */
    private static ObjectNode guarded(BarrierMap map) {
        ObjectNode patch = Json.object();
        patch.putObject("metadata").put("uid", map.uid());
        return patch;
    }

    private static void own(ObjectNode metadata, PodView pod) {
        metadata.putArray("ownerReferences").addObject().put("apiVersion", "v1").put("kind", "Pod").put("name", pod.key().name()).put("uid",
                pod.uid());
    }

    private static void data(ObjectNode object, Set<String> keys) {
        ObjectNode data = object.putObject("data");
        keys.stream().sorted().forEach(key -> data.put(key, OPEN));
    }

    private BarrierMap patched(BarrierMap map, ObjectNode patch) {
        return map(RawApi.tree(api.send("PATCH", path(map.namespace(), map.name()), RawApi.STRATEGIC, Json.write(patch))));
    }

    private static BarrierMap map(ObjectNode object) {
        JsonNode metadata = object.path("metadata");
        List<BarrierMap.Owner> owners = new ArrayList<>();
        metadata.path("ownerReferences").forEach(o -> owners.add(new BarrierMap.Owner(Json.text(o, "kind"), Json.text(o, "uid"))));
        return new BarrierMap(Json.text(metadata, "namespace"), Json.text(metadata, "name"), Json.text(metadata, "uid"),
                new HashSet<>(object.path("data").propertyNames()), owners, metadata.path("deletionTimestamp").isString());
    }

    private static String path(String namespace, String name) {
        return KubeObjects.configMaps(namespace) + "/" + RawApi.encode(name);
    }
}
