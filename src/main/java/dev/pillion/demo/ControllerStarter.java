package dev.pillion.demo;

import java.nio.file.Path;
import java.util.List;

/** Starts the controller in this JVM as {@code pillion run} would: it gets a kubeconfig and settings, and nothing else. */
@FunctionalInterface
public interface ControllerStarter {
    /**
     * Returns when the controller is ready; closing the result stops it in order.
     *
     * @param settings flags as on the command line, such as {@code --webhook-url=https://127.0.0.1:9876}
     */
    AutoCloseable start(Path kubeconfig, List<String> settings) throws Exception;
}
