package dev.pillion.sandbox;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.function.LongSupplier;
import java.util.function.Predicate;

import tools.jackson.databind.node.ObjectNode;

/**
 * GET with watch=true: a row of events until timeoutSeconds, or until the client or the server goes.
 * Without a resourceVersion, or with 0, it begins with an ADDED event for everything that is there. One that is too old gets HTTP 200 and an ERROR event 410;
 * one from the future is accepted and stays silent.
 */
final class WatchAnswer {
    private static final Duration LONGEST = Duration.ofMinutes(45);
    /** A bookmark comes this long before the end. */
    private static final Duration LAST_BOOKMARK = Duration.ofSeconds(2);
    private final ObjectStore store;
    private final TableRenderer tables;
    private final SandboxOptions options;
    private final LongSupplier nanos;

    WatchAnswer(ObjectStore store, TableRenderer tables, SandboxOptions options, LongSupplier nanos) {
        this.store = store;
        this.tables = tables;
        this.options = options;
        this.nanos = nanos;
    }

    void send(Target target, Exchange exchange, Shape shape) throws InterruptedException {
        Parameters parameters = exchange.parameters();
        Predicate<Stored> selects = ListQuery.selection(target, parameters).and(stored -> stored.key().startsWith(target.prefix()));

        long after = parameters.revision("resourceVersion").orElseThrow(
                () -> ApiError.failure("resourceVersion: " + Parameters.notANumber(parameters.text("resourceVersion"))));
        Thread reader = Thread.currentThread();

        Run run = new Run(target, exchange, shape, selects);
        if (!parameters.text("sendInitialEvents").isEmpty()) {
            if (!parameters.text("resourceVersionMatch").equals("NotOlderThan")) {
                throw ApiError.invalidOption("ListOptions", Cause.forbidden("resourceVersionMatch",
                        "sendInitialEvents requires setting resourceVersionMatch to NotOlderThan"));
            }
            // As the real server with the etcd of the tests: clients must cope and fall back to a list.
            begin(exchange, reader);
            run.error(ApiError.of(500, "InternalError", "a watch stream was requested by the client but the required storage feature"
                    + " RequestWatchProgress is disabled"));
        } else if (after == 0) {
            ObjectStore.Listing listing = store.list(target.store(), target.prefix());
            begin(exchange, reader);
            run.present(listing.objects());
            run.follow(listing.revision());
        } else {
            begin(exchange, reader);
            run.follow(after);
        }
        exchange.end();
    }

    private static void begin(Exchange exchange, Thread reader) throws InterruptedException {
        exchange.begin("application/json");
        exchange.onGone(reader::interrupt);
    }

    /** One watch in progress. */
    private final class Run {
        private final Target target;
        private final Exchange exchange;
        private final Shape shape;
        private final Predicate<Stored> selects;
        private final ByteArrayOutputStream out = new ByteArrayOutputStream();

        Run(Target target, Exchange exchange, Shape shape, Predicate<Stored> selects) {
            this.target = target;
            this.exchange = exchange;
            this.shape = shape;
            this.selects = selects;
        }

        void present(List<Stored> objects) throws InterruptedException {
            for (Stored object : objects) {
                if (selects.test(object)) {
                    event("ADDED", object);
                    if (out.size() > 64 * 1024) {
                        flush();
                    }
                }
            }
            flush();
        }

        void follow(long after) throws InterruptedException {
            int seconds = exchange.parameters().number("timeoutSeconds");
            boolean bookmarks = exchange.parameters().flag("allowWatchBookmarks");
            long end = nanos.getAsLong() + (seconds > 0 ? Duration.ofSeconds(seconds) : LONGEST).toNanos();
            long nextBookmark = nanos.getAsLong() + options.bookmarkEvery().toNanos();
            long lastBookmark = end - LAST_BOOKMARK.toNanos();
            long told = after;
            Watch watch = store.watch(target.store(), after);
            try {
                while (!exchange.isGone()) {
                    long now = nanos.getAsLong();
                    if (now >= end) {
                        return;
                    }
                    long mark = bookmarks && now < lastBookmark ? Math.min(nextBookmark, lastBookmark) : bookmarks ? nextBookmark : end;
                    Watch.Batch batch = watch.next(options.watchDelay().toNanos(), Math.max(1, Math.min(end, mark) - now));
                    for (Change change : batch.changes()) {
                        change(change);
                    }
                    flush();
                    now = nanos.getAsLong();
                    if (bookmarks && now >= mark) {
                        nextBookmark = now + options.bookmarkEvery().toNanos();
                        if (batch.caughtUp() > told) {
                            bookmark(batch.caughtUp());
                            told = batch.caughtUp();
                        }
                    }
                }
            } catch (ObjectStore.TooOld _) {
                error(ApiError.expired("too old resource version: " + after + " (" + store.revision() + ")"));
            }
        }

        /** What the change means to somebody who sees only selected objects. */
        private void change(Change change) {
            boolean now = selects.test(change.object());
            boolean before = change.before() != null && selects.test(change.before());
            switch (change.kind()) {
                case ADDED -> {
                    if (now) {
                        event("ADDED", change.object());
                    }
                }
                case MODIFIED -> {
                    if (now) {
                        event(before ? "MODIFIED" : "ADDED", change.object());
                    } else if (before) {
                        event("DELETED", last(change));
                    }
                }
                case DELETED -> {
                    if (before) {
                        event("DELETED", change.object());
                    }
                }
            }
        }

        /** An object that leaves the selection is shown as it was, with the resourceVersion of the change. */
        private Stored last(Change change) {
            Stored before = change.before();
            return before == null ? change.object() : Stored.of(before.key(), change.revision(), before.tree());
        }

        private void event(String kind, Stored stored) {
            boolean raw = shape.form() == Shape.Form.PLAIN && target.rules().isStoredForm(target.type(), target.version());
            byte[] object = raw ? stored.bytes() : Trees.bytes(shape.show(target, target.view(stored), tables));
            text("{\"type\":\"" + kind + "\",\"object\":");
            out.writeBytes(object);
            text("}\n");
        }

        private void bookmark(long revision) throws InterruptedException {
            ObjectNode object = Trees.object();
            object.put("kind", target.type().kind()).put("apiVersion", target.type().apiVersion(target.version()));
            object.putObject("metadata").put("resourceVersion", Long.toString(revision));
            if (target.type().qualifiedName().equals("pods")) {
                // A typed server writes its empty list as null; readers that expect an array here lose step.
                object.putObject("spec").putNull("containers");
                object.putObject("status");
            }
            ObjectNode shown = switch (shape.form()) {
                case PLAIN -> object;
                case METADATA -> Shape.metadataOnly(object);
                case TABLE -> {
                    ObjectNode table = Trees.object().put("kind", "Table").put("apiVersion", "meta.k8s.io/v1");
                    table.set("metadata", object.path("metadata"));
                    table.putArray("columnDefinitions");
                    table.putArray("rows");
                    yield table;
                }
            };
            text("{\"type\":\"BOOKMARK\",\"object\":" + shown + "}\n");
            flush();
        }

        void error(ApiError error) throws InterruptedException {
            text("{\"type\":\"ERROR\",\"object\":" + error.toStatus() + "}\n");
            flush();
        }

        private void flush() throws InterruptedException {
            if (out.size() > 0) {
                exchange.write(out.toByteArray());
                out.reset();
            }
        }

        private void text(String text) {
            out.writeBytes(text.getBytes(StandardCharsets.UTF_8));
        }
    }
}
