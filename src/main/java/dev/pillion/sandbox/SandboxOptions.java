package dev.pillion.sandbox;

import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.Optional;

/**
 * How a sandbox behaves.
 *
 * @param port TCP port on loopback, 0 for any free one
 * @param auditFile where the audit log is also written, one JSON line per write
 * @param auditLimit how many audit events are kept in memory, the oldest go first
 * @param historyPerType how many changes of a type a watch can resume over; older ones give 410
 * @param watchDelay how long every watch event is held back
 * @param bookmarkEvery how often a watch that asks for bookmarks gets one, if anything moved
 */
public record SandboxOptions(int port, Transport transport, Optional<Path> auditFile, int auditLimit, int historyPerType,
        Duration watchDelay,
        Duration bookmarkEvery, Clock clock) {

    /** HTTP, or HTTPS with a certificate of its own whose CA is in the kubeconfig. */
    public enum Transport {
        HTTP, HTTPS
    }

    /** HTTP on a free port, no file, no delay, one bookmark a minute. */
    public static SandboxOptions defaults() {
        return new SandboxOptions(0, Transport.HTTP, Optional.empty(), 100_000, 20_000, Duration.ZERO, Duration.ofMinutes(1),
                Clock.systemUTC());
    }

    public SandboxOptions withPort(int other) {
        return new SandboxOptions(other, transport, auditFile, auditLimit, historyPerType, watchDelay, bookmarkEvery, clock);
    }

    public SandboxOptions withTransport(Transport other) {
        return new SandboxOptions(port, other, auditFile, auditLimit, historyPerType, watchDelay, bookmarkEvery, clock);
    }

    public SandboxOptions withAuditFile(Path other) {
        return new SandboxOptions(port, transport, Optional.of(other), auditLimit, historyPerType, watchDelay, bookmarkEvery, clock);
    }

    public SandboxOptions withAuditLimit(int other) {
        return new SandboxOptions(port, transport, auditFile, other, historyPerType, watchDelay, bookmarkEvery, clock);
    }

    public SandboxOptions withHistoryPerType(int other) {
        return new SandboxOptions(port, transport, auditFile, auditLimit, other, watchDelay, bookmarkEvery, clock);
    }

    public SandboxOptions withWatchDelay(Duration other) {
        return new SandboxOptions(port, transport, auditFile, auditLimit, historyPerType, other, bookmarkEvery, clock);
    }

    public SandboxOptions withBookmarkEvery(Duration other) {
        return new SandboxOptions(port, transport, auditFile, auditLimit, historyPerType, watchDelay, other, clock);
    }

    public SandboxOptions withClock(Clock other) {
        return new SandboxOptions(port, transport, auditFile, auditLimit, historyPerType, watchDelay, bookmarkEvery, other);
    }
}
