package dev.pillion.config;

import java.nio.file.Path;
import java.time.Duration;

/** All settings of one process, checked and immutable. One record per section of config/pillion.yaml (settings.md 1). */
public record Config(String namespace, int workers, Queue queue, Events events, Rollout rollout, Status status, Injection injection,
        Validation validation, Admission admission, Kube kube, Health health, Shard shard, Lease lease, Certs certs, Metrics metrics,
        Log log) {

    /** The work queue: back-off of failing keys, and the token bucket in keys per second. */
    public record Queue(Duration backoffBase, Duration backoffMax, int rate, int burst, Duration stuckAfter) {
    }

    /** What events of Pods and sets lead to. */
    public record Events(Duration consistencyDelay, NotUpdateStatus notUpdateStatus) {
    }

    /** How Pods are upgraded. */
    public record Rollout(Budget budget, int parallelWrites, Duration expectationDeadline, ImageCompare imageCompare) {
    }

    /** How often the status of a set is written. */
    public record Status(Duration minInterval) {
    }

    /** Choices of the Pod webhook. */
    public record Injection(SameName sameName, Order order, LaunchPriority launchPriority, ReadinessGate readinessGate) {
    }

    /** Choices of the SidecarSet webhook. */
    public record Validation(Overlap overlap, MetadataDefaults metadataDefaults) {
    }

    /** The HTTPS server of the webhooks; bodyLimit in bytes, inFlight per process. */
    public record Admission(int port, int bodyLimit, int inFlight, Duration deadline, Duration namespaceRead) {
    }

    /** Requests to the API server. */
    public record Kube(Duration requestTimeout, Duration watchTimeout) {
    }

    /** When the process calls itself unready. */
    public record Health(Duration watchSilence) {
    }

    /** How many slots the sets are spread over; fixed for an installation. */
    public record Shard(int slots) {
    }

    /** Times of the slots' Leases. */
    public record Lease(Duration duration, Duration renew, Duration deadline) {
    }

    /** Who makes the serving certificate; the directory counts for an external one only. */
    public record Certs(Source source, Path directory) {
    }

    /** The management server and its series. */
    public record Metrics(int port, int perSetLimit) {
    }

    /** The form of the log. */
    public record Log(Format format) {
    }

    /** Setting events.not-update-status. */
    public enum NotUpdateStatus {
        LIVE, FROZEN
    }

    /** Setting rollout.budget. */
    public enum Budget {
        COMPATIBLE, STRICT
    }

    /** Setting rollout.image-compare. */
    public enum ImageCompare {
        NORMALIZED, LITERAL
    }

    /** Setting injection.same-name. */
    public enum SameName {
        REPLACE, REFUSE
    }

    /** Setting injection.sort-by-name: false keeps the order of sets and lists. */
    public enum Order {
        AS_WRITTEN, BY_NAME
    }

    /** Setting injection.launch-priority. */
    public enum LaunchPriority {
        ON, OFF
    }

    /** Setting injection.readiness-gate. */
    public enum ReadinessGate {
        OWNED, ALL, OFF
    }

    /** Setting validation.overlap. */
    public enum Overlap {
        COMPATIBLE, STRICT
    }

    /** Setting validation.metadata-defaults-allowed: whether a missing whitelist lets every annotation pass. */
    public enum MetadataDefaults {
        REFUSED, ALLOWED
    }

    /** Setting certs.external: false makes our own CA and certificate. */
    public enum Source {
        OWN, EXTERNAL
    }

    /** Setting log.format. */
    public enum Format {
        TEXT, JSON
    }
}
