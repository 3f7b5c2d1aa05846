package dev.pillion.kube;

import java.util.List;
import java.util.Optional;

import dev.pillion.api.Json;
import dev.pillion.api.Revision;
import dev.pillion.api.SidecarSet;

import tools.jackson.databind.node.ObjectNode;

/** Reads and writes ControllerRevisions; answers to own writes go into the local view at once. */
final class HttpRevisionWrites implements RevisionWrites {
    private final RawApi api;
    private final String namespace;
    private final TypedStore<Revision> view;

    HttpRevisionWrites(RawApi api, String namespace, TypedStore<Revision> view) {
        this.api = api;
        this.namespace = namespace;
        this.view = view;
    }

    @Override
    public List<Revision> of(String setName) {
        return view.of(setName);
    }

    @Override
    public Revision read(String name) {
        return KubeObjects.revision(api.getTree(path(name)));
    }

    @Override
    public Revision create(Revision revision, SidecarSet owner) {
        String body = Json.write(KubeObjects.create(revision, namespace, owner));
        return written(api.send("POST", KubeObjects.revisions(namespace), RawApi.JSON, body));
    }

    @Override
    public Revision renumber(Revision revision, long number) {
        ObjectNode patch = guarded(revision);
        patch.put("revision", number);
        return patched(revision, patch);
    }

    @Override
    public Revision label(Revision revision, String key, String value) {
        ObjectNode patch = guarded(revision);
        patch.withObjectProperty("metadata").putObject("labels").put(key, value);
        return patched(revision, patch);
    }

    @Override
    public void delete(Revision revision) {
        ObjectNode options = Json.object().put("apiVersion", "v1").put("kind", "DeleteOptions");
        options.putObject("preconditions").put("uid", revision.uid());
        try {
            api.send("DELETE", path(revision.name()), RawApi.JSON, Json.write(options));
        } catch (KubeException e) {
            // Gone, or another of the same name: the one meant is deleted either way.
            if (!e.isGone() && !e.isConflict()) {
                throw e;
            }
        }
        view.applyOwnDelete(revision.name());
    }

    private static ObjectNode guarded(Revision revision) {
        ObjectNode patch = Json.object();
        patch.putObject("metadata").put("uid", revision.uid()).put("resourceVersion", revision.resourceVersion());
        return patch;
    }

    private Revision patched(Revision revision, ObjectNode patch) {
        return written(api.send("PATCH", path(revision.name()), RawApi.MERGE, Json.write(patch)));
    }

    private Revision written(byte[] answer) {
        Revision revision = KubeObjects.revision(RawApi.tree(answer));
        view.applyOwnWrite(new ObjectReader.Item<>(revision.name(), revision.resourceVersion(), Optional.of(revision)));
        return revision;
    }

    private String path(String name) {
        return KubeObjects.revisions(namespace) + "/" + RawApi.encode(name);
    }
}
