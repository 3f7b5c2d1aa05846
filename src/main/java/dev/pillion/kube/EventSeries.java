package dev.pillion.kube;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.function.Supplier;

/**
 * Which events to create and which to count on, within bounds. Pure; used by one thread.
 * <ol>
 * <li>The same object, type, reason and note within six minutes of the last one is a repeat: its count is written, at most every five seconds.</li>
 * <li>More than ten different notes of one object, type and reason within ten minutes go into one combined series.</li>
 * <li>At most 4,096 series are remembered; the longest untouched one is forgotten first.</li>
 * <li>Creating is limited to a burst of 50 and 5 a second; what exceeds it is dropped and counted.</li>
 * </ol>
 */
final class EventSeries {
    private static final Duration REPEAT_WINDOW = Duration.ofMinutes(6);
    private static final Duration NOTES_WINDOW = Duration.ofMinutes(10);
    private static final Duration WRITE_INTERVAL = Duration.ofSeconds(5);
    private static final int NOTES = 10;
    private static final int REMEMBERED = 4096;
    private static final double RATE = 5;
    private static final double BURST = 50;
    private static final String COMBINED = "(combined from similar events): ";

    /** The object an event is about; namespace "" for kinds without. */
    record Subject(String apiVersion, String kind, String namespace, String name, String uid) {
    }

    record Occurrence(Subject subject, EventSink.Type type, String reason, String note) {
    }

    /** What to send. */
    sealed interface Write {
        String name();

        record Create(String name, Occurrence occurrence, Instant at) implements Write {
        }

        record Count(String name, Occurrence occurrence, int count, Instant last) implements Write {
        }
    }

    private record Group(Subject subject, EventSink.Type type, String reason) {
    }

    private static final class Series {
        private final String name;
        private final Occurrence occurrence;
        private int count = 1;
        private int written = 1;
        private Instant last;
        private Instant lastWrite;

        private Series(String name, Occurrence occurrence, Instant at) {
            this.name = name;
            this.occurrence = occurrence;
            this.last = at;
            this.lastWrite = at;
        }

        private Write.Count write(Instant now) {
            written = count;
            lastWrite = now;
            return new Write.Count(name, occurrence, count, last);
        }
    }

    private static final class Notes {
        private Instant since;
        private int different;

        private Notes(Instant since) {
            this.since = since;
        }
    }

    private final Supplier<String> suffixes;
    private final Map<Occurrence, Series> series = bounded();
    private final Map<Group, Notes> notes = bounded();
    private double tokens = BURST;
    private Instant refilled = Instant.MIN;
    private long dropped;

    /** @param suffixes hex texts that make event names unique */
    EventSeries(Supplier<String> suffixes) {
        this.suffixes = suffixes;
    }

    /** Takes one occurrence in; empty when there is nothing to send now. */
    Optional<Write> take(Occurrence wanted, Instant now) {
        Occurrence one = series.containsKey(wanted) ? wanted : combined(wanted, now);
        Series known = series.get(one);
        if (known != null && Duration.between(known.last, now).compareTo(REPEAT_WINDOW) < 0) {
            known.count++;
            known.last = now;
            return due(known, now) ? Optional.of(known.write(now)) : Optional.empty();
        }
        if (!token(now)) {
            dropped++;
            return Optional.empty();
        }
        String name = cut(one.subject().name(), 230) + "." + suffixes.get();
        series.put(one, new Series(name, one, now));
        return Optional.of(new Write.Create(name, one, now));
    }

    /** Counts that have waited long enough. */
    List<Write> overdue(Instant now) {
        return unwritten(now, one -> due(one, now));
    }

    /** All counts that are not written yet, for the end. */
    List<Write> rest(Instant now) {
        return unwritten(now, _ -> true);
    }

    private List<Write> unwritten(Instant now, Predicate<Series> which) {
        List<Write> writes = new ArrayList<>();
        for (Series one : series.values()) {
            if (one.count > one.written && which.test(one)) {
                writes.add(one.write(now));
            }
        }
        return writes;
    }

    /** The event does not exist any more, or was never created: the next occurrence makes a new one. */
    void forget(Write write) {
        series.values().removeIf(s -> s.name.equals(write.name()));
    }

    /** How many occurrences the limit has swallowed. */
    long dropped() {
        return dropped;
    }

    private static boolean due(Series one, Instant now) {
        return Duration.between(one.lastWrite, now).compareTo(WRITE_INTERVAL) >= 0;
    }

    private Occurrence combined(Occurrence wanted, Instant now) {
        Notes seen = notes.computeIfAbsent(new Group(wanted.subject(), wanted.type(), wanted.reason()), _ -> new Notes(now));
        if (Duration.between(seen.since, now).compareTo(NOTES_WINDOW) >= 0) {
            seen.since = now;
            seen.different = 0;
        }
        seen.different++;
        if (seen.different <= NOTES) {
            return wanted;
        }
        // The first note of a combined series stays: the API refuses to change a note.
        return series.keySet().stream()
                .filter(o -> o.subject().equals(wanted.subject()) && o.type() == wanted.type() && o.reason().equals(wanted.reason())
                        && o.note().startsWith(COMBINED))
                .findFirst().orElseGet(() -> new Occurrence(wanted.subject(), wanted.type(), wanted.reason(), COMBINED + wanted.note()));
    }

    private boolean token(Instant now) {
        if (!refilled.equals(Instant.MIN)) {
            double seconds = Math.max(0, Duration.between(refilled, now).toMillis()) / 1000.0;
            tokens = Math.min(BURST, tokens + seconds * RATE);
        }
        refilled = now;
        if (tokens < 1) {
            return false;
        }
        tokens -= 1;
        return true;
    }

    private static String cut(String text, int longest) {
        return text.length() <= longest ? text : text.substring(0, longest);
    }

    private static <K, V> Map<K, V> bounded() {
        return new LinkedHashMap<>(16, 0.75f, true) {
            private static final long serialVersionUID = 1L;

            @Override
            protected boolean removeEldestEntry(Map.Entry<K, V> eldest) {
                return size() > REMEMBERED;
            }
        };
    }
}
