package dev.pillion.it;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

import org.junit.jupiter.api.Named;

import dev.pillion.sandbox.SandboxOptions;

/**
 * The clusters of a test run. The real one is left out with one line on the terminal when its programs lack;
 * {@code -Dpillion.real-server=required} makes that a failure, {@code =off} leaves it out on purpose.
 */
public final class Clusters {
    private Clusters() {
    }

    private static final String HOW = "run src/it/apiserver/prepare, or set KUBEBUILDER_ASSETS to a folder with kube-apiserver and etcd";

    /** The real server's process, shared by the JVM; started when first asked for. */
    private static final class Real {
        static final Optional<RealApiServer> SERVER = start();

        private static Optional<RealApiServer> start() {
            if (wish().equals("off")) {
                System.out.println("real API server: SKIPPED, -Dpillion.real-server=off");
                return Optional.empty();
            }
            Optional<Assets> assets = Assets.find();
            if (assets.isEmpty() && !wish().equals("required")) {
                System.out.println("real API server: SKIPPED, integration tests run on the sandbox only. To get it: " + HOW);
            }
            return assets.map(RealApiServer::start);
        }
    }

    static List<Named<Cluster>> all() {
        if (Real.SERVER.isEmpty() && wish().equals("required")) {
            throw new IllegalStateException("-Dpillion.real-server=required, but there is none: " + HOW);
        }
        List<Named<Cluster>> clusters = new ArrayList<>();
        clusters.add(named(SandboxCluster.start()));
        Real.SERVER.ifPresent(server -> clusters.add(named(new RealCluster(server))));
        return clusters;
    }

    /** A sandbox that holds every watch event back, which no real server does on demand. The caller closes it. */
    public static Cluster delayed(Duration watchDelay) {
        return SandboxCluster.start(SandboxOptions.defaults().withWatchDelay(watchDelay));
    }

    private static String wish() {
        return System.getProperty("pillion.real-server", "optional");
    }

    private static Named<Cluster> named(Cluster cluster) {
        return Named.of(cluster.name(), cluster);
    }
}
