package dev.pillion.kube;

import java.util.Map;

import dev.pillion.api.PodKey;
import dev.pillion.api.PodView;

/** Writes of Pods. Blocking, with the deadline kube.request-timeout; never retried here. All throw {@link KubeException}. */
public interface PodWrites {
    /** Strategic merge patch of the Pod; the body carries the uid, and the resourceVersion where it rests on one. Returns the answer. */
    PodView patch(PodKey pod, String strategicMergePatch);

    /** The same for the status subresource. */
    PodView patchStatus(PodKey pod, String strategicMergePatch);

    /** Reads the Pod live. */
    PodView read(PodKey pod);

    /** Reads all annotations of the Pod live, for patchPodMetadata. */
    Map<String, String> readAnnotations(PodKey pod);
}
