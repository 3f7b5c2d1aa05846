package dev.pillion.sandbox;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Optional;

import org.jspecify.annotations.Nullable;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Every write, allowed or refused, as a real API server's audit file at level RequestResponse has it: one audit.k8s.io/v1 Event per line, stage ResponseComplete.
 * Lines are kept in memory, the oldest go first, and go to a file when there is one. Safe for all threads.
 */
public final class AuditLog implements AutoCloseable {
    private static final DateTimeFormatter MICROS = DateTimeFormatter.ofPattern("uuuu-MM-dd'T'HH:mm:ss.SSSSSS'Z'").withZone(ZoneOffset.UTC);
    private final Deque<byte[]> lines = new ArrayDeque<>();
    private final int limit;
    private final Clock clock;
    private final @Nullable Writer file;
    private long forgotten;

    /**
     * A finished write.
     *
     * @param verb create, update, patch, delete or deletecollection
     * @param request the body of the request, a patch as it came; absent when there was none
     * @param response the object or Status of the answer
     */
    record Entry(String id, String verb, String uri, Target target, Caller caller, Instant received, @Nullable JsonNode request, int code,
            JsonNode response) {
    }

    AuditLog(int limit, Optional<Path> path, Clock clock) {
        this.limit = limit;
        this.clock = clock;
        try {
            this.file = path.isPresent() ? Files.newBufferedWriter(path.get()) : null;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    void add(Entry entry) {
        byte[] line = Trees.bytes(event(entry));
        synchronized (this) {
            lines.add(line);
            if (lines.size() > limit) {
                lines.removeFirst();
                forgotten++;
            }
            if (file != null) {
                try {
                    file.write(new String(line, java.nio.charset.StandardCharsets.UTF_8));
                    file.write('\n');
                    file.flush();
                } catch (IOException e) {
                    throw new UncheckedIOException(e);
                }
            }
        }
    }

    private ObjectNode event(Entry entry) {
        ObjectNode event = Trees.object();
        event.put("kind", "Event").put("apiVersion", "audit.k8s.io/v1").put("level", "RequestResponse").put("auditID", entry.id())
                .put("stage", "ResponseComplete").put("requestURI", entry.uri()).put("verb", entry.verb());
        ObjectNode user = event.putObject("user").put("username", entry.caller().user());
        entry.caller().groups().forEach(user.putArray("groups")::add);
        event.putArray("sourceIPs").add(entry.caller().address());
        event.put("userAgent", entry.caller().userAgent());
        event.set("objectRef", reference(entry));
        ObjectNode status = event.putObject("responseStatus");
        status.putObject("metadata");
        if (Trees.text(entry.response(), "kind").equals("Status")) {
            for (String member : List.of("status", "message", "reason", "details")) {
                Trees.setOrRemove(status, member, entry.response().path(member));
            }
        }
        status.put("code", entry.code());
        Trees.setOrRemove(event, "requestObject", entry.request());
        Trees.setOrRemove(event, "responseObject", entry.response());
        event.put("requestReceivedTimestamp", MICROS.format(entry.received()));
        event.put("stageTimestamp", MICROS.format(clock.instant()));
        event.putObject("annotations").put("authorization.k8s.io/decision", "allow");
        return event;
    }

    private static ObjectNode reference(Entry entry) {
        Target target = entry.target();
        ObjectNode reference = Trees.object().put("resource", target.type().plural());
        putUnlessEmpty(reference, "namespace", target.namespace());
        boolean generated = target.name().isEmpty() && entry.code() < 300;
        putUnlessEmpty(reference, "name", generated ? Trees.name(entry.response()) : target.name());
        putUnlessEmpty(reference, "uid", Trees.text(entry.request() == null ? Trees.object() : entry.request(), "metadata", "uid"));
        putUnlessEmpty(reference, "apiGroup", target.type().group());
        reference.put("apiVersion", target.version());
        putUnlessEmpty(reference, "resourceVersion",
                Trees.text(entry.request() == null ? Trees.object() : entry.request(), "metadata", "resourceVersion"));
        putUnlessEmpty(reference, "subresource", target.subresource());
        return reference;
    }

    private static void putUnlessEmpty(ObjectNode object, String member, String text) {
        if (!text.isEmpty()) {
            object.put(member, text);
        }
    }

    /** The lines in memory, oldest first, without line ends. */
    public synchronized List<String> lines() {
        return lines.stream().map(line -> new String(line, java.nio.charset.StandardCharsets.UTF_8)).toList();
    }

    /** How many writes there have been, forgotten ones included. */
    public synchronized long count() {
        return forgotten + lines.size();
    }

    @Override
    public synchronized void close() {
        if (file != null) {
            try {
                file.close();
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }
}
