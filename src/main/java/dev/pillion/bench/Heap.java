package dev.pillion.bench;

import java.lang.management.ManagementFactory;

/** The heap of this process. */
final class Heap {
    private static final int COLLECTIONS = 3;

    private Heap() {
    }

    /** Bytes in use after everything unreachable has been collected; references of the JVM's own caches take more than one round. */
    static long afterCollection() {
        for (int i = 0; i < COLLECTIONS; i++) {
            System.gc();
        }
        return ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed();
    }
}
