package dev.pillion.revision;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

import dev.pillion.api.Revision;
import dev.pillion.api.SidecarSet;
import dev.pillion.api.Wire;

/**
 * What registering a set's revision needs next (rollout.md 3.3). The caller carries a step out and asks it for the next one until
 * there is nothing left to write:
 *
 * <pre>
 * Renumber r -> r.renumbered(writes.renumber(r.revision(), r.number()))
 * Create c   -> c.created(writes.create(c.wanted(), set)), or when the name is taken: c.nameTaken(writes.read(c.wanted().name()))
 * </pre>
 */
public sealed interface Step {

    /**
     * The latest revision is known.
     *
     * @param history all revisions of the set, ascending, the latest last
     * @param customVersion the value to patch into the latest one's custom-version label; empty when nothing is to be patched. A
     *     refused patch is logged, not fatal (rollout.md 16.2 O)
     */
    record Registered(Revision latest, List<Revision> history, int collisionCount, Optional<String> customVersion) implements Step {
        public Registered {
            history = List.copyOf(history);
        }

        /** After the custom version was patched onto the latest revision, with the server's answer. */
        public Registered labelled(Revision answer) {
            List<Revision> now = new ArrayList<>(history.subList(0, history.size() - 1));
            now.add(answer);
            return new Registered(answer, now, collisionCount, Optional.empty());
        }

        static Registered of(SidecarSet set, List<Revision> history, int collisionCount) {
            Revision latest = history.getLast();
            String labelled = latest.labels().getOrDefault(Wire.CUSTOM_VERSION_LABEL, "");
            boolean same = set.customVersion().isEmpty() || set.customVersion().equals(labelled);
            return new Registered(latest, history, collisionCount, same ? Optional.empty() : Optional.of(set.customVersion()));
        }
    }

    /** An earlier revision has the wanted data: it gets the highest number and becomes the latest. */
    record Renumber(SidecarSet set, Revision revision, long number, List<Revision> others, int collisionCount) implements Step {
        public Renumber {
            others = List.copyOf(others);
        }

        /** Goes on with the revision as the server answered it. */
        public Step renumbered(Revision answer) {
            List<Revision> history = new ArrayList<>(others);
            history.add(answer);
            return Registered.of(set, history, collisionCount);
        }
    }

    /** No revision has the wanted data. */
    record Create(SidecarSet set, Revision wanted, List<Revision> others, int collisionCount, RevisionOptions options) implements Step {
        public Create {
            others = List.copyOf(others);
        }

        public Step created(Revision answer) {
            List<Revision> history = new ArrayList<>(others);
            history.add(answer);
            return Registered.of(set, history, collisionCount);
        }

        /**
         * Goes on when a revision of the wanted name exists: equal data is used, other data counts a collision and leads to the next name.
         * Compatible: api.md trap 16, the hash label stays that of the first name.
         */
        public Step nameTaken(Revision existing) {
            if (!options.sameData(existing, wanted)) {
                String name = RevisionName.of(set.name(), RevisionName.hash(wanted.data(), collisionCount + 1));
                return new Create(set, renamed(name), others, collisionCount + 1, options);
            }
            if (options.foreignOwner() == RevisionOptions.ForeignOwner.WAIT
                    && existing.ownerUid().isPresent() && !existing.ownerUid().get().equals(set.uid())) {
                return new Wait(existing);
            }
            return created(existing);
        }

        private Revision renamed(String name) {
            return new Revision(name, "", "", wanted.number(), "", wanted.labels(), wanted.annotations(), wanted.data(),
                    wanted.ownerUid());
        }
    }

    /** The wanted name is held by a revision of an older, deleted set of the same name; it will be collected: try again later (rollout.md 16.2 N). */
    record Wait(Revision heldBy) implements Step {
    }

    /** The set is being deleted: no revision is made for it (rollout.md 16.2 T). */
    record Terminating() implements Step {
    }

    /** Labels, annotations and number of the revision the set wants now (rollout.md 3.2). */
    static Revision wanted(SidecarSet set, String data, long number, int collisionCount, RevisionOptions options) {
        String hash = RevisionName.hash(data, collisionCount);
        Map<String, String> labels = new HashMap<>(set.labels());
        labels.put(Wire.REVISION_HASH_LABEL, hash);
        if (!set.customVersion().isEmpty()) {
            labels.put(Wire.CUSTOM_VERSION_LABEL, set.customVersion());
        }
        labels.put(Wire.SET_NAME_LABEL, set.name());
        return new Revision(RevisionName.of(set.name(), hash), "", "", number, "", labels, options.recorded(set.annotations()), data,
                Optional.of(set.uid()));
    }
}
