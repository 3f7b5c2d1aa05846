package dev.pillion.sim;

import java.util.List;

import org.jspecify.annotations.Nullable;

import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.api.model.apps.DeploymentStatus;
import io.fabric8.kubernetes.api.model.apps.DeploymentStatusBuilder;
import io.fabric8.kubernetes.api.model.apps.ReplicaSet;
import io.fabric8.kubernetes.api.model.apps.ReplicaSetStatus;
import io.fabric8.kubernetes.api.model.apps.ReplicaSetStatusBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;

import dev.pillion.sim.OwnedPods.Owned;

/** Writes the counts of workloads where they differ. */
record WorkloadStatus(KubernetesClient client) {

    /** Returns the set as it is afterwards. */
    ReplicaSet write(ReplicaSet set, List<Owned> pods) {
        int ready = ready(pods);
        ReplicaSetStatus is = set.getStatus() == null ? new ReplicaSetStatus() : set.getStatus();
        long generation = generation(set.getMetadata().getGeneration());
        if (number(is.getReplicas()) == pods.size() && number(is.getReadyReplicas()) == ready
                && generation(is.getObservedGeneration()) == generation) {
            return set;
        }
        ReplicaSetStatus status = new ReplicaSetStatusBuilder().withReplicas(pods.size()).withFullyLabeledReplicas(pods.size())
                .withReadyReplicas(ready).withAvailableReplicas(ready).withObservedGeneration(generation).build();
        return client.resource(set).subresource("status").patch(PatchContext.of(PatchType.JSON_MERGE), body(status));
    }

    /** Counts Pods of the present template and of all. */
    Deployment write(Deployment deployment, List<Owned> present, List<Owned> all) {
        int ready = ready(all);
        int wanted = Template.replicas(deployment.getSpec().getReplicas());
        DeploymentStatus is = deployment.getStatus() == null ? new DeploymentStatus() : deployment.getStatus();
        long generation = generation(deployment.getMetadata().getGeneration());
        if (number(is.getReplicas()) == all.size() && number(is.getUpdatedReplicas()) == present.size()
                && number(is.getReadyReplicas()) == ready && number(is.getUnavailableReplicas()) == Math.max(0, wanted - ready)
                && generation(is.getObservedGeneration()) == generation) {
            return deployment;
        }
        DeploymentStatus status = new DeploymentStatusBuilder().withReplicas(all.size()).withUpdatedReplicas(present.size())
                .withReadyReplicas(ready).withAvailableReplicas(ready).withUnavailableReplicas(Math.max(0, wanted - ready))
                .withObservedGeneration(generation).build();
        return client.resource(deployment).subresource("status").patch(PatchContext.of(PatchType.JSON_MERGE), body(status));
    }

    private String body(Object status) {
        return "{\"status\":" + client.getKubernetesSerialization().asJson(status) + "}";
    }

    private static int ready(List<Owned> pods) {
        return (int) pods.stream().filter(Owned::ready).count();
    }

    private static int number(@Nullable Integer value) {
        return value == null ? 0 : value;
    }

    private static long generation(@Nullable Long value) {
        return value == null ? 0 : value;
    }
}
