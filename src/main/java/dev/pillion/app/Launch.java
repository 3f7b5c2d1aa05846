package dev.pillion.app;

import java.net.URI;
import java.nio.file.Path;
import java.util.Optional;
import java.util.OptionalInt;

import dev.pillion.config.Config;

/**
 * What one controller is started with.
 *
 * @param kubeconfig empty: the service account of the Pod it runs in
 * @param webhookUrl where the API server reaches a controller outside the cluster; empty: through the Service of the manifests
 * @param listenPort where the webhooks listen when something at webhookUrl passes connections on; empty: the URL's port, or the setting
 */
record Launch(Config config, Optional<Path> kubeconfig, Optional<URI> webhookUrl, OptionalInt listenPort) {
    private static final String ANY_ADDRESS = "0.0.0.0";
    private static final int HTTPS_PORT = 443;

    /** Address the servers listen on: a loopback URL needs no more than loopback. */
    String listenHost() {
        return webhookUrl.map(URI::getHost).filter(h -> h.equals("localhost") || h.startsWith("127.")).map(h -> "127.0.0.1")
                .orElse(ANY_ADDRESS);
    }

    /** Port of the webhooks: without a wish the URL's, since the API server comes there. */
    int admissionPort() {
        return listenPort.isPresent() ? listenPort.getAsInt() : portOfUrl();
    }

    private int portOfUrl() {
        return webhookUrl.map(u -> u.getPort() < 0 ? HTTPS_PORT : u.getPort()).orElse(config.admission().port());
    }
}
