package dev.pillion.app;

import java.util.concurrent.CountDownLatch;

/** What happens at SIGTERM and SIGINT: stop in order, exit code 0. */
final class Stop {
    private Stop() {
    }

    /** Waits for the signal; does not return. The JVM would exit with 143 after its hooks, but a stop in order is a success. */
    static int onSignal(AutoCloseable running) throws InterruptedException {
        Runtime.getRuntime().addShutdownHook(Thread.ofPlatform().name("stop").unstarted(() -> {
            int code = 0;
            try {
                running.close();
            } catch (Exception e) {
                System.err.println("pillion: did not stop in order: " + e);
                code = 1;
            }
            Runtime.getRuntime().halt(code);
        }));
        new CountDownLatch(1).await();
        return 0;
    }
}
