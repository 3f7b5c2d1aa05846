package dev.pillion.sandbox;

import java.io.IOException;
import java.net.ServerSocket;
import java.util.concurrent.ThreadLocalRandom;

/**
 * Ports for servers that must know theirs before they start. They lie below those that the system gives to outgoing connections (from 32768
 * on Linux, 49152 elsewhere): a port that the system itself names as free may be such a connection's a moment later, and then the
 * server cannot have it.
 */
public final class FreePorts {
    private static final int FIRST = 16_384;
    private static final int COUNT = 16_000;

    private FreePorts() {
    }

    /** A port that nobody listens on, on any address. */
    public static int next() {
        return several(1)[0];
    }

    /** Different ones; by chance, since other processes look for ports, too. */
    public static int[] several(int count) {
        return ThreadLocalRandom.current().ints(FIRST, FIRST + COUNT).distinct().filter(FreePorts::isFree).limit(count).toArray();
    }

    private static boolean isFree(int port) {
        try (ServerSocket socket = new ServerSocket(port)) {
            return socket.isBound();
        } catch (IOException _) {
            return false;
        }
    }
}
