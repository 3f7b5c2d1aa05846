package dev.pillion.sim;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.LongSupplier;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.api.model.apps.ReplicaSet;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.informers.SharedIndexInformer;

import dev.pillion.sim.OwnedPods.Owned;

/**
 * Deployments and ReplicaSets: one thread looks at one changed object after the other.
 * <ol>
 * <li>Deployment: a ReplicaSet for the present template; old ones shrink as the new one's Pods become ready; status counts.</li>
 * <li>ReplicaSet: missing Pods are created, surplus ones deleted, a bounded number at a time; status counts.</li>
 * </ol>
 */
final class Workloads implements PodFeed.Follower, AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Workloads.class);
    /** Lets a burst of Pod events make one status write. */
    private static final Duration SETTLE = Duration.ofMillis(50);
    private static final Duration AFTER_FAILURE = Duration.ofSeconds(1);

    private enum Kind {
        DEPLOYMENT, REPLICA_SET
    }

    private record Key(Kind kind, String namespace, String name) {
    }

    private final KubernetesClient client;
    private final int parallel;
    private final OwnedPods pods = new OwnedPods();
    private final Map<Key, Deployment> deployments = new ConcurrentHashMap<>();
    private final Map<Key, ReplicaSet> sets = new ConcurrentHashMap<>();
    private final KeyQueue<Key> queue;
    private final Thread thread = Thread.ofVirtual().name("sim-workloads").unstarted(this::run);
    private final ExecutorService executor = Executors.newVirtualThreadPerTaskExecutor();

    Workloads(SimApi api, SimOptions options, LongSupplier nanos) {
        this.client = api.client();
        this.parallel = options.parallel();
        this.queue = new KeyQueue<>(nanos);
    }

    /** Starts the thread; to be called when the views are complete, else Pods would be created twice. */
    void start() {
        thread.start();
    }

    SharedIndexInformer<Deployment> watchDeployments() {
        return PodFeed.run(client.apps().deployments().inAnyNamespace().runnableInformer(0), PodFeed.handler(d -> {
            Key key = key(d);
            deployments.put(key, d);
            queue.add(key, Duration.ZERO);
        }, d -> deployments.remove(key(d))));
    }

    SharedIndexInformer<ReplicaSet> watchReplicaSets() {
        return PodFeed.run(client.apps().replicaSets().inAnyNamespace().runnableInformer(0), PodFeed.handler(this::take, s -> {
            sets.remove(key(s));
            enqueueOwner(s, SETTLE);
        }));
    }

    private void take(ReplicaSet set) {
        sets.merge(key(set), set, (a, b) -> version(a) > version(b) && a.getMetadata().getUid().equals(b.getMetadata().getUid()) ? a : b);
        queue.add(key(set), Duration.ZERO);
        enqueueOwner(set, Duration.ZERO);
    }

    @Override
    public void seen(Pod pod) {
        pods.put(pod);
        enqueueOwner(pod);
    }

    @Override
    public void gone(Pod pod) {
        pods.remove(pod);
        enqueueOwner(pod);
    }

    private void enqueueOwner(Pod pod) {
        OwnedPods.controller(pod).filter(o -> "ReplicaSet".equals(o.getKind()))
                .ifPresent(o -> queue.add(new Key(Kind.REPLICA_SET, pod.getMetadata().getNamespace(), o.getName()), SETTLE));
    }

    private void enqueueOwner(ReplicaSet set, Duration after) {
        set.getMetadata().getOwnerReferences().stream().filter(o -> "Deployment".equals(o.getKind()))
                .forEach(o -> queue.add(new Key(Kind.DEPLOYMENT, set.getMetadata().getNamespace(), o.getName()), after));
    }

    private static Key key(Deployment d) {
        return new Key(Kind.DEPLOYMENT, d.getMetadata().getNamespace(), d.getMetadata().getName());
    }

    private static Key key(ReplicaSet s) {
        return new Key(Kind.REPLICA_SET, s.getMetadata().getNamespace(), s.getMetadata().getName());
    }

    private static long version(ReplicaSet set) {
        return Long.parseUnsignedLong(set.getMetadata().getResourceVersion());
    }

    private void run() {
        try {
            for (var key = queue.take(); key.isPresent(); key = queue.take()) {
                look(key.get());
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void look(Key key) {
        try {
            switch (key.kind()) {
                case DEPLOYMENT -> look(deployments.get(key));
                case REPLICA_SET -> look(sets.get(key));
            }
        } catch (KubernetesClientException e) {
            if (e.getCode() != 409 && e.getCode() != 404) {
                LOG.atWarn().addKeyValue("object", key.namespace() + "/" + key.name()).addKeyValue("reason", e.getMessage())
                        .log("workload failed");
            }
            queue.add(key, AFTER_FAILURE);
        } catch (RuntimeException e) {
            LOG.atError().setCause(e).addKeyValue("object", key.namespace() + "/" + key.name()).log("workload failed");
            queue.add(key, AFTER_FAILURE);
        }
    }

    private void look(@Nullable Deployment deployment) {
        if (deployment == null || deployment.getMetadata().getDeletionTimestamp() != null) {
            return;
        }
        String hash = Template.hash(client.getKubernetesSerialization().asJson(deployment.getSpec().getTemplate()));
        String uid = deployment.getMetadata().getUid();
        List<ReplicaSet> owned = sets.values().stream()
                .filter(s -> s.getMetadata().getOwnerReferences().stream().anyMatch(o -> o.getUid().equals(uid))).toList();
        ReplicaSet present = owned.stream().filter(s -> hash.equals(s.getMetadata().getLabels().get(Template.HASH_LABEL))).findFirst()
                .orElse(null);
        if (present == null) {
            ReplicaSet created = client.resource(Template.replicaSet(deployment, hash)).create();
            take(created);
            return;
        }
        int wanted = Template.replicas(deployment.getSpec().getReplicas());
        scale(present, wanted);
        int ready = ready(present);
        for (ReplicaSet old : owned) {
            if (!old.getMetadata().getUid().equals(present.getMetadata().getUid())) {
                scale(old, Math.min(Template.replicas(old.getSpec().getReplicas()), Math.max(0, wanted - ready)));
            }
        }
        Deployment written = new WorkloadStatus(client).write(deployment, pods.active(present.getMetadata().getUid()),
                owned.stream().flatMap(s -> pods.active(s.getMetadata().getUid()).stream()).toList());
        deployments.replace(key(deployment), deployment, written);
    }

    private int ready(ReplicaSet set) {
        return (int) pods.active(set.getMetadata().getUid()).stream().filter(Owned::ready).count();
    }

    private void scale(ReplicaSet set, int replicas) {
        if (Template.replicas(set.getSpec().getReplicas()) != replicas) {
            take(client.resource(set).patch("{\"spec\":{\"replicas\":" + replicas + "}}"));
        }
    }

    private void look(@Nullable ReplicaSet set) {
        if (set == null || set.getMetadata().getDeletionTimestamp() != null) {
            return;
        }
        String uid = set.getMetadata().getUid();
        int missing = Template.replicas(set.getSpec().getReplicas()) - pods.active(uid).size();
        if (missing > 0) {
            Pod template = Template.pod(set);
            inParallel(missing, _ -> pods.put(client.resource(template).create()));
        } else if (missing < 0) {
            List<Owned> surplus = pods.leastWanted(uid, -missing);
            inParallel(surplus.size(), i -> {
                Owned pod = surplus.get(i);
                client.pods().inNamespace(pod.namespace()).withName(pod.name()).delete();
                pods.deleted(uid, pod);
            });
        }
        ReplicaSet written = new WorkloadStatus(client).write(set, pods.active(uid));
        sets.replace(key(set), set, written);
    }

    private interface Part {
        void run(int index);
    }

    /** Runs all parts and throws the first failure afterwards, so one refused Pod does not keep the others from being created. */
    private void inParallel(int parts, Part part) {
        Semaphore permits = new Semaphore(parallel);
        Semaphore finished = new Semaphore(0);
        AtomicReference<@Nullable RuntimeException> failure = new AtomicReference<>();
        try {
            for (int i = 0; i < parts; i++) {
                permits.acquire();
                int index = i;
                executor.execute(() -> {
                    try {
                        part.run(index);
                    } catch (RuntimeException e) {
                        failure.compareAndSet(null, e);
                    } finally {
                        permits.release();
                        finished.release();
                    }
                });
            }
            finished.acquire(parts);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return;
        }
        RuntimeException first = failure.get();
        if (first != null) {
            throw first;
        }
    }

    @Override
    public void close() {
        queue.close();
        thread.interrupt();
        executor.shutdownNow();
    }
}
