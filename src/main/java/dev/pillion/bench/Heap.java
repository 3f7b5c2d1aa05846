package dev.pillion.bench;

import java.lang.management.GarbageCollectorMXBean;
import java.lang.management.ManagementFactory;
import java.lang.management.MemoryUsage;
import java.util.concurrent.atomic.AtomicLong;

import javax.management.NotificationEmitter;
import javax.management.openmbean.CompositeData;

import com.sun.management.GarbageCollectionNotificationInfo;

/** The heap of this process. */
final class Heap {
    private static final int COLLECTIONS = 3;

    private final AtomicLong most = new AtomicLong();

    private Heap() {
    }

    /** Notes from now on what is in use after each collection. */
    static Heap watch() {
        Heap heap = new Heap();
        for (GarbageCollectorMXBean collector : ManagementFactory.getGarbageCollectorMXBeans()) {
            if (collector instanceof NotificationEmitter emitter) {
                emitter.addNotificationListener((notification, _) -> {
                    if (notification.getUserData() instanceof CompositeData data) {
                        long used = GarbageCollectionNotificationInfo.from(data).getGcInfo().getMemoryUsageAfterGc().entrySet().stream()
                                .filter(pool -> isHeap(pool.getKey())).map(pool -> pool.getValue()).mapToLong(MemoryUsage::getUsed).sum();
                        heap.most.accumulateAndGet(used, Math::max);
                    }
                }, null, null);
            }
        }
        return heap;
    }

    private static boolean isHeap(String pool) {
        return pool.startsWith("G1 ") || pool.contains("Eden") || pool.contains("Survivor") || pool.contains("Tenured")
                || pool.contains("Old");
    }

    /** The most that was in use after a collection, in bytes; 0 before the first one. */
    long most() {
        return most.get();
    }

    /** Bytes in use after everything unreachable has been collected; references of the JVM's own caches take more than one round. */
    static long afterCollection() {
        for (int i = 0; i < COLLECTIONS; i++) {
            System.gc();
        }
        return ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed();
    }
}
