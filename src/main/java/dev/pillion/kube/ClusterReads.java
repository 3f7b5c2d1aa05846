package dev.pillion.kube;

import java.util.List;
import java.util.Optional;
import java.util.function.Function;

import dev.pillion.api.LabelSelector;
import dev.pillion.api.PodView;
import dev.pillion.api.Revision;
import dev.pillion.api.SidecarSet;
import dev.pillion.match.NamespaceView;

import tools.jackson.databind.node.ObjectNode;

/**
 * The cluster as it is now, for commands that look once and end. Everything is read in pages; blocking, with a deadline for each page. All
 * throw {@link KubeException}.
 */
public interface ClusterReads {
    List<SidecarSet> sets();

    /** Empty: it does not exist. */
    Optional<SidecarSet> set(String name);

    List<NamespaceView> namespaces();

    /** All ControllerRevisions of SidecarSets in the controller's own namespace. */
    List<Revision> revisions();

    /** The whitelist text of the configuration in the controller's own namespace; empty when there is none. */
    Optional<String> whitelist();

    /** Pods of all namespaces, at least those that the selector matches; those that have ended included. */
    List<PodView> pods(LabelSelector selector);

    /** One Pod with all its members; empty: it does not exist. */
    Optional<ObjectNode> pod(String namespace, String name);

    /** The events (events.k8s.io/v1) about objects of a namespace; "default" for those about cluster-scoped ones. */
    List<ObjectNode> events(String namespace);

    List<ObjectNode> mutatingWebhookConfigurations();

    /**
     * Objects of any kind in all namespaces, each one shortened as soon as it is read. Fails with 404 where the kind is not served.
     *
     * @param shortened what is kept of an object; objects for which it throws are left out
     */
    <T> List<T> all(String apiVersion, String kind, Function<ObjectNode, T> shortened);
}
