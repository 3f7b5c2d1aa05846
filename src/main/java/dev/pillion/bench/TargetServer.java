package dev.pillion.bench;

import java.nio.file.Path;

/** A Kubernetes API in a process of its own, whose CPU nobody counts. */
interface TargetServer extends AutoCloseable {
    /** The user the controller comes as, so that its requests can be told from all others. */
    String CONTROLLER = "pillion";
    /** The user of everything else: generator, kubelet, plain client. */
    String BENCH = "bench";

    /** For the head of a table. */
    String name();

    Path kubeconfig(String user);

    @Override
    void close();
}
