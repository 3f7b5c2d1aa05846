package dev.pillion.revision;

import java.util.HashMap;
import java.util.Map;

import dev.pillion.api.Revision;
import dev.pillion.api.Wire;

/**
 * Where Pillion's history differs from the reference's: equality of data (rollout.md 16.2 S), a name held by an older set (N), sets
 * being deleted (T), and annotations left out (api.md trap 15).
 */
public record RevisionOptions(Equality equality, ForeignOwner foreignOwner, Deleting deleting, Annotations annotations) {

    /** How the data of two revisions is compared. */
    public enum Equality {
        BYTES, CANONICAL
    }

    /** What happens when an older set of the same name owns the revision that is wanted. */
    public enum ForeignOwner {
        USE, WAIT
    }

    /** Whether a set being deleted still gets revisions. */
    public enum Deleting {
        REGISTER, LEAVE
    }

    /** Which annotations of the set a new revision carries. */
    public enum Annotations {
        ALL, WITHOUT_BOOKKEEPING
    }

    public static final RevisionOptions REFERENCE = new RevisionOptions(Equality.BYTES, ForeignOwner.USE, Deleting.REGISTER,
            Annotations.ALL);
    public static final RevisionOptions PILLION = new RevisionOptions(Equality.CANONICAL, ForeignOwner.WAIT, Deleting.LEAVE,
            Annotations.WITHOUT_BOOKKEEPING);

    /** Whether an existing revision records the wanted data. The wanted one is canonical already. */
    boolean sameData(Revision existing, Revision wanted) {
        return existing.data().equals(wanted.data())
                || (equality == Equality.CANONICAL && RevisionData.canonical(existing.data()).equals(wanted.data()));
    }

    Map<String, String> recorded(Map<String, String> annotations) {
        if (this.annotations == Annotations.ALL) {
            return annotations;
        }
        Map<String, String> kept = new HashMap<>(annotations);
        kept.remove(Wire.V1ALPHA1_STORE);
        kept.remove(Wire.LAST_APPLIED);
        return kept;
    }
}
