package dev.pillion.sandbox;

import java.util.ArrayList;
import java.util.List;

/** The last changes of one store, oldest first, in a window of fixed size. Guarded by the lock of ObjectStore. */
final class History {
    private final int limit;
    private final List<Change> ring = new ArrayList<>();
    private int start;
    private long forgotten;

    History(int limit) {
        this.limit = limit;
    }

    void add(Change change) {
        if (ring.size() < limit) {
            ring.add(change);
            return;
        }
        forgotten = ring.get(start).revision();
        ring.set(start, change);
        start = (start + 1) % limit;
    }

    /** Forgets everything, as a compaction does: whoever resumes from an older revision gets 410. */
    void forget(long revision) {
        ring.clear();
        start = 0;
        forgotten = revision;
    }

    /** Whether every change after the revision is still here. */
    boolean reaches(long revision) {
        return revision >= forgotten;
    }

    /** Changes after the revision, at most so many. */
    List<Change> after(long revision, int most) {
        int low = 0;
        int high = ring.size();
        while (low < high) {
            int middle = (low + high) >>> 1;
            if (at(middle).revision() <= revision) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        int end = (int) Math.min(ring.size(), (long) low + most);
        List<Change> changes = new ArrayList<>(end - low);
        for (int i = low; i < end; i++) {
            changes.add(at(i));
        }
        return changes;
    }

    private Change at(int index) {
        int position = start + index;
        return ring.get(position < ring.size() ? position : position - ring.size());
    }
}
