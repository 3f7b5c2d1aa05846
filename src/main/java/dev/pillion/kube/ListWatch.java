package dev.pillion.kube;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.LongSupplier;
import java.util.random.RandomGenerator;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import tools.jackson.core.JacksonException;

/**
 * Follows all objects of one kind: a list in pages, then watches that resume where the last one ended (stack.md, Pod list and watch).
 * <ol>
 * <li>List in pages of 500. A page that answers 410 starts the list anew.</li>
 * <li>Watch from the last version seen, from events and bookmarks, for {@code timeoutSeconds}. A guard closes the stream a little later, because
 * a silent network tells nobody.</li>
 * <li>An ERROR event with code 410 leads back to the list. Every other end leads to the next watch, failures after a growing pause.</li>
 * <li>After a watch without any event the version of a list of one item is compared with ours: from a version of the future (restored backup) the
 * server would stay silent for ever. If ours is ahead, everything is listed and believed anew.</li>
 * <li>Who needs a view that is no older than some time waits for a list that began later; the present watch is ended for it.</li>
 * <li>What admission judges Pods by is never left to a watch that does not come: after a silence longer than a watch lasts, it is listed
 * (FR-61).</li>
 * </ol>
 * One virtual thread per kind. Nothing but {@link #stop} ends it.
 */
final class ListWatch<T> {
    private static final Logger LOG = LoggerFactory.getLogger(ListWatch.class);
    private static final int PAGE = 500;
    private static final Duration FIRST_PAUSE = Duration.ofMillis(100);
    private static final Duration LONGEST_PAUSE = Duration.ofSeconds(10);
    private static final Duration SHORTEST_WATCH = Duration.ofSeconds(1);

    private final KubeKind kind;
    private final WatchTimes times;
    private final RawApi api;
    private final ObjectReader<T> reader;
    private final Sink<T> sink;
    private final WatchHealth health;
    private final ScheduledExecutorService guard;
    private final RandomGenerator random;
    private final LongSupplier nanos;
    private final CountDownLatch stopped = new CountDownLatch(1);
    private final CountDownLatch synced = new CountDownLatch(1);
    private final Freshness freshness = new Freshness();
    private final AtomicReference<InputStream> open = new AtomicReference<>(InputStream.nullInputStream());
    private final Thread thread;
    private String version = "";
    private int failures;
    /** How long the last watch went well; zero once that has been counted. */
    private Duration lived = Duration.ZERO;

    /**
     * What is followed.
     *
     * @param word stable, for logs and metrics
     * @param path of the collection
     * @param name the one object that is wanted; empty means all
     */
    record KubeKind(String word, String path, Optional<String> name, AfterSilence afterSilence) {
        KubeKind(String word, String path) {
            this(word, path, Optional.empty(), AfterSilence.RESUME);
        }

        KubeKind with(AfterSilence other) {
            return new KubeKind(word, path, name, other);
        }

        /** Where every list and watch starts: further parameters follow. */
        String query() {
            return path + "?" + name.map(n -> "fieldSelector=" + RawApi.encode("metadata.name=" + n) + "&").orElse("");
        }
    }

    /** What follows a silence that is longer than a healthy watch can be: the next try to watch, or a list. */
    enum AfterSilence {
        RESUME, LIST
    }

    /** How long a page may take and a watch is asked to last; the guard closes a watch this much later. */
    record WatchTimes(Duration page, Duration watch, Duration margin) {
    }

    /** The collaborators all kinds share. */
    record Shared(RawApi api, WatchTimes times, ScheduledExecutorService guard, RandomGenerator random, LongSupplier nanos) {
    }

    ListWatch(KubeKind kind, Shared shared, ObjectReader<T> reader, Sink<T> sink, WatchHealth health) {
        this.kind = kind;
        this.times = shared.times();
        this.api = shared.api();
        this.guard = shared.guard();
        this.random = shared.random();
        this.nanos = shared.nanos();
        this.reader = reader;
        this.sink = sink;
        this.health = health;
        this.thread = Thread.ofVirtual().name("watch-" + kind.word()).unstarted(this::run);
    }

    void start() {
        thread.start();
    }

    /** Counts down when the first list is complete. */
    CountDownLatch synced() {
        return synced;
    }

    /** Makes sure that a list begins, or has begun, at this time or later. */
    void wantList(long since) {
        freshness.want(since, () -> close(open.get()));
    }

    /** Waits until such a list is complete. */
    void awaitList(long since) throws InterruptedException {
        freshness.await(since);
    }

    void stop() {
        stopped.countDown();
        freshness.stop();
        thread.interrupt();
        close(open.get());
    }

    boolean awaitEnd(Duration atMost) throws InterruptedException {
        return thread.join(atMost);
    }

    private boolean isStopped() {
        return stopped.getCount() == 0;
    }

    private void run() {
        Sink.History history = Sink.History.CONTINUED;
        while (!isStopped()) {
            try {
                if (freshness.isWanted() || isStale()) {
                    version = "";
                }
                if (version.isEmpty()) {
                    version = list(history);
                    history = Sink.History.CONTINUED;
                    synced.countDown();
                }
                boolean quiet = watch();
                if (freshness.isWanted()) {
                    continue;
                }
                if (lived.compareTo(SHORTEST_WATCH) >= 0) {
                    failures = 0;
                } else {
                    // A server that ends each watch at once is not to be asked in a tight loop.
                    failures++;
                    pause(nextPause());
                }
                if (quiet && !isStopped() && serverIsBehind()) {
                    LOG.atWarn().addKeyValue("kind", kind.word()).log("the API server was set back; listing anew");
                    version = "";
                    history = Sink.History.LOST;
                }
            } catch (Expired e) {
                LOG.atInfo().addKeyValue("kind", kind.word()).log("the watch's version has expired; listing anew");
                version = "";
                // Right away the first time; a server that answers 410 over and over is given pauses.
                pause(failures++ == 0 ? Duration.ZERO : nextPause());
            } catch (KubeException | IOException | UncheckedIOException | JacksonException e) {
                failed(e);
            } catch (RuntimeException e) {
                // FR-60: whatever a handler or a value does, the watch goes on.
                LOG.atError().setCause(e).addKeyValue("kind", kind.word()).log("fault while following objects");
                failed(e);
            }
        }
    }

    /** A server ends a watch when its time is over and the guard a margin later, so half of that is a silence that no healthy watch has. */
    private boolean isStale() {
        return kind.afterSilence() == AfterSilence.LIST
                && health.silence().compareTo(times.watch().plus(times.margin().dividedBy(2))) > 0;
    }

    private void failed(Exception e) {
        if (isStopped() || freshness.isWanted()) {
            // Ended on purpose. The next list takes the wish back, so this cannot go on for ever.
            return;
        }
        String reason = switch (e) {
            case KubeException k -> k.code() + " " + k.getMessage();
            case UncheckedIOException broken when broken.getCause() != null -> broken.getCause().getClass().getSimpleName();
            default -> e.getClass().getSimpleName();
        };
        health.failed(reason);
        // A watch that lasted is no failure in a row, however it ended.
        failures = lived.compareTo(LONGEST_PAUSE) > 0 ? 1 : failures + 1;
        lived = Duration.ZERO;
        pause(nextPause());
    }

    /** Doubles from 100 ms to 10 s, less up to a fifth, so that replicas do not come back at once. */
    private Duration nextPause() {
        long doubled = FIRST_PAUSE.toMillis() << Math.min(failures - 1, 10);
        long longest = Math.min(doubled, LONGEST_PAUSE.toMillis());
        return Duration.ofMillis(longest - random.nextLong(longest / 5 + 1));
    }

    private void pause(Duration time) {
        try {
            boolean _ = stopped.await(time.toMillis(), TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            // Only stop() interrupts, and it has set the flag that ends the loop.
            Thread.currentThread().interrupt();
        }
    }

    private String list(Sink.History history) throws IOException, Expired {
        freshness.begins(nanos.getAsLong());
        sink.listBegins(history);
        String next = "";
        String listVersion;
        do {
            ListPage page = page(next);
            listVersion = page.version();
            next = page.next();
        } while (!next.isEmpty());
        if (listVersion.isEmpty()) {
            throw new IOException("the list carries no version");
        }
        sink.listEnds();
        freshness.ends();
        health.alive();
        return listVersion;
    }

    private ListPage page(String next) throws IOException, Expired {
        String path = kind.query() + "limit=" + PAGE + (next.isEmpty() ? "" : "&continue=" + RawApi.encode(next));
        try (InputStream in = opened(path)) {
            ScheduledFuture<?> late = guard.schedule(() -> close(in), times.page().toMillis(), TimeUnit.MILLISECONDS);
            try {
                return ListPage.read(new JsonCursor(in), reader, sink::listed);
            } finally {
                late.cancel(false);
            }
        }
    }

    /** Returns whether nothing at all was told. */
    private boolean watch() throws IOException, Expired {
        String path = kind.query() + "watch=true&allowWatchBookmarks=true&timeoutSeconds=" + times.watch().toSeconds() + "&resourceVersion="
                + RawApi.encode(version);
        try (InputStream in = opened(path)) {
            long began = nanos.getAsLong();
            health.alive();
            long limit = times.watch().plus(times.margin()).toMillis();
            ScheduledFuture<?> late = guard.schedule(() -> close(in), limit, TimeUnit.MILLISECONDS);
            JsonCursor json = new JsonCursor(in);
            try {
                boolean quiet = true;
                for (WatchEvent<T> event = next(json); event != null; event = next(json)) {
                    quiet = false;
                    health.alive();
                    accept(event);
                }
                return quiet;
            } finally {
                lived = Duration.ofNanos(nanos.getAsLong() - began);
                late.cancel(false);
            }
        }
    }

    private void accept(WatchEvent<T> event) throws IOException, Expired {
        switch (event) {
            case WatchEvent.Seen<T>(ObjectReader.Item<T> item) -> {
                sink.seen(item);
                advance(item.version());
            }
            case WatchEvent.Gone<T>(ObjectReader.Item<T> item) -> {
                sink.gone(item);
                advance(item.version());
            }
            case WatchEvent.Bookmark<T>(String at) -> advance(at);
            case WatchEvent.Failure<T>(int code, String message) -> {
                if (code == 410) {
                    throw new Expired();
                }
                throw new IOException("watch ended with " + code + " " + message);
            }
        }
    }

    private @Nullable WatchEvent<T> next(JsonCursor json) {
        return WatchEvent.next(json, reader);
    }

    private void advance(String seen) {
        if (!seen.isEmpty()) {
            version = seen;
        }
    }

    private boolean serverIsBehind() {
        String now = api.getTree(kind.query() + "limit=1").path("metadata").path("resourceVersion").asString("");
        try {
            return Long.parseUnsignedLong(now) < Long.parseUnsignedLong(version);
        } catch (NumberFormatException e) {
            // Versions are opaque; one that is no number cannot be compared.
            return false;
        }
    }

    private InputStream opened(String path) throws Expired {
        try {
            InputStream in = api.open(path);
            open.set(in);
            if (isStopped() || freshness.isWanted()) {
                close(in);
            }
            return in;
        } catch (KubeException e) {
            if (e.code() == 410) {
                throw new Expired();
            }
            throw e;
        }
    }

    /** Wakes a reader; also used by the guard. */
    private static void close(InputStream in) {
        try {
            in.close();
        } catch (IOException e) {
            LOG.atDebug().setCause(e).log("closing a stream failed");
        }
    }

    /** The version we know is too old: list anew. */
    private static final class Expired extends Exception {
        private static final long serialVersionUID = 1L;
    }
}
