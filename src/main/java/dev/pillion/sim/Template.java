package dev.pillion.sim;

import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;

import org.jspecify.annotations.Nullable;

import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.fabric8.kubernetes.api.model.OwnerReference;
import io.fabric8.kubernetes.api.model.OwnerReferenceBuilder;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.api.model.PodTemplateSpec;
import io.fabric8.kubernetes.api.model.PodTemplateSpecBuilder;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.api.model.apps.ReplicaSet;
import io.fabric8.kubernetes.api.model.apps.ReplicaSetBuilder;

/** Objects that workload controllers make from templates. Pure. */
final class Template {
    static final String HASH_LABEL = "pod-template-hash";
    private static final String LETTERS = "bcdfghjklmnpqrstvwxz2456789";

    private Template() {
    }

    /** A short name for a template's JSON; any stable function would do. */
    static String hash(String json) {
        int hash = 0x811c9dc5;
        for (byte b : json.getBytes(StandardCharsets.UTF_8)) {
            hash = (hash ^ b) * 0x01000193;
        }
        StringBuilder name = new StringBuilder();
        for (long rest = Integer.toUnsignedLong(hash); name.length() < 7; rest /= LETTERS.length()) {
            name.append(LETTERS.charAt((int) (rest % LETTERS.length())));
        }
        return name.toString();
    }

    static ReplicaSet replicaSet(Deployment deployment, String hash) {
        PodTemplateSpec template = new PodTemplateSpecBuilder(deployment.getSpec().getTemplate()).editOrNewMetadata()
                .addToLabels(HASH_LABEL, hash).endMetadata().build();
        return new ReplicaSetBuilder().withNewMetadata().withNamespace(deployment.getMetadata().getNamespace())
                .withName(deployment.getMetadata().getName() + "-" + hash).withLabels(template.getMetadata().getLabels())
                .withOwnerReferences(owner("apps/v1", "Deployment", deployment.getMetadata())).endMetadata().withNewSpec()
                .withReplicas(replicas(deployment.getSpec().getReplicas()))
                .withSelector(deployment.getSpec().getSelector().edit().addToMatchLabels(HASH_LABEL, hash).build()).withTemplate(template)
                .endSpec().build();
    }

    static Pod pod(ReplicaSet set) {
        PodTemplateSpec template = set.getSpec().getTemplate();
        ObjectMeta metadata = template.getMetadata() == null ? new ObjectMeta() : template.getMetadata();
        Map<String, String> annotations = metadata.getAnnotations() == null ? Map.of() : metadata.getAnnotations();
        Map<String, String> labels = new HashMap<>(metadata.getLabels() == null ? Map.of() : metadata.getLabels());
        return new PodBuilder().withNewMetadata().withNamespace(set.getMetadata().getNamespace())
                .withGenerateName(set.getMetadata().getName() + "-").withLabels(labels).withAnnotations(annotations)
                .withOwnerReferences(owner("apps/v1", "ReplicaSet", set.getMetadata())).endMetadata().withSpec(template.getSpec()).build();
    }

    static int replicas(@Nullable Integer wanted) {
        return wanted == null ? 1 : wanted;
    }

    private static OwnerReference owner(String apiVersion, String kind, ObjectMeta owner) {
        return new OwnerReferenceBuilder().withApiVersion(apiVersion).withKind(kind).withName(owner.getName()).withUid(owner.getUid())
                .withController(true).withBlockOwnerDeletion(true).build();
    }
}
