package dev.pillion.it;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import org.junit.jupiter.api.Named;

import dev.pillion.bench.Assets;
import dev.pillion.bench.RealApiServer;
import dev.pillion.sandbox.SandboxOptions;

/**
 * The clusters of a test run. The real one is left out with one line on the terminal when its programs lack;
 * {@code -Dpillion.real-server=required} makes that a failure, {@code =off} leaves it out on purpose.
 */
public final class Clusters {
    private Clusters() {
    }

    static final RealApiServer.User ADMIN = new RealApiServer.User("admin", List.of(RealApiServer.User.MASTERS));
    /** The shipped service account, which has no rights of its own. */
    static final RealApiServer.User CONTROLLER = new RealApiServer.User(ControllerRights.USER, ControllerRights.GROUPS);
    /** Somebody without any rights, until a test gives some. */
    static final RealApiServer.User READER = new RealApiServer.User("reader", List.of("readers"));
    /** Every write with both objects, and what the service account reads or is refused. */
    private static final String AUDIT = """
            apiVersion: audit.k8s.io/v1
            kind: Policy
            omitStages: [RequestReceived]
            rules:
            - level: None
              resources: [{group: authorization.k8s.io}]
            - level: RequestResponse
              verbs: [create, update, patch, delete, deletecollection]
            - level: Metadata
              users: ["%s"]
            - level: None
            """.formatted(ControllerRights.USER);
    private static final Pattern VERSION = Pattern.compile("k8s\\.io/kubernetes v([0-9.]+)");
    private static final String HOW = "run src/it/apiserver/prepare, or set KUBEBUILDER_ASSETS to a folder with kube-apiserver and etcd";

    /** The real server's process, shared by the JVM; started when first asked for. */
    private static final class Real {
        static final Optional<RealApiServer> SERVER = start();

        private static Optional<RealApiServer> start() {
            if (wish().equals("off")) {
                System.out.println("real API server: SKIPPED, -Dpillion.real-server=off");
                return Optional.empty();
            }
            Optional<Assets> assets = assets();
            if (assets.isEmpty() && !wish().equals("required")) {
                System.out.println("real API server: SKIPPED, integration tests run on the sandbox only. To get it: " + HOW);
            }
            return assets.map(Real::start);
        }

        private static RealApiServer start(Assets assets) {
            long began = System.nanoTime();
            RealApiServer server = RealApiServer.start(assets,
                    new RealApiServer.Setup(List.of(ADMIN, CONTROLLER, READER), AUDIT, List.of(), Optional.empty()));
            System.out.printf("real API server: %s from %s, ready in %.1f s%n", server.name(), assets.folder(),
                    (System.nanoTime() - began) / 1e9);
            return server;
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

    /** The real server's programs, of the version that the tests are written for. */
    static Optional<Assets> assets() {
        return Assets.find(System.getenv(), Optional.of(version()));
    }

    private static String version() {
        try {
            Matcher line = VERSION.matcher(Files.readString(Path.of("src/it/apiserver/go.mod")));
            return line.find() ? line.group(1) : "";
        } catch (IOException e) {
            throw new UncheckedIOException("the integration tests run in the project's folder", e);
        }
    }

    private static String wish() {
        return System.getProperty("pillion.real-server", "optional");
    }

    private static Named<Cluster> named(Cluster cluster) {
        return Named.of(cluster.name(), cluster);
    }
}
