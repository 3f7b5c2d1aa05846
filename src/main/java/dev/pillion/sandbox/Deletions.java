package dev.pillion.sandbox;

import java.time.Instant;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

import dev.pillion.sandbox.AdmissionAttributes.Operation;
import dev.pillion.sandbox.TypeRules.Trait;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * DELETE of one object:
 *
 * 1. preconditions uid and resourceVersion (409), admission;
 * 2. a pod with a grace period, and every object with finalizers, is only marked: deletionTimestamp, grace, next generation;
 * 3. an object that is marked already can only get a shorter grace period;
 * 4. otherwise it goes away.
 */
final class Deletions {
    private static final long DEFAULT_GRACE = 30;
    private final Services services;

    Deletions(Services services) {
        this.services = services;
    }

    /** Answers the body of the response: the object, or a Status of success. */
    ObjectNode delete(Target target, ObjectNode request, WriteOptions options) {
        while (true) {
            Stored stored = services.store().get(target.store(), target.key())
                    .orElseThrow(() -> ApiError.notFound(target.type(), target.name()));
            ObjectNode object = target.view(stored);
            checkPreconditions(target, request.path("preconditions"), object);
            AdmissionAttributes attributes = new AdmissionAttributes(Operation.DELETE, target.type(), target.version(), target.namespace(),
                    target.name(), "", null, object.deepCopy(), options.options(), options.persistence(), options.caller(),
                    options.warnings());
            services.admission().mutate(attributes);
            services.admission().validate(attributes);
            Optional<ObjectNode> answer = attempt(target, stored, object, request, options);
            if (answer.isPresent()) {
                return answer.get();
            }
        }
    }

    /** Empty when another write came first. */
    private Optional<ObjectNode> attempt(Target target, Stored stored, ObjectNode object, ObjectNode request, WriteOptions options) {
        ObjectNode metadata = Trees.metadata(object);
        boolean marked = metadata.has("deletionTimestamp");
        long grace = grace(target, object, request.path("gracePeriodSeconds"));
        boolean finalizers = propagate(metadata, request) || !Trees.at(object, "spec", "finalizers").isEmpty();
        if (marked) {
            long before = metadata.path("deletionGracePeriodSeconds").asLong(0);
            boolean shorter = request.path("gracePeriodSeconds").isNumber() && grace < before;
            if (!shorter && (before > 0 || finalizers)) {
                return Optional.of(object);
            }
            if (shorter) {
                Instant end = Instant.parse(Trees.text(metadata, "deletionTimestamp")).minusSeconds(before).plusSeconds(grace);
                metadata.put("deletionTimestamp", Services.timestamp(end)).put("deletionGracePeriodSeconds", grace);
            } else {
                grace = 0;
            }
        } else if (grace > 0 || finalizers || target.rules().traits().contains(Trait.GRACEFUL_DELETE)) {
            metadata.put("deletionTimestamp", Services.timestamp(services.clock().instant().plusSeconds(grace)));
            if (!target.type().qualifiedName().equals("namespaces")) {
                metadata.put("deletionGracePeriodSeconds", grace);
            }
            if (metadata.has("generation")) {
                metadata.put("generation", metadata.path("generation").asLong(0) + 1);
            }
            if (target.type().qualifiedName().equals("namespaces")) {
                Trees.child(object, "status").put("phase", "Terminating");
            }
        }
        boolean stays = grace > 0 || finalizers;
        ObjectNode answer = stays || target.rules().traits().contains(Trait.ANSWERS_DELETED) ? object.deepCopy() : success(target, object);
        if (options.isDryRun()) {
            return Optional.of(answer);
        }
        if (stays) {
            return services.store().update(target.store(), stored, target.toStored(object)).map(target::view);
        }
        return remove(target, stored, target.toStored(object)).map(_ -> answer);
    }

    /** A pod that goes is marked first, also when it goes at once: its watchers see MODIFIED, then DELETED. */
    private Optional<Stored> remove(Target target, Stored stored, ObjectNode last) {
        if (!target.rules().traits().contains(Trait.GRACEFUL_DELETE)) {
            return services.store().delete(target.store(), stored, last);
        }
        return services.store().update(target.store(), stored, last)
                .flatMap(marked -> services.store().delete(target.store(), marked, last));
    }

    /** Seconds until the object may go: pods that nobody runs, or that have ended, go at once. */
    private static long grace(Target target, ObjectNode object, JsonNode asked) {
        if (!target.rules().traits().contains(Trait.GRACEFUL_DELETE)) {
            return 0;
        }
        String phase = Trees.text(object, "status", "phase");
        if (Trees.text(object, "spec", "nodeName").isEmpty() || phase.equals("Succeeded") || phase.equals("Failed")) {
            return 0;
        }
        long grace = asked.isNumber()
                ? asked.longValue()
                : Trees.number(Trees.at(object, "spec", "terminationGracePeriodSeconds"), DEFAULT_GRACE);
        return grace < 0 ? 1 : grace;
    }

    /** Sets the finalizers that propagationPolicy asks for; answers whether any finalizer is left. */
    private static boolean propagate(ObjectNode metadata, ObjectNode request) {
        Set<String> finalizers = new TreeSet<>();
        metadata.path("finalizers").forEach(finalizer -> finalizers.add(finalizer.asString()));
        Set<String> before = Set.copyOf(finalizers);
        JsonNode orphan = request.path("orphanDependents");
        String policy = orphan.isBoolean() ? orphan.booleanValue() ? "Orphan" : "Background" : Trees.text(request, "propagationPolicy");
        switch (policy) {
            case "Orphan" -> {
                finalizers.add("orphan");
                finalizers.remove("foregroundDeletion");
            }
            case "Foreground" -> {
                finalizers.add("foregroundDeletion");
                finalizers.remove("orphan");
            }
            case "Background" -> {
                finalizers.remove("orphan");
                finalizers.remove("foregroundDeletion");
            }
            case "" -> {
                // what the object has
            }
            default -> throw ApiError.invalidOption("DeleteOptions", Cause.notSupported("propagationPolicy", Names.quoted(policy),
                    "\"Foreground\", \"Background\", \"Orphan\", \"nil\""));
        }
        if (!finalizers.equals(before)) {
            ArrayNode list = metadata.putArray("finalizers");
            finalizers.forEach(list::add);
            if (finalizers.isEmpty()) {
                metadata.remove("finalizers");
            }
        }
        return !finalizers.isEmpty();
    }

    private static void checkPreconditions(Target target, JsonNode preconditions, ObjectNode object) {
        for (String member : java.util.List.of("uid", "resourceVersion")) {
            String wanted = Trees.text(preconditions, member);
            String there = Trees.text(object, "metadata", member);
            if (!wanted.isEmpty() && !wanted.equals(there)) {
                boolean uid = member.equals("uid");
                String what = uid ? "UID" : "ResourceVersion";
                throw ApiError.precondition(target.type(), target.name(),
                        "the " + what + " in the precondition (" + wanted + ") does not match the " + what
                                + " in record (" + there + "). The object might have been "
                                + (uid ? "deleted and then recreated" : "modified"));
            }
        }
    }

    private static ObjectNode success(Target target, ObjectNode gone) {
        ObjectNode status = success();
        ObjectNode details = status.putObject("details");
        details.put("name", target.name());
        if (!target.type().group().isEmpty()) {
            details.put("group", target.type().group());
        }
        details.put("kind", target.type().plural()).put("uid", Trees.text(gone, "metadata", "uid"));
        return status;
    }

    static ObjectNode success() {
        ObjectNode status = Trees.object();
        status.put("kind", "Status").put("apiVersion", "v1");
        status.putObject("metadata");
        return status.put("status", "Success");
    }
}
