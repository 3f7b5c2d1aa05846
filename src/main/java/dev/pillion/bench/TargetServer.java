package dev.pillion.bench;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/** A Kubernetes API in processes of its own. */
interface TargetServer extends AutoCloseable {
    /** The user the controller comes as, so that its requests can be told from all others. */
    String CONTROLLER = "pillion";
    /** The user of everything else: generator, kubelet, plain client. */
    String BENCH = "bench";

    /** For the head of a table. */
    String name();

    Path kubeconfig(String user);

    /** CPU time of its processes so far: the API server, then its store if that is a process of its own. */
    List<Duration> cpu();

    @Override
    void close();
}
