package dev.pillion.sandbox;

import java.net.URI;

import tools.jackson.databind.JsonNode;

/**
 * Where a webhook is called: a WebhookClientConfig with everything filled in.
 *
 * @param url without the parameter `timeout`
 * @param host name to connect to, which for a service differs from the name in the certificate
 * @param authority PEM of the CAs to trust, "" for the machine's own
 */
record WebhookTarget(String url, String host, int port, String authority) {

    /** Reads a clientConfig. A service of type ExternalName is called at that name; any other at its cluster address, where a sandbox has no network. */
    static WebhookTarget of(JsonNode clientConfig, ObjectStore store) throws WebhookCalls.Failed {
        String authority = decoded(Trees.text(clientConfig, "caBundle"));
        String url = Trees.text(clientConfig, "url");
        if (!url.isEmpty()) {
            URI uri = URI.create(url);
            return new WebhookTarget(url, uri.getHost(), uri.getPort() < 0 ? 443 : uri.getPort(), authority);
        }
        JsonNode service = clientConfig.path("service");
        String name = Trees.text(service, "name");
        String namespace = Trees.text(service, "namespace");
        int port = (int) Trees.number(service.path("port"), 443);
        String path = Trees.text(service, "path");
        String slash = path.startsWith("/") ? "" : "/";
        String address = "https://" + name + "." + namespace + ".svc:" + port + slash + path;
        JsonNode found = store.get("services", Stored.key(namespace, name)).<JsonNode>map(Stored::tree)
                .orElseThrow(() -> new WebhookCalls.Failed(
                        "Post \"" + address + "?timeout={timeout}\": service \"" + name + "\" not found"));
        boolean elsewhere = "ExternalName".equals(Trees.text(found, "spec", "type"));
        return new WebhookTarget(address, Trees.text(found, "spec", elsewhere ? "externalName" : "clusterIP"), port, authority);
    }

    private static String decoded(String base64) {
        return new String(java.util.Base64.getDecoder().decode(base64), java.nio.charset.StandardCharsets.UTF_8);
    }
}
