package dev.pillion.cli;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

import dev.pillion.api.Json;
import dev.pillion.api.Revision;
import dev.pillion.api.SidecarSet;
import dev.pillion.api.Wire;
import dev.pillion.kube.KubeObjects;
import dev.pillion.match.NamespaceView;
import dev.pillion.match.SetIndex;

/** What a controller would know if these objects were in its cluster. Sets have their {@link StoredForm}. */
final class FileCluster {
    private static final String NO_NAMESPACE = "";

    /** A set with the file it comes from. */
    record Stored(Manifest manifest, SidecarSet set) {
    }

    private final String ownNamespace;
    private final Map<String, Stored> sets = new LinkedHashMap<>();
    private final Map<String, NamespaceView> namespaces = new LinkedHashMap<>();
    private final List<Revision> revisions = new ArrayList<>();
    private final List<String> notes = new ArrayList<>();
    private Optional<String> whitelist = Optional.empty();

    private FileCluster(String ownNamespace) {
        this.ownNamespace = ownNamespace;
    }

    /**
     * Takes SidecarSets, Namespaces, ControllerRevisions and the whitelist out of the manifests; other kinds are passed over.
     *
     * @param ownNamespace the controller's, where revisions and whitelist count
     */
    static FileCluster of(List<Manifest> manifests, String ownNamespace) throws InputFault {
        FileCluster cluster = new FileCluster(ownNamespace);
        for (Manifest manifest : manifests) {
            cluster.take(manifest);
        }
        return cluster;
    }

    private void take(Manifest manifest) throws InputFault {
        if (StoredForm.isSet(manifest)) {
            set(manifest);
            return;
        }
        switch (manifest.apiVersion() + " " + manifest.kind()) {
            case "v1 Namespace" -> namespace(manifest);
            case "apps/v1 ControllerRevision" -> {
                if (isOwn(manifest)) {
                    revisions.add(KubeObjects.revision(manifest.object()));
                }
            }
            case "v1 ConfigMap" -> {
                if (manifest.name().equals(Wire.CONFIG_MAP) && isOwn(manifest)) {
                    whitelist = KubeObjects.configuration(manifest.object()).whitelist();
                }
            }
            default -> {
                if (manifest.kind().toLowerCase(Locale.ROOT).startsWith("sidecarset")) {
                    throw manifest.fault(manifest.apiVersion() + " " + manifest.kind() + " is not known; use kind " + Wire.KIND + " of "
                            + Wire.V1BETA1 + " or " + Wire.V1ALPHA1);
                }
            }
        }
    }

    private void set(Manifest manifest) throws InputFault {
        String name = manifest.name();
        if (name.isEmpty()) {
            throw manifest.fault("SidecarSet without metadata.name");
        }
        Stored earlier = sets.putIfAbsent(name, new Stored(manifest, StoredForm.of(manifest)));
        if (earlier != null) {
            throw manifest.fault("SidecarSet " + name + " is also in " + earlier.manifest().place() + "; leave one of them out");
        }
    }

    /** Every Namespace has this label, whatever its file says. */
    private void namespace(Manifest manifest) {
        NamespaceView written = KubeObjects.namespace(manifest.object());
        Map<String, String> labels = new HashMap<>(written.labels());
        labels.put(Wire.NAMESPACE_NAME_LABEL, written.name());
        namespaces.put(written.name(), new NamespaceView(written.name(), labels));
    }

    private boolean isOwn(Manifest manifest) {
        String namespace = Json.text(manifest.object().path("metadata"), "namespace");
        boolean own = namespace.equals(NO_NAMESPACE) || namespace.equals(ownNamespace);
        if (!own && manifest.kind().equals("ControllerRevision")) {
            notes.add(manifest.describe() + " is in namespace " + namespace + " and does not count: the controller keeps revisions in "
                    + ownNamespace + " (setting namespace)");
        }
        return own;
    }

    List<Stored> sets() {
        return List.copyOf(sets.values());
    }

    boolean knowsNamespace(String name) {
        return namespaces.containsKey(name);
    }

    /** What was passed over although the user may have meant it. */
    List<String> notes() {
        return List.copyOf(notes);
    }

    SetIndex index() {
        List<SidecarSet> stored = sets.values().stream().map(Stored::set).toList();
        return SetIndex.of(new SetIndex.Content(stored, namespaces.values(), revisions, whitelist));
    }
}
