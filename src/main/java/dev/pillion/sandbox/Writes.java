package dev.pillion.sandbox;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.UnaryOperator;

import dev.pillion.sandbox.AdmissionAttributes.Operation;
import dev.pillion.sandbox.ResourceType.Subresource;
import dev.pillion.sandbox.TypeRules.Trait;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Create and update, for PUT and all patches. An update:
 *
 * 1. reads the object and lets the caller's function make the wanted one from it;
 * 2. compares resourceVersion (409) and name (400), fills in defaults, passes mutating admission;
 * 3. restores what the addressed resource cannot change (identity, and status or everything but status), counts the generation;
 * 4. validates (422), passes validating admission;
 * 5. writes unless nothing changed; with a lost race it starts again, except when the caller named a resourceVersion;
 * 6. an object that is being deleted and has lost its last finalizer goes away.
 */
final class Writes {
    private static final int NAME_ATTEMPTS = 8;
    private static final int UPDATE_ATTEMPTS = 50;
    private final Services services;

    /** Whether the new owner of changed fields is still to be noted. */
    private enum Ownership {
        NOTE, NOTED
    }

    Writes(Services services) {
        this.services = services;
    }

    ObjectNode create(Target target, JsonNode body, WriteOptions options) {
        ObjectNode object = Decoder.decode(target, body, options);
        ResourceType type = target.type();
        ObjectNode metadata = Trees.metadata(object);
        if (!Trees.text(metadata, "resourceVersion").isEmpty()) {
            throw ApiError.failure("resourceVersion should not be set on objects to be created");
        }
        metadata.remove(List.of("uid", "creationTimestamp", "deletionTimestamp", "deletionGracePeriodSeconds", "generation", "selfLink"));
        enterNamespace(target, metadata);
        target.rules().applyDefaults(object, target.version());
        if (type.qualifiedName().equals("pods")) {
            PodRules.admit(object);
        }
        services.apply().note(type, target.version(), null, object, new ApplyPatch.Owner(options.manager(), ""));
        return insert(target, object, options);
    }

    /** The second half of a create: the object is decoded and defaulted. */
    private ObjectNode insert(Target target, ObjectNode decoded, WriteOptions options) {
        ResourceType type = target.type();
        TypeRules rules = target.rules();
        AdmissionAttributes attributes = new AdmissionAttributes(Operation.CREATE, type, target.version(), target.namespace(),
                Trees.name(decoded), "", decoded, null, options.shownAs("CreateOptions"), options.persistence(), options.caller(),
                options.warnings());
        ObjectNode object = services.admission().mutate(attributes);
        rules.applyDefaults(object, target.version());
        ObjectNode metadata = Trees.metadata(object);
        metadata.put("uid", services.uids().get()).put("creationTimestamp", services.timestamp());
        if (rules.traits().contains(Trait.GENERATION)) {
            metadata.put("generation", 1);
        }
        if (type.has(Subresource.STATUS)) {
            object.remove("status");
        }
        rules.prepareCreate(object);
        boolean generated = Trees.text(metadata, "name").isEmpty() && !Trees.text(metadata, "generateName").isEmpty();
        for (int attempt = 0; attempt < NAME_ATTEMPTS; attempt++) {
            if (generated) {
                metadata.put("name", services.generatedName(Trees.text(metadata, "generateName")));
                rules.applyDefaults(object, target.version());
            }
            List<Cause> faults = new ArrayList<>(Names.checkMetadata(type, object));
            faults.addAll(rules.validateCreate(object));
            refuse(target, Trees.name(object), faults);
            services.admission().validate(attributes.withObject(object));
            String key = Stored.key(target.namespace(), Trees.name(object));
            if (options.isDryRun()) {
                if (services.store().get(target.store(), key).isEmpty()) {
                    return target.throughStore(object);
                }
            } else {
                Optional<Stored> stored = services.store().create(target.store(), key, target.toStored(object.deepCopy()));
                if (stored.isPresent()) {
                    return target.view(stored.get());
                }
            }
            if (!generated) {
                break;
            }
        }
        throw ApiError.alreadyExists(type, Trees.name(object));
    }

    private void enterNamespace(Target target, ObjectNode metadata) {
        if (!target.type().isNamespaced()) {
            metadata.remove("namespace");
            return;
        }
        String given = Trees.text(metadata, "namespace");
        if (!given.isEmpty() && !given.equals(target.namespace())) {
            throw ApiError.badRequest("the namespace of the provided object does not match the namespace sent on the request");
        }
        metadata.put("namespace", target.namespace());
        ResourceType namespaces = services.types().find("namespaces").orElseThrow().type();
        Stored namespace = services.store().get("namespaces", target.namespace())
                .orElseThrow(() -> ApiError.notFound(namespaces, target.namespace()));
        if (!Trees.isAbsent(Trees.at(namespace.tree(), "metadata", "deletionTimestamp"))) {
            throw ApiError.forbidden(target.type(), Trees.text(metadata, "name"),
                    "unable to create new content in namespace " + target.namespace() + " because it is being terminated",
                    new Cause("NamespaceTerminating", "metadata.namespace", "namespace " + target.namespace() + " is being terminated"));
        }
    }

    /** PUT. Creates when the type allows that and the object is not there. */
    Outcome replace(Target target, JsonNode body, WriteOptions options) {
        ObjectNode wanted = Decoder.decode(target, body, options);
        Optional<Stored> there = services.store().get(target.store(), target.key());
        String revision = Trees.text(wanted, "metadata", "resourceVersion");
        String uid = Trees.text(wanted, "metadata", "uid");
        if (target.rules().traits().contains(Trait.CREATE_ON_UPDATE) && there.isEmpty()) {
            if (!uid.isEmpty()) {
                throw otherUid(target, uid, services.uids().get());
            }
            if (revision.isEmpty() || revision.equals("0")) {
                throw ApiError.revisionMissing(target.type(), target.name());
            }
            checkIdentity(target, wanted);
            Trees.metadata(wanted).remove("resourceVersion");
            return new Outcome(create(target, wanted, options), Outcome.Effect.CREATED);
        }
        UnaryOperator<ObjectNode> function = current -> {
            String uidNow = Trees.text(current, "metadata", "uid");
            if (!uid.isEmpty() && !uid.equals(uidNow)) {
                throw otherUid(target, uid, uidNow);
            }
            return wanted.deepCopy();
        };
        return update(target, function, options);
    }

    private static ApiError otherUid(Target target, String wanted, String there) {
        String folder = target.type().isCustom() ? target.type().group() + "/" + target.type().plural() : target.type().plural();
        return ApiError.conflict(target.type(), target.name(),
                "StorageError: invalid object, Code: 4, Key: /registry/" + folder + "/" + target.key()
                        + ", ResourceVersion: 0, AdditionalErrorMsg: Precondition failed: UID in precondition: " + wanted
                        + ", UID in object meta: " + there);
    }

    /** Apply of an object that is not there. */
    Outcome createApplied(Target target, ObjectNode applied, WriteOptions options) {
        ObjectNode object = Decoder.decode(target, applied, options);
        checkIdentity(target, object);
        enterNamespace(target, Trees.metadata(object));
        target.rules().applyDefaults(object, target.version());
        if (target.type().qualifiedName().equals("pods")) {
            PodRules.admit(object);
        }
        return new Outcome(insert(target, object, options), Outcome.Effect.CREATED);
    }

    /** An update of the addressed (sub)resource. The function gets a copy of the object in the version of the request. */
    Outcome update(Target target, UnaryOperator<ObjectNode> function, WriteOptions options) {
        return update(target, function, options, Ownership.NOTE);
    }

    /** An update whose function has already noted who owns which fields: an apply. */
    Outcome updateApplied(Target target, UnaryOperator<ObjectNode> function, WriteOptions options) {
        return update(target, function, options, Ownership.NOTED);
    }

    private Outcome update(Target target, UnaryOperator<ObjectNode> function, WriteOptions options, Ownership ownership) {
        for (int attempt = 0; attempt < UPDATE_ATTEMPTS; attempt++) {
            Stored stored = services.store().get(target.store(), target.key())
                    .orElseThrow(() -> ApiError.notFound(target.type(), target.name()));
            ObjectNode old = target.view(stored);
            ObjectNode wanted = function.apply(old.deepCopy());
            checkIdentity(target, wanted);
            checkRevision(target, stored, wanted, old);
            ObjectNode now = admit(target, wanted, old, options, ownership);
            if (ManagedFields.differInTimesOnly(target.toStored(now.deepCopy()), stored.tree())) {
                return new Outcome(target.view(stored), Outcome.Effect.UNCHANGED);
            }
            if (options.isDryRun()) {
                return new Outcome(target.throughStore(now), Outcome.Effect.UPDATED);
            }
            Optional<Stored> written = isFinished(now)
                    ? services.store().delete(target.store(), stored, target.toStored(now))
                    : services.store().update(target.store(), stored, target.toStored(now));
            if (written.isPresent()) {
                return new Outcome(target.view(written.get()), Outcome.Effect.UPDATED);
            }
            // Lost a race: the next round reads again and answers 409 if the caller's resourceVersion is now old.
        }
        throw ApiError.stale(target.type(), target.name());
    }

    private ObjectNode admit(Target target, ObjectNode wanted, ObjectNode old, WriteOptions options, Ownership ownership) {
        ResourceType type = target.type();
        TypeRules rules = target.rules();
        rules.applyDefaults(wanted, target.version());
        if (ownership == Ownership.NOTE) {
            services.apply().note(type, target.version(), old, wanted, new ApplyPatch.Owner(options.manager(), target.subresource()));
        }
        keepIdentity(wanted, old);
        separate(target, wanted, old);
        AdmissionAttributes attributes = new AdmissionAttributes(Operation.UPDATE, type, target.version(), target.namespace(),
                target.name(),
                target.subresource(), wanted, old.deepCopy(), options.shownAs("UpdateOptions"), options.persistence(), options.caller(),
                options.warnings());
        ObjectNode now = services.admission().mutate(attributes);
        rules.applyDefaults(now, target.version());
        keepIdentity(now, old);
        separate(target, now, old);
        countGeneration(target, now, old);
        List<Cause> faults = new ArrayList<>(metadataFaults(type, now, old));
        faults.addAll(target.isStatus()
                ? rules.validateStatus(now, old)
                : target.subresource().isEmpty() ? rules.validateUpdate(now, old) : List.of());
        refuse(target, target.name(), faults);
        services.admission().validate(attributes.withObject(now));
        return now;
    }

    private static void checkIdentity(Target target, ObjectNode wanted) {
        String name = Trees.name(wanted);
        if (name.isEmpty()) {
            Trees.metadata(wanted).put("name", target.name());
        } else if (!name.equals(target.name())) {
            throw ApiError.badRequest("the name of the object (" + name + ") does not match the name on the URL (" + target.name() + ")");
        }
        if (!target.type().isNamespaced()) {
            Trees.metadata(wanted).remove("namespace");
        }
        String namespace = Trees.namespace(wanted);
        if (!namespace.isEmpty() && !namespace.equals(target.namespace())) {
            throw ApiError.badRequest("the namespace of the provided object does not match the namespace sent on the request");
        }
        if (!target.namespace().isEmpty()) {
            Trees.metadata(wanted).put("namespace", target.namespace());
        }
    }

    private static void checkRevision(Target target, Stored stored, ObjectNode wanted, ObjectNode old) {
        String revision = Trees.text(wanted, "metadata", "resourceVersion");
        if (revision.isEmpty() || revision.equals("0")) {
            if (!target.rules().traits().contains(Trait.UNCONDITIONAL_UPDATE)) {
                throw ApiError.revisionMissing(target.type(), target.name());
            }
        } else if (!revision.equals(Long.toString(stored.revision()))) {
            if (!revision.chars().allMatch(c -> c >= '0' && c <= '9')) {
                throw ApiError.failure("strconv.ParseUint: parsing " + Names.quoted(revision) + ": invalid syntax");
            }
            throw ApiError.stale(target.type(), target.name());
        }
        Trees.metadata(wanted).set("resourceVersion", Trees.at(old, "metadata", "resourceVersion"));
    }

    /** What no update changes, whatever it says; a different uid stays and is refused later. */
    private static void keepIdentity(ObjectNode wanted, ObjectNode old) {
        ObjectNode metadata = Trees.metadata(wanted);
        JsonNode before = old.path("metadata");
        for (String member : List.of("creationTimestamp", "deletionTimestamp", "deletionGracePeriodSeconds", "generation", "generateName",
                "selfLink")) {
            Trees.setOrRemove(metadata, member, before.path(member));
        }
        if (Trees.text(metadata, "uid").isEmpty()) {
            Trees.setOrRemove(metadata, "uid", before.path("uid"));
        }
        Trees.setOrRemove(metadata, "resourceVersion", before.path("resourceVersion"));
    }

    /** The main resource leaves the status alone; status leaves all else alone, but built-in types let labels and annotations through. */
    private static void separate(Target target, ObjectNode wanted, ObjectNode old) {
        if (target.isStatus()) {
            for (String member : Set.copyOf(wanted.propertyNames())) {
                if (!member.equals("status") && !member.equals("metadata")) {
                    wanted.remove(member);
                }
            }
            old.properties().stream().filter(entry -> !entry.getKey().equals("status") && !entry.getKey().equals("metadata"))
                    .forEach(entry -> wanted.set(entry.getKey(), entry.getValue().deepCopy()));
            if (target.type().isCustom()) {
                // Even a wrong uid is overlooked here: a real server copies the old metadata before it compares.
                ObjectNode metadata = old.path("metadata").deepCopy().asObject();
                Trees.setOrRemove(metadata, "managedFields", Trees.at(wanted, "metadata", "managedFields"));
                wanted.set("metadata", metadata);
            } else {
                Trees.setOrRemove(Trees.metadata(wanted), "ownerReferences", Trees.at(old, "metadata", "ownerReferences"));
            }
        } else if (target.subresource().isEmpty()) {
            if (target.type().has(Subresource.STATUS)) {
                Trees.setOrRemove(wanted, "status", old.path("status"));
            }
            target.rules().prepareUpdate(wanted, old);
        }
    }

    private static void countGeneration(Target target, ObjectNode now, ObjectNode old) {
        Set<Trait> traits = target.rules().traits();
        if (!traits.contains(Trait.GENERATION) || target.isStatus() || target.subresource().equals(Subresource.BINDING.path())) {
            return;
        }
        boolean annotations = traits.contains(Trait.GENERATION_BY_ANNOTATIONS)
                && !Trees.at(now, "metadata", "annotations").equals(Trees.at(old, "metadata", "annotations"));
        if (annotations || !body(target, now).equals(body(target, old))) {
            Trees.metadata(now).put("generation", Trees.number(Trees.at(old, "metadata", "generation"), 0) + 1);
        }
    }

    /** What the generation counts: all but metadata, and but status where that is apart. */
    private static ObjectNode body(Target target, ObjectNode object) {
        ObjectNode body = Trees.object();
        object.properties().forEach(entry -> body.set(entry.getKey(), entry.getValue()));
        body.remove("metadata");
        if (target.type().has(Subresource.STATUS)) {
            body.remove("status");
        }
        return body;
    }

    private static List<Cause> metadataFaults(ResourceType type, ObjectNode now, ObjectNode old) {
        List<Cause> faults = new ArrayList<>(Names.checkMetadata(type, now));
        // A real server checks this twice; clients see two equal causes.
        faults.addAll(changeFaults(now, old));
        faults.addAll(changeFaults(now, old));
        return faults;
    }

    private static List<Cause> changeFaults(ObjectNode now, ObjectNode old) {
        List<Cause> faults = new ArrayList<>();
        JsonNode uid = Trees.at(now, "metadata", "uid");
        if (!uid.equals(Trees.at(old, "metadata", "uid"))) {
            faults.add(Cause.invalid("metadata.uid", uid.toString(), "field is immutable"));
        }
        if (!Trees.isAbsent(Trees.at(old, "metadata", "deletionTimestamp"))) {
            List<String> fresh = new ArrayList<>();
            JsonNode before = Trees.at(old, "metadata", "finalizers");
            for (JsonNode finalizer : Trees.at(now, "metadata", "finalizers")) {
                if (before.valueStream().noneMatch(finalizer::equals)) {
                    fresh.add(finalizer.toString());
                }
            }
            if (!fresh.isEmpty()) {
                faults.add(Cause.forbidden("metadata.finalizers", "no new finalizers can be added if the object is being deleted, found new"
                        + " finalizers []string{" + String.join(", ", fresh) + "}"));
            }
        }
        return faults;
    }

    private static boolean isFinished(ObjectNode now) {
        JsonNode metadata = now.path("metadata");
        return !Trees.isAbsent(metadata.path("deletionTimestamp")) && metadata.path("finalizers").isEmpty()
                && metadata.path("deletionGracePeriodSeconds").asLong(0) == 0 && Trees.at(now, "spec", "finalizers").isEmpty();
    }

    private static void refuse(Target target, String name, List<Cause> faults) {
        if (!faults.isEmpty()) {
            throw ApiError.invalid(target.type(), name, faults);
        }
    }

    /** The object after a write, and what the write did. */
    record Outcome(ObjectNode object, Effect effect) {
        /** What came of it. */
        enum Effect {
            CREATED, UPDATED, UNCHANGED
        }
    }
}
