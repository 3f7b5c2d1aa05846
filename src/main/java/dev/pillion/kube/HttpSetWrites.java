package dev.pillion.kube;

import java.util.List;

import dev.pillion.api.Json;
import dev.pillion.api.SetStatus;
import dev.pillion.api.SidecarSet;

import tools.jackson.databind.node.ObjectNode;

/** Reads and writes SidecarSets as raw requests. */
final class HttpSetWrites implements SetWrites {
    /** Members of the status that are left out when empty; a merge patch would keep their old value. */
    private static final List<String> OMITTED_WHEN_EMPTY = List.of("observedGeneration", "updatedReadyPods", "latestRevision",
            "collisionCount");

    private final RawApi api;

    HttpSetWrites(RawApi api) {
        this.api = api;
    }

    /** A merge patch, so members of the status that others own stay. */
    @Override
    public SidecarSet writeStatus(SidecarSet set, SetStatus status) {
        ObjectNode patch = Json.object();
        patch.putObject("metadata").put("uid", set.uid()).put("resourceVersion", set.resourceVersion());
        ObjectNode members = status.toJson();
        OMITTED_WHEN_EMPTY.stream().filter(m -> !members.has(m)).forEach(members::putNull);
        patch.set("status", members);
        return SidecarSet.of(RawApi.tree(api.send("PATCH", path(set.name()) + "/status", RawApi.MERGE, Json.write(patch))));
    }

    @Override
    public SidecarSet read(String name) {
        return SidecarSet.of(api.getTree(path(name)));
    }

    private static String path(String name) {
        return KubeObjects.SETS + "/" + RawApi.encode(name);
    }
}
