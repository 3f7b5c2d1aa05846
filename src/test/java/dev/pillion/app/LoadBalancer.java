package dev.pillion.app;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.HttpURLConnection;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.locks.LockSupport;

/**
 * One address for several controllers, as a Service is: a new connection goes to one whose /readyz was 200 at the last look, an open one
 * stays where it is.
 */
final class LoadBalancer implements AutoCloseable {
    private static final Duration LOOK_EVERY = Duration.ofMillis(200);
    private static final int PROBE_MILLIS = 1_000;
    private static final int BUFFER = 16_384;

    /**
     * One replica.
     *
     * @param admission port of the webhooks
     * @param management port of /readyz
     */
    record Backend(int admission, int management) {
        int probe(String path) {
            try {
                HttpURLConnection probe = (HttpURLConnection) URI.create("http://127.0.0.1:" + management + path).toURL().openConnection();
                probe.setConnectTimeout(PROBE_MILLIS);
                probe.setReadTimeout(PROBE_MILLIS);
                return probe.getResponseCode();
            } catch (IOException e) {
                return 0; // nobody there
            }
        }
    }

    private final ServerSocket listener;
    private final List<Backend> backends = new CopyOnWriteArrayList<>();
    private final Set<Backend> ready = ConcurrentHashMap.newKeySet();
    private final Set<Socket> open = ConcurrentHashMap.newKeySet();

    LoadBalancer() {
        try {
            listener = new ServerSocket(0, 64, InetAddress.getLoopbackAddress());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        Thread.ofVirtual().start(this::look);
        Thread.ofVirtual().start(this::accept);
    }

    String url() {
        return "https://127.0.0.1:" + listener.getLocalPort();
    }

    void add(Backend backend) {
        backends.add(backend);
    }

    boolean isReady(Backend backend) {
        return ready.contains(backend);
    }

    private void look() {
        while (!listener.isClosed()) {
            for (Backend each : backends) {
                if (each.probe("/readyz") == HttpURLConnection.HTTP_OK) {
                    ready.add(each);
                } else {
                    ready.remove(each);
                }
            }
            LockSupport.parkNanos(LOOK_EVERY.toNanos());
        }
    }

    private void accept() {
        try {
            while (true) {
                Socket client = listener.accept();
                Thread.ofVirtual().start(() -> connect(client));
            }
        } catch (IOException e) {
            // Closed: the test is over.
        }
    }

    private void connect(Socket client) {
        open.add(client);
        List<Backend> choice = List.copyOf(ready);
        if (choice.isEmpty()) {
            end(client);
            return;
        }
        try {
            Socket server = new Socket(InetAddress.getLoopbackAddress(), choice.getFirst().admission());
            open.add(server);
            Thread.ofVirtual().start(() -> pump(client, server));
            pump(server, client);
        } catch (IOException e) {
            end(client);
        }
    }

    private void pump(Socket from, Socket to) {
        byte[] buffer = new byte[BUFFER];
        try {
            for (int n = from.getInputStream().read(buffer); n >= 0; n = from.getInputStream().read(buffer)) {
                to.getOutputStream().write(buffer, 0, n);
            }
        } catch (IOException e) {
            // One side is gone; so shall be the other.
        }
        end(from);
        end(to);
    }

    private void end(Socket socket) {
        open.remove(socket);
        try {
            socket.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public void close() throws IOException {
        listener.close();
        List.copyOf(open).forEach(this::end);
    }
}
