package dev.pillion.sandbox;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

import tools.jackson.databind.node.ObjectNode;

/** GET of a collection, streamed: raw bytes go out as they are stored, in chunks, so that a large list neither fills the heap nor holds up a thread of the server. */
final class ListAnswer {
    private static final int CHUNK = 64 * 1024;
    private static final int ROWS = 250;
    private final ObjectStore store;
    private final TableRenderer tables;

    ListAnswer(ObjectStore store, TableRenderer tables) {
        this.store = store;
        this.tables = tables;
    }

    void send(Target target, Exchange exchange, Shape shape) throws InterruptedException {
        ListQuery query = ListQuery.of(target, exchange.parameters());
        ObjectNode meta = Trees.object();
        List<Stored> objects = select(target, query, meta);
        exchange.begin("application/json");
        ByteArrayOutputStream out = new ByteArrayOutputStream(CHUNK);
        text(out, "{\"kind\":\"" + shape.listKind(target.type()) + "\",\"apiVersion\":\"" + shape.apiVersion(target) + "\",\"metadata\":"
                + meta);
        switch (shape.form()) {
            case PLAIN, METADATA -> items(target, objects, shape, exchange, out);
            case TABLE -> rows(target, objects, shape, exchange, out);
        }
        text(out, "]}\n");
        exchange.write(out.toByteArray());
        exchange.end();
    }

    private void items(Target target, List<Stored> objects, Shape shape, Exchange exchange, ByteArrayOutputStream out)
            throws InterruptedException {
        text(out, ",\"items\":[");
        boolean raw = shape.form() == Shape.Form.PLAIN && target.rules().isStoredForm(target.type(), target.version());
        byte[] head = ("{\"kind\":\"" + target.type().kind() + "\",\"apiVersion\":\"" + target.type().apiVersion(target.version()) + "\",")
                .getBytes(StandardCharsets.UTF_8);
        // The items of built-in types don't repeat what the list says.
        int cut = target.type().isCustom() ? 0 : head.length;
        String separator = "";
        for (List<Stored> part : parts(objects)) {
            for (byte[] bytes : raw ? part.stream().map(Stored::bytes).toList() : converted(target, part, shape)) {
                text(out, separator);
                separator = ",";
                if (cut > 0 && bytes.length > cut && Arrays.equals(bytes, 0, cut, head, 0, cut)) {
                    out.write('{');
                    out.write(bytes, cut, bytes.length - cut);
                } else {
                    out.writeBytes(bytes);
                }
                flush(exchange, out);
            }
        }
    }

    private static List<byte[]> converted(Target target, List<Stored> part, Shape shape) {
        return views(target, part).stream()
                .map(object -> Trees.bytes(shape.form() == Shape.Form.METADATA ? Shape.metadataOnly(object) : object))
                .toList();
    }

    private void rows(Target target, List<Stored> objects, Shape shape, Exchange exchange, ByteArrayOutputStream out)
            throws InterruptedException {
        text(out, ",\"columnDefinitions\":" + tables.columns(target.type(), target.version()) + ",\"rows\":[");
        String separator = "";
        for (List<Stored> part : parts(objects)) {
            for (ObjectNode row : tables.rows(target.type(), target.version(), views(target, part), shape.rowObject())) {
                text(out, separator);
                separator = ",";
                out.writeBytes(Trees.bytes(row));
                flush(exchange, out);
            }
        }
    }

    /** Selected objects, parsed and in the version of the request. */
    static List<ObjectNode> views(Target target, List<Stored> objects) {
        List<ObjectNode> trees = new ArrayList<>(objects.stream().map(Stored::tree).toList());
        return target.rules().isStoredForm(target.type(), target.version())
                ? trees
                : target.rules().fromStored(target.type(), trees, target.version());
    }

    /** The objects of one page; fills in the list's metadata. With a selector a page may take several steps through the store. */
    List<Stored> select(Target target, ListQuery query, ObjectNode meta) {
        List<Stored> selected = new ArrayList<>();
        String after = query.after();
        long revision = query.revision();
        try {
            while (true) {
                ObjectStore.Listing listing = store.page(target.store(), target.prefix(), revision, after, query.limit());
                revision = listing.revision();
                for (Stored object : listing.objects()) {
                    if (query.limit() > 0 && selected.size() == query.limit()) {
                        break;
                    }
                    after = object.key();
                    if (query.selects().test(object)) {
                        selected.add(object);
                    }
                }
                boolean full = query.limit() > 0 && selected.size() == query.limit();
                boolean more = listing.more() || (!listing.objects().isEmpty() && !listing.objects().getLast().key().equals(after));
                if (full || !more) {
                    meta.put("resourceVersion", Long.toString(revision));
                    if (target.type().isCustom()) {
                        meta.put("continue", "");
                    }
                    if (full && more) {
                        meta.put("continue", ListQuery.token(revision, after));
                        if (!query.filters()) {
                            meta.put("remainingItemCount", listing.remaining());
                        }
                    }
                    return selected;
                }
            }
        } catch (ObjectStore.TooOld _) {
            if (query.after().isEmpty()) {
                throw ApiError.expired("The resourceVersion for the provided list is too old.");
            }
            throw ApiError.expired(
                    "The provided continue parameter is too old to display a consistent list result. You can start a new list without "
                            + "the continue parameter, or use the continue token in this response to retrieve the remainder of the results. Continuing with the "
                            + "provided token results in an inconsistent list - objects that were created, modified, or deleted between the time the first chunk was "
                            + "returned and now may show up in the list.",
                    ListQuery.token(-1, query.after()));
        }
    }

    private static List<List<Stored>> parts(List<Stored> objects) {
        List<List<Stored>> parts = new ArrayList<>();
        for (int i = 0; i < objects.size(); i += ROWS) {
            parts.add(objects.subList(i, Math.min(objects.size(), i + ROWS)));
        }
        return parts;
    }

    private static void flush(Exchange exchange, ByteArrayOutputStream out) throws InterruptedException {
        if (out.size() >= CHUNK) {
            exchange.write(out.toByteArray());
            out.reset();
        }
    }

    private static void text(ByteArrayOutputStream out, String text) {
        out.writeBytes(text.getBytes(StandardCharsets.UTF_8));
    }
}
