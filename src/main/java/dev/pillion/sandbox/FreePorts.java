package dev.pillion.sandbox;

import java.io.IOException;
import java.net.ServerSocket;
import java.util.concurrent.ThreadLocalRandom;
import java.util.stream.IntStream;

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

    /** Different ones, from a place found by chance, since other processes look for ports, too. */
    public static int[] several(int count) {
        int begin = ThreadLocalRandom.current().nextInt(COUNT);
        int[] ports = IntStream.range(begin, begin + COUNT).map(i -> FIRST + i % COUNT).filter(FreePorts::isFree).limit(count).toArray();
        if (ports.length < count) {
            throw new IllegalStateException(
                    "fewer than " + count + " of the ports from " + FIRST + " to " + (FIRST + COUNT - 1) + " are free");
        }
        return ports;
    }

    private static boolean isFree(int port) {
        try (ServerSocket socket = new ServerSocket(port)) {
            return socket.isBound();
        } catch (IOException _) {
            return false;
        }
    }
}
