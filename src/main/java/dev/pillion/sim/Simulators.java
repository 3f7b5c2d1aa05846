package dev.pillion.sim;

import java.nio.file.Path;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.informers.SharedIndexInformer;

/** Kubelet, workload controllers and owner collection on one client. They need an API server and nothing else, and run against any. */
public final class Simulators implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Simulators.class);
    private static final int REQUEST_MILLIS = 10_000;

    private final KubernetesClient client;
    private final List<SharedIndexInformer<?>> informers;
    private final List<AutoCloseable> parts;

    private Simulators(KubernetesClient client, List<SharedIndexInformer<?>> informers, List<AutoCloseable> parts) {
        this.client = client;
        this.informers = informers;
        this.parts = parts;
    }

    /**
     * Starts all simulators; returns when their first lists are complete.
     *
     * @param kubeconfig empty: what a Pod finds in its service account
     */
    public static Simulators start(Optional<Path> kubeconfig, SimOptions options) {
        SimApi api = new SimApi(client(kubeconfig), Clock.systemUTC());
        Kubelet kubelet = kubelet(api, options);
        Workloads workloads = new Workloads(api, options, System::nanoTime);
        OwnerCollection owners = new OwnerCollection(api, System::nanoTime);
        List<SharedIndexInformer<?>> informers = new ArrayList<>();
        Simulators all = new Simulators(api.client(), informers, List.of(kubelet, workloads, owners));
        informers.add(PodFeed.start(api.client(), List.of(kubelet, workloads, owners)));
        informers.add(workloads.watchDeployments());
        informers.add(workloads.watchReplicaSets());
        informers.addAll(owners.watchDependents());
        kubelet.start();
        owners.start();
        all.awaitSync();
        workloads.start();
        LOG.atInfo().addKeyValue("server", api.client().getMasterUrl()).log("simulators run");
        return all;
    }

    /** Starts the nodes alone: Pods may then have owners that do not exist. */
    public static Simulators startKubelet(Optional<Path> kubeconfig, SimOptions options) {
        SimApi api = new SimApi(client(kubeconfig), Clock.systemUTC());
        Kubelet kubelet = kubelet(api, options);
        List<SharedIndexInformer<?>> informers = List.of(PodFeed.start(api.client(), List.of(kubelet)));
        Simulators alone = new Simulators(api.client(), informers, List.of(kubelet));
        kubelet.start();
        alone.awaitSync();
        return alone;
    }

    private static KubernetesClient client(Optional<Path> kubeconfig) {
        Config config = kubeconfig.isPresent() ? Config.fromKubeconfig(kubeconfig.get().toFile()) : Config.autoConfigure(null);
        config.setRequestRetryBackoffLimit(0);
        config.setRequestTimeout(REQUEST_MILLIS);
        config.setUserAgent("pillion-sim");
        return new KubernetesClientBuilder().withConfig(config).build();
    }

    private static Kubelet kubelet(SimApi api, SimOptions options) {
        return new Kubelet(api, options, new SplittableRandom(options.seed()), System::nanoTime);
    }

    private void awaitSync() {
        while (!informers.stream().allMatch(SharedIndexInformer::hasSynced) && !Thread.currentThread().isInterrupted()) {
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(20));
        }
    }

    @Override
    public void close() {
        informers.forEach(SharedIndexInformer::stop);
        for (AutoCloseable part : parts) {
            try {
                part.close();
            } catch (Exception e) {
                LOG.atWarn().setCause(e).log("simulator did not close");
            }
        }
        client.close();
    }
}
