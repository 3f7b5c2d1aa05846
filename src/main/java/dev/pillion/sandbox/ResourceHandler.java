package dev.pillion.sandbox;

import java.time.Instant;
import java.util.List;

import org.jspecify.annotations.Nullable;

import dev.pillion.sandbox.ResourceType.Subresource;
import dev.pillion.sandbox.TypeRegistry.Served;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** The verbs on resources: finds the target, calls the verb, answers, and notes every write in the audit log. */
final class ResourceHandler {
    private final Services services;
    private final TableRenderer tables;
    private final Writes writes;
    private final Deletions deletions;
    private final Patches patches;
    private final Subresources subresources;
    private final ListAnswer lists;
    private final WatchAnswer watches;
    private final AuditLog audit;

    /** An answer to a write: what the client gets. */
    private record Answer(int code, ObjectNode body) {
    }

    /** One way to write. */
    private interface Verb {
        Answer run() throws InterruptedException;
    }

    ResourceHandler(Services services, TableRenderer tables, WatchAnswer watches, AuditLog audit) {
        this.services = services;
        this.tables = tables;
        this.writes = new Writes(services);
        this.deletions = new Deletions(services);
        this.patches = new Patches(services, writes);
        this.subresources = new Subresources(services, writes, deletions);
        this.lists = new ListAnswer(services.store(), tables);
        this.watches = watches;
        this.audit = audit;
    }

    void handle(RequestPath path, Exchange exchange) throws InterruptedException {
        Target target = target(path);
        Shape shape = Shape.of(exchange);
        switch (exchange.method().name()) {
            case "GET" -> read(target, exchange, shape);
            case "POST" -> post(target, exchange, shape);
            case "PUT" -> {
                needsName(target);
                JsonNode body = jsonBody(target, exchange);
                audited(target, "update", exchange, shape, body, () -> put(target, body, exchange));
            }
            case "PATCH" -> {
                needsName(target);
                audited(target, "patch", exchange, shape, quietly(exchange), () -> patch(target, exchange));
            }
            case "DELETE" -> delete(target, exchange, shape);
            default -> throw ApiError.methodNotAllowed();
        }
    }

    private Target target(RequestPath path) {
        Served served = services.types().find(path.group(), path.version(), path.plural()).orElseThrow(ApiError::unknownPath);
        ResourceType type = served.type();
        boolean known = path.subresource().isEmpty()
                || type.subresources().stream().anyMatch(subresource -> subresource.path().equals(path.subresource()));
        boolean placed = type.isNamespaced() ? !path.namespace().isEmpty() || path.name().isEmpty() : path.namespace().isEmpty();
        if (!known && type.isCustom()) {
            throw ApiError.notFound(type, path.name());
        }
        if (!known || !placed) {
            throw ApiError.unknownPath();
        }
        return new Target(served, path.version(), path.namespace(), path.name(), path.subresource());
    }

    private void read(Target target, Exchange exchange, Shape shape) throws InterruptedException {
        if (target.name().isEmpty() && exchange.parameters().flag("watch")) {
            watches.send(target, exchange, shape);
        } else if (target.name().isEmpty()) {
            lists.send(target, exchange, shape);
        } else {
            Stored stored = services.store().get(target.store(), target.key())
                    .orElseThrow(() -> ApiError.notFound(target.type(), target.name()));
            ObjectNode object = target.view(stored);
            exchange.send(200, isScale(target) ? Subresources.scale(object) : shape.show(target, object, tables));
        }
    }

    private void post(Target target, Exchange exchange, Shape shape) throws InterruptedException {
        JsonNode body = jsonBody(target, exchange);
        WriteOptions options = RequestOptions.of(exchange, "CreateOptions");
        if (target.subresource().equals(Subresource.BINDING.path())) {
            audited(target, "create", exchange, shape, body, () -> new Answer(201, subresources.bind(target, body, options)));
        } else if (target.subresource().equals(Subresource.EVICTION.path())) {
            audited(target, "create", exchange, shape, body, () -> new Answer(201, subresources.evict(target, body, options)));
        } else if (!target.name().isEmpty() || (target.type().isNamespaced() && target.namespace().isEmpty())) {
            throw ApiError.methodNotAllowed();
        } else {
            audited(target, "create", exchange, shape, body, () -> new Answer(201, writes.create(target, copy(body), options)));
        }
    }

    private Answer put(Target target, JsonNode body, Exchange exchange) {
        WriteOptions options = RequestOptions.of(exchange, "UpdateOptions");
        if (isScale(target)) {
            return new Answer(200, Subresources.scale(subresources.putScale(target, body, options).object()));
        }
        if (target.subresource().isEmpty() || target.isStatus()) {
            return answer(writes.replace(target, copy(body), options));
        }
        return answer(subresources.putPart(target, body, options));
    }

    private Answer patch(Target target, Exchange exchange) {
        WriteOptions options = RequestOptions.of(exchange, "PatchOptions");
        if (isScale(target)) {
            return new Answer(200,
                    Subresources
                            .scale(subresources.patchScale(target, exchange.contentType(), Trees.body(exchange.body()), options).object()));
        }
        if (target.subresource().isEmpty() || target.isStatus()) {
            return answer(patches.patch(target, exchange.contentType(), exchange.body(), options));
        }
        return answer(subresources.patchPart(target, exchange.contentType(), Trees.body(exchange.body()), options));
    }

    private static Answer answer(Writes.Outcome outcome) {
        return new Answer(outcome.effect() == Writes.Outcome.Effect.CREATED ? 201 : 200, outcome.object());
    }

    private void delete(Target target, Exchange exchange, Shape shape) throws InterruptedException {
        ObjectNode request = RequestOptions.deletion(exchange);
        WriteOptions options = RequestOptions.of(exchange, "DeleteOptions", request);
        JsonNode body = exchange.body().length == 0 ? null : request;
        if (!target.name().isEmpty()) {
            audited(target, "delete", exchange, shape, body, () -> new Answer(200, deletions.delete(target, request, options)));
            return;
        }
        if (target.type().isNamespaced() && target.namespace().isEmpty()) {
            throw ApiError.methodNotAllowed();
        }
        audited(target, "deletecollection", exchange, shape, body, () -> {
            ObjectNode meta = Trees.object();
            List<Stored> selected = lists.select(target, ListQuery.of(target, exchange.parameters()), meta);
            for (Stored stored : selected) {
                deleteOne(target.named(stored.name()), request, options);
            }
            ObjectNode list = Trees.object().put("kind", target.type().listKind()).put("apiVersion",
                    target.type().apiVersion(target.version()));
            list.set("metadata", meta);
            List<ObjectNode> items = ListAnswer.views(target, selected);
            if (!target.type().isCustom()) {
                items.forEach(item -> item.remove(List.of("kind", "apiVersion")));
            }
            list.set("items", Trees.array().addAll(items));
            return new Answer(200, list);
        });
    }

    private void deleteOne(Target target, ObjectNode request, WriteOptions options) {
        try {
            deletions.delete(target, request, options);
        } catch (ApiError e) {
            if (e.code() != 404) {
                throw e;
            }
        }
    }

    /** Runs a write and answers it. Refused ones are in the log too. */
    private void audited(Target target, String verb, Exchange exchange, Shape shape, @Nullable JsonNode request, Verb write)
            throws InterruptedException {
        Instant received = services.clock().instant();
        Answer answer;
        try {
            answer = write.run();
        } catch (ApiError e) {
            note(target, verb, exchange, received, request, new Answer(e.code(), e.toStatus()));
            throw e;
        }
        note(target, verb, exchange, received, request, answer);
        boolean isObject = Trees.text(answer.body(), "kind").equals(target.type().kind());
        exchange.send(answer.code(), isObject ? shape.show(target, answer.body(), tables) : answer.body());
    }

    private void note(Target target, String verb, Exchange exchange, Instant received, @Nullable JsonNode request, Answer answer) {
        audit.add(
                new AuditLog.Entry(services.uids().get(), verb, exchange.uri(), target, exchange.caller(), received, request, answer.code(),
                        answer.body()));
    }

    private static boolean isScale(Target target) {
        return target.subresource().equals(Subresource.SCALE.path());
    }

    private static JsonNode copy(JsonNode body) {
        // The audit log shows the body as it came; writes change their trees.
        return body.deepCopy();
    }

    private static void needsName(Target target) {
        if (target.name().isEmpty()) {
            throw ApiError.methodNotAllowed();
        }
    }

    private static JsonNode jsonBody(Target target, Exchange exchange) {
        String type = exchange.contentType();
        if (type.equals("application/yaml")) {
            return Trees.yaml(exchange.body());
        }
        if (!type.isEmpty() && !type.equals("application/json") && !type.equals("*/*")) {
            throw ApiError.unsupportedMediaType(List.of("application/json"));
        }
        return Trees.body(exchange.body(), target.type().kind());
    }

    /** A patch body for the audit log; one that cannot be read is left out, the verb itself will refuse it. */
    private static @Nullable JsonNode quietly(Exchange exchange) {
        try {
            return exchange.contentType().endsWith("yaml") ? Trees.yaml(exchange.body()) : Trees.body(exchange.body());
        } catch (ApiError _) {
            return null;
        }
    }
}
