package dev.pillion.sim;

import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongSupplier;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import io.fabric8.kubernetes.api.model.APIResource;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.OwnerReference;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.dsl.base.ResourceDefinitionContext;
import io.fabric8.kubernetes.client.informers.SharedIndexInformer;

/**
 * Deletes objects all of whose owners are gone (background deletion).
 * <ol>
 * <li>Dependents are Pods, ReplicaSets, ControllerRevisions and ConfigMaps; the kinds of their owners are found by discovery and watched from then on.</li>
 * <li>A new dependent, and every dependent of an owner that was deleted, is looked at: an owner counts as gone when it cannot be read, or has another uid.</li>
 * </ol>
 * One thread; foreground deletion and orphaning are left to a real collector.
 */
final class OwnerCollection implements PodFeed.Follower, AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(OwnerCollection.class);
    private static final Duration AFTER_FAILURE = Duration.ofSeconds(1);
    private static final int NOT_FOUND = 404;

    private record Dependent(String path, String namespace, String uid) {
    }

    private record OwnerKind(String apiVersion, String kind) {
    }

    /** Where objects of a kind are found. */
    private record Place(String plural, boolean namespaced) {
    }

    private final SimApi api;
    private final KubernetesClient client;
    private final KeyQueue<Dependent> queue;
    private final Map<Dependent, List<OwnerReference>> dependents = new ConcurrentHashMap<>();
    private final Map<String, Set<Dependent>> byOwner = new HashMap<>();
    private final Set<String> alive = ConcurrentHashMap.newKeySet();
    private final Map<OwnerKind, Place> places = new HashMap<>();
    private final Map<OwnerKind, SharedIndexInformer<GenericKubernetesResource>> owners = new ConcurrentHashMap<>();
    private final Thread thread = Thread.ofVirtual().name("sim-owners").unstarted(this::run);

    OwnerCollection(SimApi api, LongSupplier nanos) {
        this.api = api;
        this.client = api.client();
        this.queue = new KeyQueue<>(nanos);
    }

    void start() {
        thread.start();
    }

    /** All kinds but Pods, which come from the feed. */
    List<SharedIndexInformer<GenericKubernetesResource>> watchDependents() {
        return List.of(watch("apps/v1", "replicasets", "ReplicaSet"), watch("apps/v1", "controllerrevisions", "ControllerRevision"),
                watch("v1", "configmaps", "ConfigMap"));
    }

    private SharedIndexInformer<GenericKubernetesResource> watch(String apiVersion, String plural, String kind) {
        String base = (apiVersion.equals("v1") ? "/api/" : "/apis/") + apiVersion + "/namespaces/";
        return PodFeed.run(slim(new OwnerKind(apiVersion, kind), new Place(plural, true)),
                PodFeed.handler(o -> seen(o, base + o.getMetadata().getNamespace() + "/" + plural + "/" + o.getMetadata().getName()),
                        o -> gone(o, base + o.getMetadata().getNamespace() + "/" + plural + "/" + o.getMetadata().getName())));
    }

    private SharedIndexInformer<GenericKubernetesResource> slim(OwnerKind kind, Place place) {
        int slash = kind.apiVersion().indexOf('/');
        var context = new ResourceDefinitionContext.Builder().withGroup(slash < 0 ? "" : kind.apiVersion().substring(0, slash))
                .withVersion(kind.apiVersion().substring(slash + 1)).withKind(kind.kind()).withPlural(place.plural())
                .withNamespaced(place.namespaced()).build();
        SharedIndexInformer<GenericKubernetesResource> informer = client.genericKubernetesResources(context).inAnyNamespace()
                .runnableInformer(0);
        informer.itemStore(new SlimStore<>(OwnerCollection::strip));
        return informer;
    }

    private static GenericKubernetesResource strip(GenericKubernetesResource object) {
        GenericKubernetesResource slim = new GenericKubernetesResource();
        slim.setApiVersion(object.getApiVersion());
        slim.setKind(object.getKind());
        slim.setMetadata(PodFeed.strip(object.getMetadata()));
        return slim;
    }

    @Override
    public void seen(Pod pod) {
        seen(pod, SimApi.path(pod.getMetadata().getNamespace(), pod.getMetadata().getName()));
    }

    @Override
    public void gone(Pod pod) {
        gone(pod, SimApi.path(pod.getMetadata().getNamespace(), pod.getMetadata().getName()));
    }

    private void seen(HasMetadata object, String path) {
        List<OwnerReference> references = object.getMetadata().getOwnerReferences();
        Dependent dependent = dependent(object, path);
        if (references.isEmpty() || object.getMetadata().getDeletionTimestamp() != null || dependents.put(dependent, references) != null) {
            return;
        }
        synchronized (byOwner) {
            references.forEach(r -> byOwner.computeIfAbsent(r.getUid(), _ -> new HashSet<>()).add(dependent));
        }
        if (references.stream().noneMatch(r -> alive.contains(r.getUid()))) {
            queue.add(dependent, Duration.ZERO);
        }
    }

    private void gone(HasMetadata object, String path) {
        Dependent dependent = dependent(object, path);
        List<OwnerReference> references = dependents.remove(dependent);
        if (references != null) {
            synchronized (byOwner) {
                references.forEach(r -> byOwner.computeIfPresent(r.getUid(), (_, all) -> {
                    all.remove(dependent);
                    return all.isEmpty() ? null : all;
                }));
            }
        }
    }

    private static Dependent dependent(HasMetadata object, String path) {
        return new Dependent(path, object.getMetadata().getNamespace(), object.getMetadata().getUid());
    }

    private void run() {
        try {
            for (var next = queue.take(); next.isPresent(); next = queue.take()) {
                look(next.get());
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void look(Dependent dependent) {
        List<OwnerReference> references = dependents.getOrDefault(dependent, List.of());
        try {
            boolean owned = references.isEmpty();
            for (OwnerReference reference : references) {
                owned |= isAlive(reference, dependent.namespace());
            }
            if (!owned) {
                api.delete(dependent.path(), dependent.uid());
            }
        } catch (KubernetesClientException e) {
            LOG.atWarn().addKeyValue("object", dependent.path()).addKeyValue("reason", e.getMessage()).log("owner not checked");
            queue.add(dependent, AFTER_FAILURE);
        }
    }

    private boolean isAlive(OwnerReference reference, String namespace) {
        if (alive.contains(reference.getUid())) {
            return true;
        }
        OwnerKind kind = new OwnerKind(reference.getApiVersion(), reference.getKind());
        Place place = place(kind);
        owners.computeIfAbsent(kind,
                k -> PodFeed.run(slim(k, place), PodFeed.handler(o -> alive.add(o.getMetadata().getUid()), this::ownerGone)));
        String base = (kind.apiVersion().contains("/") ? "/apis/" : "/api/") + kind.apiVersion() + "/";
        String path = base + (place.namespaced() ? "namespaces/" + namespace + "/" : "") + place.plural() + "/" + reference.getName();
        try {
            String found = client.raw(path, "GET", null);
            return found != null && uid(found).equals(reference.getUid());
        } catch (KubernetesClientException e) {
            if (e.getCode() == NOT_FOUND) {
                return false;
            }
            throw e;
        }
    }

    private String uid(String json) {
        GenericKubernetesResource object = client.getKubernetesSerialization().unmarshal(json, GenericKubernetesResource.class);
        return object.getMetadata().getUid();
    }

    private Place place(OwnerKind kind) {
        Place known = places.get(kind);
        if (known != null) {
            return known;
        }
        var list = client.getApiResources(kind.apiVersion());
        List<APIResource> resources = list == null ? List.of() : list.getResources();
        APIResource found = resources.stream().filter(r -> r.getKind().equals(kind.kind()) && !r.getName().contains("/")).findFirst()
                .orElseThrow(() -> new KubernetesClientException("the server has no kind " + kind.kind() + " in " + kind.apiVersion()));
        Place place = new Place(found.getName(), found.getNamespaced());
        places.put(kind, place);
        return place;
    }

    private void ownerGone(HasMetadata owner) {
        String uid = owner.getMetadata().getUid();
        alive.remove(uid);
        synchronized (byOwner) {
            byOwner.getOrDefault(uid, Set.of()).forEach(d -> queue.add(d, Duration.ZERO));
        }
    }

    @Override
    public void close() {
        queue.close();
        thread.interrupt();
        owners.values().forEach(SharedIndexInformer::stop);
    }
}
