package dev.pillion.kube;

import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.HexFormat;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.random.RandomGenerator;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import dev.pillion.api.Json;
import dev.pillion.api.PodKey;
import dev.pillion.api.SidecarSet;
import dev.pillion.api.Wire;
import dev.pillion.kube.EventSeries.Occurrence;
import dev.pillion.kube.EventSeries.Subject;
import dev.pillion.kube.EventSeries.Write;

import tools.jackson.databind.node.ObjectNode;

/**
 * Sends events of events.k8s.io/v1 from one thread; callers only put into a bounded queue. The client has no recorder of its own (stack.md, Lease
 * and events). Reporting controller as in rollout.md 11.
 */
public final class EventRecorder implements EventSink, AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(EventRecorder.class);
    private static final String CONTROLLER = "sidecarset-controller";
    private static final int WAITING = 1000;
    private static final int LONGEST_NOTE = 1024;
    private static final int LONGEST_INSTANCE = 128;
    private static final Duration TICK = Duration.ofSeconds(1);
    private static final Duration LAST_WORDS = Duration.ofSeconds(2);
    private static final DateTimeFormatter MICROS = DateTimeFormatter.ofPattern("yyyy-MM-dd'T'HH:mm:ss.SSSSSS'Z'").withZone(ZoneOffset.UTC);

    private final RawApi api;
    private final String instance;
    private final String namespace;
    private final Clock clock;
    private final EventSeries series;
    private final BlockingQueue<Occurrence> waiting = new ArrayBlockingQueue<>(WAITING);
    private final AtomicLong overflown = new AtomicLong();
    private final Thread thread = Thread.ofVirtual().name("events").unstarted(this::run);
    private volatile boolean closing;

    EventRecorder(RawApi api, KubeOptions options, Clock clock, RandomGenerator random) {
        this.api = api;
        String who = options.instance();
        this.instance = who.length() > LONGEST_INSTANCE ? who.substring(0, LONGEST_INSTANCE) : who;
        this.namespace = options.namespace();
        this.clock = clock;
        this.series = new EventSeries(() -> HexFormat.of().toHexDigits(random.nextLong()));
    }

    void start() {
        thread.start();
    }

    @Override
    public void onSet(SidecarSet set, Type type, String reason, String note) {
        offer(new Occurrence(new Subject(Wire.V1BETA1, Wire.KIND, "", set.name(), set.uid()), type, reason, note));
    }

    @Override
    public void onPod(PodKey pod, String podUid, Type type, String reason, String note) {
        offer(new Occurrence(new Subject("v1", "Pod", pod.namespace(), pod.name(), podUid), type, reason, note));
    }

    @Override
    public void onLease(LeaseRecord lease, Type type, String reason, String note) {
        offer(new Occurrence(new Subject("coordination.k8s.io/v1", "Lease", namespace, lease.name(), lease.uid()), type, reason, note));
    }

    /** Events that were not sent, because too many waited or came too fast. */
    public long lost() {
        return overflown.get();
    }

    private void offer(Occurrence occurrence) {
        if (!waiting.offer(occurrence)) {
            overflown.incrementAndGet();
        }
    }

    /** Sends what waits, for at most two seconds, and ends. */
    @Override
    public void close() {
        closing = true;
        try {
            if (!thread.join(LAST_WORDS)) {
                thread.interrupt();
            }
        } catch (InterruptedException e) {
            thread.interrupt();
            Thread.currentThread().interrupt();
        }
    }

    private void run() {
        try {
            while (!closing || !waiting.isEmpty()) {
                Occurrence next = waiting.poll(closing ? 0 : TICK.toMillis(), TimeUnit.MILLISECONDS);
                Instant now = clock.instant();
                if (next != null) {
                    long before = series.dropped();
                    series.take(next, now).ifPresent(this::send);
                    overflown.addAndGet(series.dropped() - before);
                }
                series.overdue(now).forEach(this::send);
            }
            series.rest(clock.instant()).forEach(this::send);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void send(Write write) {
        try {
            switch (write) {
                case Write.Create create -> api.send("POST", path(create.occurrence().subject()), RawApi.JSON, Json.write(body(create)));
                case Write.Count count -> {
                    ObjectNode patch = Json.object();
                    patch.putObject("series").put("count", count.count()).put("lastObservedTime", MICROS.format(count.last()));
                    String path = path(count.occurrence().subject()) + "/" + RawApi.encode(count.name());
                    api.send("PATCH", path, RawApi.MERGE, Json.write(patch));
                }
            }
        } catch (RuntimeException e) {
            series.forget(write);
            LOG.atWarn().addKeyValue("reason", e.getMessage()).log("event not written");
        }
    }

    private static String path(Subject about) {
        return "/apis/events.k8s.io/v1/namespaces/" + RawApi.encode(namespace(about)) + "/events";
    }

    /** Events about objects without namespace go to default; the API refuses any other. */
    private static String namespace(Subject about) {
        return about.namespace().isEmpty() ? "default" : about.namespace();
    }

    private ObjectNode body(Write.Create create) {
        Occurrence one = create.occurrence();
        ObjectNode event = Json.object().put("apiVersion", "events.k8s.io/v1").put("kind", "Event");
        event.putObject("metadata").put("name", create.name()).put("namespace", namespace(one.subject()));
        event.put("eventTime", MICROS.format(create.at())).put("reportingController", CONTROLLER).put("reportingInstance", instance);
        event.put("action", one.reason()).put("reason", one.reason()).put("type", one.type() == Type.NORMAL ? "Normal" : "Warning");
        ObjectNode regarding = event.putObject("regarding");
        regarding.put("apiVersion", one.subject().apiVersion()).put("kind", one.subject().kind());
        if (!one.subject().namespace().isEmpty()) {
            regarding.put("namespace", one.subject().namespace());
        }
        regarding.put("name", one.subject().name()).put("uid", one.subject().uid());
        return event.put("note", cut(one.note()));
    }

    /** The limit of the API counts bytes. */
    static String cut(String note) {
        byte[] bytes = note.getBytes(StandardCharsets.UTF_8);
        if (bytes.length <= LONGEST_NOTE) {
            return note;
        }
        int end = LONGEST_NOTE - 3;
        while (end > 0 && (bytes[end] & 0xC0) == 0x80) {
            end--;
        }
        return new String(bytes, 0, end, StandardCharsets.UTF_8) + "...";
    }
}
