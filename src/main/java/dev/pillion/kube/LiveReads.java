package dev.pillion.kube;

import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionStage;

import dev.pillion.api.Revision;
import dev.pillion.api.SidecarSet;
import dev.pillion.match.NamespaceView;

/** What admission may ask of the API server. Answers always before their deadline; a failed or late read completes with {@link KubeException}. */
public interface LiveReads {
    /** Empty: the Namespace does not exist. */
    CompletionStage<Optional<NamespaceView>> namespace(String name);

    /** A SidecarSet by name; empty: it does not exist. */
    CompletionStage<Optional<SidecarSet>> sidecarSet(String name);

    /** A ControllerRevision of the own namespace by name; empty: it does not exist. */
    CompletionStage<Optional<Revision>> revision(String name);

    /** The ControllerRevisions of a set with a custom version, by both labels, in any order. */
    CompletionStage<List<Revision>> revisions(String setName, String customVersion);
}
