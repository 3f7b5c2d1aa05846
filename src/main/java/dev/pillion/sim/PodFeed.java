package dev.pillion.sim;

import java.util.List;
import java.util.function.Consumer;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.informers.ResourceEventHandler;
import io.fabric8.kubernetes.client.informers.SharedIndexInformer;

/** One stream of Pods for all simulators. */
final class PodFeed {
    private static final Logger LOG = LoggerFactory.getLogger(PodFeed.class);
    private static final long PAGE = 500;

    /** Takes the Pods' story, on one thread. */
    interface Follower {
        void seen(Pod pod);

        void gone(Pod pod);
    }

    private PodFeed() {
    }

    static SharedIndexInformer<Pod> start(KubernetesClient client, List<Follower> followers) {
        SharedIndexInformer<Pod> informer = client.pods().inAnyNamespace().withLimit(PAGE).runnableInformer(0);
        informer.itemStore(new SlimStore<>(PodFeed::strip));
        return run(informer, handler(pod -> followers.forEach(f -> f.seen(pod)), pod -> followers.forEach(f -> f.gone(pod))));
    }

    /** Starts an informer that outlives failures of the server. */
    static <T extends HasMetadata> SharedIndexInformer<T> run(SharedIndexInformer<T> informer, ResourceEventHandler<T> handler) {
        informer.exceptionHandler((_, _) -> true);
        informer.addEventHandler(handler);
        informer.start().whenComplete((_, failure) -> {
            if (failure != null) {
                LOG.atWarn().addKeyValue("reason", failure.toString()).log("watch did not start");
            }
        });
        return informer;
    }

    static <T> ResourceEventHandler<T> handler(Consumer<T> seen, Consumer<T> gone) {
        return new ResourceEventHandler<>() {
            @Override
            public void onAdd(T object) {
                guarded(seen, object);
            }

            @Override
            public void onUpdate(T old, T object) {
                guarded(seen, object);
            }

            @Override
            public void onDelete(T object, boolean unknownFinalState) {
                guarded(gone, object);
            }
        };
    }

    private static <T> void guarded(Consumer<T> call, T object) {
        try {
            call.accept(object);
        } catch (RuntimeException e) {
            LOG.atError().setCause(e).log("simulator failed on an object");
        }
    }

    private static Pod strip(Pod pod) {
        Pod slim = new Pod();
        slim.setMetadata(strip(pod.getMetadata()));
        return slim;
    }

    static ObjectMeta strip(ObjectMeta metadata) {
        ObjectMeta slim = new ObjectMeta();
        slim.setName(metadata.getName());
        slim.setNamespace(metadata.getNamespace());
        slim.setUid(metadata.getUid());
        slim.setResourceVersion(metadata.getResourceVersion());
        slim.setOwnerReferences(metadata.getOwnerReferences());
        return slim;
    }
}
