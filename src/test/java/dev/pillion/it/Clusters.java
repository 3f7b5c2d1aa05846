package dev.pillion.it;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

import org.junit.jupiter.api.Named;

/**
 * The clusters of a test run. The real one is left out with one line on the terminal when its programs lack;
 * {@code -Dpillion.real-server=required} makes that a failure, {@code =off} leaves it out on purpose.
 */
public final class Clusters {
    private Clusters() {
    }

    /** The real server's process, shared by the JVM; started when first asked for. */
    private static final class Real {
        static final Optional<RealApiServer> SERVER = start();

        private static Optional<RealApiServer> start() {
            String wish = System.getProperty("pillion.real-server", "optional");
            if (wish.equals("off")) {
                System.out.println("real API server: SKIPPED, -Dpillion.real-server=off");
                return Optional.empty();
            }
            Optional<Assets> assets = Assets.find();
            if (assets.isPresent()) {
                return Optional.of(RealApiServer.start(assets.get()));
            }
            String lacks = "real API server: SKIPPED, integration tests run on the sandbox only. To get it: run src/it/apiserver/prepare, or set KUBEBUILDER_ASSETS";
            if (wish.equals("required")) {
                throw new IllegalStateException(lacks + " (-Dpillion.real-server=required)");
            }
            System.out.println(lacks);
            return Optional.empty();
        }
    }

    static List<Named<Cluster>> all() {
        List<Named<Cluster>> clusters = new ArrayList<>();
        clusters.add(named(SandboxCluster.start()));
        Real.SERVER.ifPresent(server -> clusters.add(named(new RealCluster(server))));
        return clusters;
    }

    private static Named<Cluster> named(Cluster cluster) {
        return Named.of(cluster.name(), cluster);
    }
}
