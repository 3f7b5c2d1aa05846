package dev.pillion.config;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/** The table of all settings (settings.md 1). A further one is added here, in config/pillion.yaml and in {@link Config}. */
public final class Settings {
    static final String PREFIX = "PILLION_";
    private static final Duration TICK = Duration.ofMillis(1);
    private static final Duration HOUR = Duration.ofHours(1);

    static final Setting<String> NAMESPACE = new Setting<>("namespace", "kruise-system", Kind.dnsLabel(),
            "Own namespace: ControllerRevisions, kruise-configuration, Leases, the Secret of the certificate.");
    static final Setting<Integer> WORKERS = new Setting<>("workers", "4", Kind.number(1, 256), "Reconcile workers.");
    static final Setting<Duration> BACKOFF_BASE = new Setting<>("queue.backoff-base", "5ms", Kind.duration(TICK, HOUR),
            "First wait of a failing set; doubles with each failure.");
    static final Setting<Duration> BACKOFF_MAX = new Setting<>("queue.backoff-max", "1000s", Kind.duration(TICK, HOUR),
            "Longest wait of a failing set.");
    static final Setting<Integer> RATE = new Setting<>("queue.rate", "10", Kind.number(1, 100_000),
            "Delayed and failed sets let through per second.");
    static final Setting<Integer> BURST = new Setting<>("queue.burst", "100", Kind.number(1, 1_000_000),
            "Sets let through at once before the rate holds.");
    static final Setting<Duration> STUCK_AFTER = new Setting<>("queue.stuck-after", "60s", Kind.duration(Duration.ofSeconds(1), HOUR),
            "A set in work for longer is reported, not freed.");
    static final Setting<Duration> CONSISTENCY_DELAY = new Setting<>("events.consistency-delay", "0s", Kind.duration(Duration.ZERO, HOUR),
            "Wait before a set with pods in an inconsistent state is looked at again.");
    static final Setting<Config.NotUpdateStatus> NOT_UPDATE_STATUS = new Setting<>("events.not-update-status", "live",
            Kind.word(Config.NotUpdateStatus.class), "Whether changes of Pods refresh the status of NotUpdate sets.");
    static final Setting<Config.Budget> BUDGET = new Setting<>("rollout.budget", "compatible", Kind.word(Config.Budget.class),
            "What counts as unavailable while rolling.");
    static final Setting<Integer> PARALLEL_WRITES = new Setting<>("rollout.parallel-writes", "16", Kind.number(1, 1000),
            "Pods of one set written at a time.");
    static final Setting<Duration> EXPECTATION_DEADLINE = new Setting<>("rollout.expectation-deadline", "30s",
            Kind.duration(Duration.ofSeconds(1), HOUR), "How long an own write may stay unseen before the Pod is read live.");
    static final Setting<Config.ImageCompare> IMAGE_COMPARE = new Setting<>("rollout.image-compare", "normalized",
            Kind.word(Config.ImageCompare.class), "How images are compared.");
    static final Setting<Duration> MIN_INTERVAL = new Setting<>("status.min-interval", "1s", Kind.duration(Duration.ZERO, HOUR),
            "At most one status write per set in this time while rolling, and always one at the end.");
    static final Setting<Config.SameName> SAME_NAME = new Setting<>("injection.same-name", "replace", Kind.word(Config.SameName.class),
            "What happens to a Pod's own container with a sidecar's name.");
    static final Setting<Config.Order> SORT_BY_NAME = new Setting<>("injection.sort-by-name", "false",
            Kind.yesOrNo(Config.Order.BY_NAME, Config.Order.AS_WRITTEN), "Sort injected containers by name.");
    static final Setting<Config.LaunchPriority> LAUNCH_PRIORITY = new Setting<>("injection.launch-priority", "true",
            Kind.yesOrNo(Config.LaunchPriority.ON, Config.LaunchPriority.OFF), "Webhook step and controller of container launch priority.");
    static final Setting<Config.ReadinessGate> READINESS_GATE = new Setting<>("injection.readiness-gate", "owned",
            Kind.word(Config.ReadinessGate.class), "Which Pods get the readiness gate KruisePodReady.");
    static final Setting<Config.Overlap> OVERLAP = new Setting<>("validation.overlap", "compatible", Kind.word(Config.Overlap.class),
            "How strictly two sets are checked for Pods that both could match.");
    static final Setting<Config.MetadataDefaults> METADATA_DEFAULTS = new Setting<>("validation.metadata-defaults-allowed", "false",
            Kind.yesOrNo(Config.MetadataDefaults.ALLOWED, Config.MetadataDefaults.REFUSED),
            "Whether patchPodMetadata is allowed without a whitelist.");
    static final Setting<Integer> ADMISSION_PORT = new Setting<>("admission.port", "9876", Kind.number(1, 65_535),
            "HTTPS port of the webhooks.");
    static final Setting<Integer> BODY_LIMIT = new Setting<>("admission.body-limit", "7MiB", Kind.size(1024, 64 * 1024 * 1024),
            "Largest request body.");
    static final Setting<Integer> IN_FLIGHT = new Setting<>("admission.in-flight", "256", Kind.number(1, 100_000),
            "Reviews in work at a time; more are refused at once.");
    static final Setting<Duration> ADMISSION_DEADLINE = new Setting<>("admission.deadline", "8s",
            Kind.duration(Duration.ofMillis(100), Duration.ofSeconds(30)),
            "An answer is sent by then; keep it below the webhook's timeoutSeconds.");
    static final Setting<Duration> NAMESPACE_READ = new Setting<>("admission.namespace-read", "1s",
            Kind.duration(Duration.ofMillis(10), Duration.ofSeconds(30)), "Deadline of a live read during admission.");
    static final Setting<Duration> REQUEST_TIMEOUT = new Setting<>("kube.request-timeout", "10s",
            Kind.duration(Duration.ofMillis(100), HOUR), "Deadline of every request to the API server, watches excepted.");
    static final Setting<Duration> WATCH_TIMEOUT = new Setting<>("kube.watch-timeout", "120s", Kind.duration(Duration.ofSeconds(5), HOUR),
            "How long a watch is asked to last.");
    static final Setting<Duration> WATCH_SILENCE = new Setting<>("health.watch-silence", "150s", Kind.duration(Duration.ofSeconds(5), HOUR),
            "Nothing heard of a watch for that long: unready.");
    static final Setting<Integer> SLOTS = new Setting<>("shard.slots", "1", Kind.number(1, 1024),
            "Slots the sets are spread over; 1 is leader election. Fixed for the installation.");
    static final Setting<Duration> LEASE_DURATION = new Setting<>("lease.duration", "15s", Kind.duration(Duration.ofSeconds(1), HOUR),
            "A rival takes a slot whose Lease stood still for that long.");
    static final Setting<Duration> LEASE_RENEW = new Setting<>("lease.renew", "5s", Kind.duration(Duration.ofMillis(100), HOUR),
            "Time between renewals.");
    static final Setting<Duration> LEASE_DEADLINE = new Setting<>("lease.deadline", "10s", Kind.duration(Duration.ofMillis(100), HOUR),
            "Without a renewal for that long no write is started.");
    static final Setting<Config.Source> EXTERNAL_CERTS = new Setting<>("certs.external", "false",
            Kind.yesOrNo(Config.Source.EXTERNAL, Config.Source.OWN), "Certificates come from elsewhere; nothing is written.");
    static final Setting<Path> CERTS_DIRECTORY = new Setting<>("certs.directory", "/etc/pillion/certs", Kind.absolutePath(),
            "Where an external tls.crt and tls.key are.");
    static final Setting<Integer> METRICS_PORT = new Setting<>("metrics.port", "8080", Kind.number(0, 65_535),
            "HTTP port of /metrics, /healthz and /readyz; 0 is any free one.");
    static final Setting<Integer> PER_SET_LIMIT = new Setting<>("metrics.per-set-limit", "0", Kind.number(0, 100_000),
            "Number of sets that get series of their own; 0 is none.");
    static final Setting<Config.Format> LOG_FORMAT = new Setting<>("log.format", "text", Kind.word(Config.Format.class),
            "Form of the log.");

    private static final List<Setting<?>> ALL = List.of(NAMESPACE, WORKERS, BACKOFF_BASE, BACKOFF_MAX, RATE, BURST, STUCK_AFTER,
            CONSISTENCY_DELAY, NOT_UPDATE_STATUS, BUDGET, PARALLEL_WRITES, EXPECTATION_DEADLINE, IMAGE_COMPARE, MIN_INTERVAL, SAME_NAME,
            SORT_BY_NAME, LAUNCH_PRIORITY, READINESS_GATE, OVERLAP, METADATA_DEFAULTS, ADMISSION_PORT, BODY_LIMIT, IN_FLIGHT,
            ADMISSION_DEADLINE, NAMESPACE_READ, REQUEST_TIMEOUT, WATCH_TIMEOUT, WATCH_SILENCE, SLOTS, LEASE_DURATION, LEASE_RENEW,
            LEASE_DEADLINE, EXTERNAL_CERTS, CERTS_DIRECTORY, METRICS_PORT, PER_SET_LIMIT, LOG_FORMAT);

    private Settings() {
    }

    /** Every setting, in the order of the file. */
    public static List<Setting<?>> all() {
        return ALL;
    }
}
