package dev.pillion.app;

import java.util.List;
import java.util.stream.Stream;

import dev.pillion.api.Json;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * The shipped manifests for a controller that runs beside the tests instead of in a Pod, and is reached through its Service all the
 * same: the Service is an alias of this machine, so it cannot translate the port, which the webhooks and the CRD therefore name.
 */
final class ServicePlace {
    private ServicePlace() {
    }

    /** The base without what only a node could run. */
    static List<ObjectNode> objects(int port) {
        return Install.base().objects().stream().filter(o -> !Json.text(o, "kind").equals("Deployment")).map(o -> at(o, port)).toList();
    }

    private static ObjectNode at(ObjectNode object, int port) {
        ObjectNode changed = object.deepCopy();
        if (Json.text(changed, "kind").equals("Service") && Install.name(changed).equals(Controller.SERVICE)) {
            changed.putObject("spec").put("type", "ExternalName").put("externalName", "localhost");
        }
        Stream.concat(changed.path("webhooks").valueStream().map(w -> w.path("clientConfig")),
                Stream.of(changed.at("/spec/conversion/webhook/clientConfig"))).map(c -> c.path("service"))
                .filter(JsonNode::isObject).forEach(s -> ((ObjectNode) s).put("port", port));
        return changed;
    }
}
