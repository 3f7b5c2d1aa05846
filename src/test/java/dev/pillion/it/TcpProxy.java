package dev.pillion.it;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** A network between client and server that can fail: forwards bytes, or swallows them without a word, or cuts every connection. */
public final class TcpProxy implements AutoCloseable {
    /** SILENT lasts for the connections it met: they stay dead when others pass again, as with a lost route. */
    public enum Mode {
        PASS, SILENT, CUT
    }

    private final ServerSocket listener;
    private final int target;
    private final Set<Socket> open = ConcurrentHashMap.newKeySet();
    private final Set<Socket> dead = ConcurrentHashMap.newKeySet();
    private volatile Mode mode = Mode.PASS;

    public TcpProxy(int target) {
        this.target = target;
        try {
            listener = new ServerSocket(0, 64, InetAddress.getLoopbackAddress());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        Thread.ofVirtual().start(this::accept);
    }

    public int port() {
        return listener.getLocalPort();
    }

    public void set(Mode wanted) {
        mode = wanted;
        switch (wanted) {
            case PASS -> {
            }
            case SILENT -> dead.addAll(open);
            case CUT -> open.forEach(TcpProxy::closeQuietly);
        }
    }

    private void accept() {
        try {
            while (true) {
                Socket client = listener.accept();
                if (mode == Mode.CUT) {
                    closeQuietly(client);
                    continue;
                }
                Socket server = new Socket(InetAddress.getLoopbackAddress(), target);
                open.add(client);
                open.add(server);
                if (mode == Mode.SILENT) {
                    dead.add(client);
                    dead.add(server);
                }
                Thread.ofVirtual().start(() -> pump(client, server));
                Thread.ofVirtual().start(() -> pump(server, client));
            }
        } catch (IOException e) {
            // Closed: the test is over.
        }
    }

    private void pump(Socket from, Socket to) {
        byte[] buffer = new byte[8192];
        try {
            for (int n = from.getInputStream().read(buffer); n >= 0; n = from.getInputStream().read(buffer)) {
                if (!dead.contains(from)) {
                    to.getOutputStream().write(buffer, 0, n);
                }
            }
        } catch (IOException e) {
            // One side is gone; so shall be the other.
        }
        if (!dead.contains(from)) {
            closeQuietly(from);
            closeQuietly(to);
        }
    }

    private static void closeQuietly(Socket socket) {
        try {
            socket.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public void close() throws IOException {
        listener.close();
        open.forEach(TcpProxy::closeQuietly);
    }
}
