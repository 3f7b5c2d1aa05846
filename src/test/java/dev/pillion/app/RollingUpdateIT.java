package dev.pillion.app;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Function;

import org.junit.jupiter.api.Test;

import io.fabric8.kubernetes.client.KubernetesClient;

import dev.pillion.it.Cluster;
import dev.pillion.it.Eventually;
import dev.pillion.it.OnEveryCluster;
import dev.pillion.it.RawHttp;
import dev.pillion.sandbox.FreePorts;

import tools.jackson.databind.JsonNode;

/** FR-26: two controllers behind one address are replaced one after the other while Pods are created; none fails, each is injected. */
@OnEveryCluster
final class RollingUpdateIT {
    private static final String SET = "rolling";
    private static final int THREADS = 16;
    /** Creates per second around a stop, if a plain client reaches as many without a webhook; else as many as it reaches. */
    private static final int WANTED = 200;
    /** And while new processes start, which takes most of the time. */
    private static final int CALM = 20;
    private static final int UNLIMITED = 1_000_000;
    private static final Duration PATIENCE = Duration.ofSeconds(90);

    private final Cluster cluster;

    RollingUpdateIT(Cluster cluster) {
        this.cluster = cluster;
    }

    private record Replica(PillionProcess process, LoadBalancer.Backend backend) {
    }

    @Test
    void noCreateFailsAndEveryPodIsInjected() throws Exception {
        Scenario.prepare(cluster);
        String own = cluster.newNamespace("own");
        String kubeconfig = cluster.controllerKubeconfig(own).toString();
        try (KubernetesClient client = cluster.client();
                LoadBalancer address = new LoadBalancer();
                Replicas replicas = new Replicas(address, kubeconfig, own)) {
            RawHttp http = new RawHttp(client);
            int plain = plainRate(http, cluster.newNamespace("plain"));
            int full = Math.min(WANTED, plain);
            Replica a = replicas.start();
            Replica b = replicas.start();
            replicas.await(a);
            replicas.await(b);
            createSet(http);
            try (Load load = new Load(http, cluster.newNamespace("shop"), full, p -> hasAgent(p) ? "" : "not injected")) {
                for (Replica each : List.of(a, b)) {
                    load.pace(full);
                    load.await(full);
                    assertThat(each.process().terminate()).as(each.process().output()).isZero();
                    load.await(full);
                    load.pace(CALM);
                    Replica next = replicas.start();
                    replicas.await(next);
                }
                load.pace(full);
                load.await(full);
                load.end();
                System.out.println("rolling update on " + cluster.name() + ": without a webhook " + plain
                        + " creates/s; with one, asked for " + full + ": " + load.figures());
                assertThat(load.failures).isEmpty();
            }
            assertThat(a.process().output()).contains("Pillion has stopped").doesNotContain("did not stop in order");
        }
    }

    /** Creates per second that the same threads reach while no webhook is asked. */
    private static int plainRate(RawHttp http, String namespace) throws InterruptedException {
        try (Load load = new Load(http, namespace, UNLIMITED, _ -> "")) {
            load.pace(UNLIMITED);
            load.await(WANTED);
            long began = System.nanoTime();
            int before = load.done.get();
            load.await(2 * WANTED);
            int rate = (int) ((load.done.get() - before) * 1_000_000_000L / (System.nanoTime() - began));
            load.end();
            assertThat(load.failures).isEmpty();
            return rate;
        }
    }

    private static boolean hasAgent(JsonNode pod) {
        return pod.at("/spec/containers").valueStream().anyMatch(c -> c.path("name").asString("").equals("agent"));
    }

    private static void createSet(RawHttp http) {
        String set = """
                {"apiVersion":"apps.kruise.io/v1beta1","kind":"SidecarSet","metadata":{"name":"%s"},
                 "spec":{"selector":{"matchLabels":{"app":"%s"}},"containers":[{"name":"agent","image":"registry.example/agent:1"}]}}"""
                .formatted(SET, SET);
        RawHttp.Answer answer = http.post(Trial.SETS, set);
        assertThat(answer.code()).as(answer.message()).isEqualTo(201);
        Eventually.until("the leader knows the set", PATIENCE, () -> http.get(Trial.SETS + "/" + SET).body(),
                s -> s.at("/status/observedGeneration").equals(s.at("/metadata/generation")));
    }

    /** Controllers with one webhook URL and ports of their own. */
    private record Replicas(LoadBalancer address, String kubeconfig, String own, Queue<PillionProcess> started) implements AutoCloseable {
        Replicas(LoadBalancer address, String kubeconfig, String own) {
            this(address, kubeconfig, own, new ConcurrentLinkedQueue<>());
        }

        Replica start() {
            LoadBalancer.Backend backend = new LoadBalancer.Backend(FreePorts.next(), FreePorts.next());
            PillionProcess process = PillionProcess.start("run", "--kubeconfig", kubeconfig, "--webhook-url", address.url(),
                    "--listen-port=" + backend.admission(), "--metrics.port=" + backend.management(), "--namespace=" + own);
            started.add(process);
            address.add(backend);
            return new Replica(process, backend);
        }

        void await(Replica replica) {
            replica.process().awaitOutput("Pillion is ready");
            Eventually.until("the replica gets connections", PATIENCE, () -> address.isReady(replica.backend()));
        }

        @Override
        public void close() throws IOException {
            for (PillionProcess each : started) {
                each.close();
            }
        }
    }

    /** Creates Pods from some threads at a pace, without retries. */
    private static final class Load implements AutoCloseable {
        private final RawHttp http;
        private final String pods;
        private final ExecutorService threads = Executors.newFixedThreadPool(THREADS);
        private final Queue<String> failures = new ConcurrentLinkedQueue<>();
        private final AtomicInteger names = new AtomicInteger();
        private final AtomicInteger done = new AtomicInteger();
        private final AtomicInteger pace = new AtomicInteger(CALM);
        private final AtomicLong longest = new AtomicLong();
        private final AtomicLong atFull = new AtomicLong();
        private final AtomicLong fullSince = new AtomicLong();
        private final AtomicInteger doneBefore = new AtomicInteger();
        private final AtomicInteger doneAtFull = new AtomicInteger();
        private final int full;
        private final Function<JsonNode, String> fault;
        private volatile boolean ended;

        /** @param fault what is wrong with a Pod that was created; "" for nothing */
        Load(RawHttp http, String namespace, int full, Function<JsonNode, String> fault) {
            this.http = http;
            this.full = full;
            this.fault = fault;
            this.pods = "/api/v1/namespaces/" + namespace + "/pods";
            for (int i = 0; i < THREADS; i++) {
                threads.execute(this::work);
            }
        }

        private void work() {
            long next = System.nanoTime();
            while (!ended) {
                create("p" + names.incrementAndGet());
                next = Math.max(next + Duration.ofSeconds(THREADS).toNanos() / pace.get(),
                        System.nanoTime() - Duration.ofMillis(100).toNanos());
                LockSupport.parkNanos(next - System.nanoTime());
            }
        }

        private void create(String name) {
            long began = System.nanoTime();
            try {
                RawHttp.Answer answer = http.post(pods, """
                        {"apiVersion":"v1","kind":"Pod","metadata":{"name":"%s","labels":{"app":"%s"}},
                         "spec":{"automountServiceAccountToken":false,"containers":[{"name":"app","image":"registry.example/app:1"}]}}"""
                        .formatted(name, SET));
                if (answer.code() != 201) {
                    failures.add(name + ": " + answer.code() + " " + answer.message());
                } else if (!fault.apply(answer.body()).isEmpty()) {
                    failures.add(name + ": " + fault.apply(answer.body()));
                }
            } catch (RuntimeException e) {
                failures.add(name + ": " + e);
            }
            longest.accumulateAndGet(System.nanoTime() - began, Math::max);
            done.incrementAndGet();
        }

        /** Creates per second from now on. */
        void pace(int perSecond) {
            int before = pace.getAndSet(perSecond);
            long now = System.nanoTime();
            if (before == full) {
                atFull.addAndGet(now - fullSince.get());
                doneAtFull.addAndGet(done.get() - doneBefore.get());
            }
            fullSince.set(now);
            doneBefore.set(done.get());
        }

        /** Waits for so many more. */
        void await(int more) {
            int wanted = done.get() + more;
            Eventually.until(more + " more Pods are created", PATIENCE, done::get, n -> n >= wanted);
        }

        void end() throws InterruptedException {
            pace(CALM);
            ended = true;
            threads.close();
        }

        String figures() {
            return "%d Pods, %.0f creates/s around the stops, slowest %d ms, %d failed".formatted(done.get(),
                    doneAtFull.get() / (atFull.get() / 1e9), longest.get() / 1_000_000, failures.size());
        }

        @Override
        public void close() {
            ended = true;
            threads.close();
        }
    }
}
