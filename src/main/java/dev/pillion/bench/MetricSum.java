package dev.pillion.bench;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;

/** Reads a controller's metrics on a port of the loopback. */
final class MetricSum implements AutoCloseable {
    private final HttpClient client = HttpClient.newHttpClient();
    private final HttpRequest request;

    MetricSum(int port) {
        this.request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + "/metrics")).timeout(Duration.ofSeconds(5)).build();
    }

    /** The sum of the samples whose lines begin so; 0 as long as nobody answers. */
    long of(String prefix) throws InterruptedException {
        try {
            String text = client.send(request, HttpResponse.BodyHandlers.ofString()).body();
            return (long) text.lines().filter(line -> line.startsWith(prefix))
                    .mapToDouble(line -> Double.parseDouble(line.substring(line.lastIndexOf(' ') + 1))).sum();
        } catch (IOException e) {
            return 0;
        }
    }

    @Override
    public void close() {
        client.close();
    }
}
