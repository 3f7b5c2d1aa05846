package dev.pillion.bench;

import java.io.BufferedReader;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

import dev.pillion.api.Json;
import dev.pillion.api.PodKey;
import dev.pillion.demo.AuditLog;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Reads a server's audit log while it is written, on a thread of its own, and keeps what the judge and the counts need: of Pods the
 * members that decisions rest on, of others the whole. Safe for all threads.
 */
final class AuditStream {
    private static final Duration DEADLINE = Duration.ofSeconds(30);

    /**
     * What happened between two moments.
     *
     * @param before the state of Pods and set at the first moment, as writes
     * @param writes accepted writes of Pods and sets, as they came
     * @param requests finished requests of each user by kind of verb: "write", "read"
     */
    record Phase(List<AuditLog.Write> before, List<AuditLog.Write> writes, Map<String, Map<String, Integer>> requests) {
        int requests(String user, String kind) {
            return requests.getOrDefault(user, Map.of()).getOrDefault(kind, 0);
        }
    }

    private final Set<String> marks = new HashSet<>();
    private final Map<String, AuditLog.Write> latest = new HashMap<>();
    private final Set<String> settled = new HashSet<>();
    private Map<String, AuditLog.Write> before = Map.of();
    private List<AuditLog.Write> writes = new ArrayList<>();
    private Map<String, Map<String, Integer>> requests = new HashMap<>();

    /** Reads on a thread of its own until the log ends. Lines that do not begin with a brace are no events. */
    void follow(BufferedReader lines) {
        Thread.ofPlatform().daemon().name("audit").start(() -> read(lines));
    }

    private void read(BufferedReader lines) {
        try {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                if (line.startsWith("{")) {
                    take(line);
                }
            }
        } catch (IOException _) {
            // The server has ended.
            return;
        }
    }

    private void take(String line) {
        JsonNode event = Json.tryRead(line).orElse(Json.NODES.missingNode());
        String stage = Json.text(event, "stage");
        String verb = Json.text(event, "verb");
        // A watch is counted when it begins: it ends minutes later.
        if (!stage.equals(verb.equals("watch") ? "ResponseStarted" : "ResponseComplete")) {
            return;
        }
        boolean isRead = Set.of("get", "list", "watch").contains(verb);
        count(Json.text(event.path("user"), "username"), isRead ? "read" : "write");
        if (!isRead) {
            AuditLog.write(event).ifPresent(this::keep);
        }
    }

    private synchronized void count(String user, String kind) {
        requests.computeIfAbsent(user, _ -> new HashMap<>()).merge(kind, 1, Integer::sum);
    }

    private synchronized void keep(AuditLog.Write write) {
        if (write.isOn("configmaps")) {
            marks.add(write.name());
            return;
        }
        if (!write.isOn("pods") && !write.isOn("sidecarsets")) {
            return;
        }
        AuditLog.Write slim = slim(write);
        writes.add(slim);
        String key = write.resource() + "/" + write.namespace() + "/" + write.name();
        if (write.removes()) {
            latest.remove(key);
            settled.remove(key);
        } else if (slim.response().path("spec").isObject()) {
            AuditLog.Write newest = latest.merge(key, slim, (a, b) -> a.version() > b.version() ? a : b);
            if (write.isOn("pods") && isSettled(newest.response())) {
                settled.add(key);
                notifyAll();
            } else {
                settled.remove(key);
            }
        }
    }

    /**
     * Waits until a Pod is ready and runs what it should, at this version or a later one.
     *
     * @throws IllegalStateException when it takes too long
     */
    synchronized void awaitSettled(PodKey pod, long version) {
        String key = "pods/" + pod;
        long end = System.nanoTime() + DEADLINE.toNanos();
        try {
            while (!settled.contains(key) || Objects.requireNonNull(latest.get(key)).version() < version) {
                long left = TimeUnit.NANOSECONDS.toMillis(end - System.nanoTime());
                if (left <= 0) {
                    throw new IllegalStateException("waited " + DEADLINE.toSeconds() + " s in vain until pod " + pod + " was ready again");
                }
                wait(left);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted", e);
        }
    }

    /** Whether the Pod is ready and every container runs the image it should. */
    private static boolean isSettled(JsonNode pod) {
        Map<String, String> images = new HashMap<>();
        pod.path("status").path("containerStatuses").forEach(s -> images.put(Json.text(s, "name"), Json.text(s, "image")));
        boolean ready = pod.path("status").path("conditions").valueStream()
                .anyMatch(c -> Json.text(c, "type").equals("Ready") && Json.text(c, "status").equals("True"));
        return ready && pod.path("spec").path("containers").valueStream()
                .allMatch(c -> Json.text(c, "image").equals(images.get(Json.text(c, "name"))));
    }

    /** How many Pods are ready and run what they should. */
    synchronized int settledPods() {
        return settled.size();
    }

    private static AuditLog.Write slim(AuditLog.Write write) {
        if (write.isOn("pods") && write.response() instanceof ObjectNode pod) {
            retain(pod, "metadata", List.of("name", "namespace", "uid", "resourceVersion", "labels", "annotations", "creationTimestamp",
                    "deletionTimestamp"));
            retain(pod, "spec", List.of("nodeName", "containers", "initContainers"));
            retain(pod, "status", List.of("phase", "conditions", "containerStatuses", "initContainerStatuses"));
            Stream.of("containers", "initContainers").flatMap(m -> pod.path("spec").path(m).valueStream())
                    .forEach(c -> ((ObjectNode) c).retain("name", "image", "restartPolicy"));
            Stream.of("containerStatuses", "initContainerStatuses").flatMap(m -> pod.path("status").path(m).valueStream())
                    .forEach(c -> ((ObjectNode) c).retain("name", "image", "imageID", "ready", "restartCount"));
        }
        return new AuditLog.Write(write.version(), write.received(), write.at(), write.verb(), write.resource(), write.subresource(),
                write.namespace(), write.name(), write.userAgent(), Json.NODES.missingNode(), write.response());
    }

    private static void retain(ObjectNode pod, String member, List<String> members) {
        if (pod.path(member) instanceof ObjectNode object) {
            object.retain(members);
        }
    }

    /** Waits until the write of the ConfigMap of this name has arrived, and with it all writes that ended before it began. */
    void awaitMark(String name) {
        Waiting.until("the audit log shows the write of " + name, DEADLINE, () -> isMarked(name));
    }

    private synchronized boolean isMarked(String name) {
        return marks.contains(name);
    }

    /** Ends a phase and begins the next one. */
    synchronized Phase next() {
        Phase ended = new Phase(List.copyOf(before.values()), writes, requests);
        before = Map.copyOf(latest);
        writes = new ArrayList<>();
        requests = new HashMap<>();
        return ended;
    }

    /** The Pods as they are after the writes so far, by name. */
    synchronized List<ObjectNode> pods() {
        return latest.values().stream().filter(w -> w.isOn("pods")).sorted((a, b) -> a.name().compareTo(b.name()))
                .map(w -> (ObjectNode) w.response()).toList();
    }

    /** When the last write of a Pod's status was answered; empty list: never. */
    static Instant lastStatus(List<AuditLog.Write> writes) {
        return writes.stream().filter(w -> w.isOn("pods") && w.subresource().equals("status")).map(AuditLog.Write::at)
                .max(Instant::compareTo).orElse(Instant.MIN);
    }
}
