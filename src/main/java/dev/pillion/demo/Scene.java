package dev.pillion.demo;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;

import dev.pillion.api.Json;
import dev.pillion.cli.Manifests;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** What is applied to the cluster: the definition of SidecarSets, the sets, and the workloads. */
record Scene(List<ObjectNode> definitions, List<ObjectNode> sidecarSets, List<ObjectNode> workloads) {
    static final String BAD_TAG = "never-ready";
    private static final String CRD = "/k8s/crd/apps.kruise.io_sidecarsets.yaml";

    /**
     * Reads everything.
     *
     * @throws IOException naming the file that cannot be read, or that holds no SidecarSet where one is wanted
     */
    static Scene of(DemoOptions options) throws IOException {
        List<ObjectNode> sets = options.sidecarSets().isEmpty()
                ? resource("/dev/pillion/demo/log-agent.yaml")
                : files(options.sidecarSets());
        for (ObjectNode set : sets) {
            if (!Json.text(set, "kind").equals("SidecarSet")) {
                throw new IOException("--sidecarset: " + Json.text(set, "kind") + " " + Json.text(set.path("metadata"), "name")
                        + " is no SidecarSet; give other objects with --manifests");
            }
        }
        if (sets.isEmpty()) {
            throw new IOException("--sidecarset: the files hold no object");
        }
        return new Scene(resource(CRD), sets,
                options.manifests().isEmpty() ? resource("/dev/pillion/demo/shop.yaml") : files(options.manifests()));
    }

    private static List<ObjectNode> files(List<Path> files) throws IOException {
        List<ObjectNode> objects = new ArrayList<>();
        for (Path file : files) {
            objects.addAll(Manifests.read(file));
        }
        return objects;
    }

    private static List<ObjectNode> resource(String name) throws IOException {
        try (InputStream in = Scene.class.getResourceAsStream(name)) {
            if (in == null) {
                throw new IOException(name + " is missing from the program: build it anew with mvn package");
            }
            return Manifests.read(in, name);
        }
    }

    /** A copy of the set with the next image in every container: v2 after v1, else the present tag with "-next". */
    static ObjectNode withNextImages(ObjectNode set) {
        return withTags(set, image -> tag(image).equals("v1") ? "v2" : (tag(image).isEmpty() ? "next" : tag(image) + "-next"));
    }

    /** A copy of the set whose images the simulated kubelet never gets ready. */
    static ObjectNode withBadImages(ObjectNode set) {
        return withTags(set, _ -> BAD_TAG);
    }

    private static ObjectNode withTags(ObjectNode set, UnaryOperator<String> tagOf) {
        ObjectNode copy = set.deepCopy();
        for (JsonNode container : copy.path("spec").path("containers")) {
            if (container instanceof ObjectNode object) {
                String image = Json.text(object, "image");
                object.put("image", retag(image, tagOf.apply(image)));
            }
        }
        return copy;
    }

    private static String retag(String image, String tag) {
        int digest = image.indexOf('@');
        String named = digest < 0 ? image : image.substring(0, digest);
        String tagged = tag(named);
        return (tagged.isEmpty() ? named : named.substring(0, named.length() - tagged.length() - 1)) + ":" + tag;
    }

    private static String tag(String image) {
        int digest = image.indexOf('@');
        String named = digest < 0 ? image : image.substring(0, digest);
        int colon = named.lastIndexOf(':');
        return colon > named.lastIndexOf('/') ? named.substring(colon + 1) : "";
    }
}
