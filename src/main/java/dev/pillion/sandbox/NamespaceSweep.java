package dev.pillion.sandbox;

import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;

import dev.pillion.sandbox.TypeRegistry.Served;

import tools.jackson.databind.node.ObjectNode;

/**
 * Plays the namespace controller: empties a namespace that is being deleted, then lets it go. Its own deletes pass admission like everybody's, and are not in
 * the audit log.
 */
final class NamespaceSweep {
    private final Services services;
    private final Deletions deletions;
    private final Executor executor;
    private final Set<String> terminating = ConcurrentHashMap.newKeySet();

    /** @param executor runs the sweeps, off the writer's thread */
    NamespaceSweep(Services services, Deletions deletions, Executor executor) {
        this.services = services;
        this.deletions = deletions;
        this.executor = executor;
    }

    void onCommit(Change change) {
        if (change.store().equals("namespaces")) {
            String name = change.object().name();
            if (change.kind() == Change.Kind.DELETED) {
                terminating.remove(name);
            } else if (change.kind() == Change.Kind.MODIFIED && !terminating.contains(name)
                    && !Trees.isAbsent(Trees.at(change.object().tree(), "metadata", "deletionTimestamp"))) {
                terminating.add(name);
                executor.execute(() -> empty(name));
            }
        } else if (change.kind() == Change.Kind.DELETED && terminating.contains(change.object().namespace())) {
            executor.execute(() -> finish(change.object().namespace()));
        }
    }

    private void empty(String namespace) {
        for (Served served : services.types().all()) {
            if (served.type().isNamespaced() && !served.type().group().equals("events.k8s.io")) {
                Target all = new Target(served, served.type().versions().getFirst(), namespace, "", "");
                for (Stored stored : services.store().list(all.store(), all.prefix()).objects()) {
                    remove(all.named(stored.name()));
                }
            }
        }
        finish(namespace);
    }

    private void remove(Target target) {
        try {
            deletions.delete(target, Trees.object().put("propagationPolicy", "Background"), systemOptions());
        } catch (ApiError refused) {
            // Gone already, or a webhook refuses: then the namespace stays, as on a real server.
            org.slf4j.LoggerFactory.getLogger(NamespaceSweep.class).atDebug().setMessage("object of a terminating namespace stays")
                    .addKeyValue("namespace", target.namespace()).addKeyValue("object", target.name())
                    .addKeyValue("reason", refused.reason()).log();
        }
    }

    private void finish(String namespace) {
        boolean empty = services.types().all().stream().filter(served -> served.type().isNamespaced())
                .allMatch(served -> services.store().list(served.type().store(), namespace + "/").objects().isEmpty());
        if (!empty) {
            return;
        }
        Optional<Stored> there = services.store().get("namespaces", namespace);
        while (there.isPresent()) {
            ObjectNode last = there.get().tree();
            Trees.child(last, "spec").remove("finalizers");
            if (!Trees.at(last, "metadata", "finalizers").isEmpty()
                    || services.store().delete("namespaces", there.get(), last).isPresent()) {
                return;
            }
            there = services.store().get("namespaces", namespace);
        }
    }

    static WriteOptions systemOptions() {
        return new WriteOptions(AdmissionAttributes.Persistence.STORED, "sandbox", ApplyPatch.Conflicts.REFUSE,
                WriteOptions.FieldValidation.IGNORE, Trees.object(), Caller.SYSTEM, _ -> {
                });
    }
}
