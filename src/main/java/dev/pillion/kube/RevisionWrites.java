package dev.pillion.kube;

import java.util.List;

import dev.pillion.api.Revision;
import dev.pillion.api.SidecarSet;

/** ControllerRevisions in the own namespace. Blocking, with a deadline. All throw {@link KubeException}. */
public interface RevisionWrites {
    /** Revisions labelled with the set's name, from the local view, in no promised order. */
    List<Revision> of(String setName);

    Revision read(String name);

    /** Creates; uid and resourceVersion of the argument are ignored, the owner is the set. */
    Revision create(Revision revision, SidecarSet owner);

    /** Sets the revision number, guarded by the resourceVersion. */
    Revision renumber(Revision revision, long number);

    Revision label(Revision revision, String key, String value);

    /** Deletes; one that is already gone counts as deleted. */
    void delete(Revision revision);
}
