package dev.pillion.certs;

import java.net.URI;
import java.util.List;

/** Where the API server finds the webhooks. */
public sealed interface WebhookPlace {
    /** Outside the cluster: we write the configurations ourselves. base is https://host:port without a path. */
    record Url(URI base) implements WebhookPlace {
    }

    /** Behind the Service of the manifests, whose configurations name it: only caBundle is ours. */
    record Service(String name) implements WebhookPlace {
    }

    /** What the serving certificate must be good for, in the given namespace. */
    default List<String> names(String namespace) {
        return switch (this) {
            case Url(URI base) -> List.of(host(base));
            case Service(String name) ->
                List.of(name + "." + namespace + ".svc", name + "." + namespace, name, name + "." + namespace + ".svc.cluster.local");
        };
    }

    private static String host(URI base) {
        String host = base.getHost() == null ? "" : base.getHost();
        return host.startsWith("[") && host.endsWith("]") ? host.substring(1, host.length() - 1) : host;
    }
}
