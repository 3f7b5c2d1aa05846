package dev.pillion.queue;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.LongStream;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import dev.pillion.api.SetKey;
import dev.pillion.bus.BusMessage.Outcome;
import dev.pillion.bus.BusMessage.Priority;
import dev.pillion.queue.WorkQueue.Taken;

/** Random histories of adds, delays, takes, ends, lost and regained keys, judged by the rules themselves and by a naive model. -Dpillion.seed repeats one. */
class WorkQueuePropertyTest {
    private static final Duration STEP = Duration.ofMillis(3);

    static LongStream seeds() {
        Long given = Long.getLong("pillion.seed");
        return given == null ? new Random().longs(200) : LongStream.of(given);
    }

    private static final class History {
        private final Random random;
        private final AtomicLong clock;
        private final WorkQueue<SetKey> queue;
        private final Model model;
        private final List<SetKey> keys = new ArrayList<>();
        private final Map<Long, Taken<SetKey>> inWork = new LinkedHashMap<>();
        private final Set<SetKey> foreign = new HashSet<>();
        private final List<Taken<SetKey>> finished = new ArrayList<>();

        History(long seed) {
            random = new Random(seed);
            clock = new AtomicLong(Long.MAX_VALUE - random.nextInt(2_000_000_000));
            RateLimiter.Limits limits = new RateLimiter.Limits(Duration.ofMillis(5), Duration.ofMillis(100), 1000, 3);
            queue = new WorkQueue<>(clock::get, new RateLimiter<>(limits, clock::get), k -> !foreign.contains(k));
            model = new Model(clock, new RateLimiter<>(limits, clock::get), foreign);
            for (int i = 0; i < 1 + random.nextInt(12); i++) {
                keys.add(new SetKey("set-" + i));
            }
        }

        void step() {
            switch (random.nextInt(10)) {
                case 0, 1 -> add(Duration.ZERO);
                case 2, 3 -> add(Duration.ofMillis(random.nextInt(40)));
                case 4, 5, 6 -> take();
                case 7, 8 -> finish();
                default -> clock.addAndGet(random.nextInt(2) * STEP.toNanos());
            }
            if (random.nextInt(15) == 0) {
                loseOrRegain();
            }
            if (!finished.isEmpty() && random.nextInt(20) == 0) {
                Taken<SetKey> stale = finished.get(random.nextInt(finished.size()));
                assertThat(queue.done(stale.key(), stale.ticket(), new Outcome.Settled())).isFalse();
            }
            assertThat(queue.depth()).isEqualTo(model.depth());
        }

        private void loseOrRegain() {
            SetKey key = keys.get(random.nextInt(keys.size()));
            if (!foreign.remove(key)) {
                foreign.add(key);
                queue.dropStrangers();
                model.dropStrangers();
            }
        }

        private void add(Duration after) {
            SetKey key = keys.get(random.nextInt(keys.size()));
            Priority band = random.nextBoolean() ? Priority.HIGH : Priority.LOW;
            queue.add(key, after, band);
            model.add(key, after, band);
        }

        boolean take() {
            Optional<Taken<SetKey>> taken = queue.take();
            assertThat(taken.map(Taken::key)).isEqualTo(model.take());
            taken.ifPresent(t -> {
                assertThat(inWork.values()).extracting(Taken::key).as("two workers on one key").doesNotContain(t.key());
                assertThat(inWork.put(t.ticket(), t)).isNull();
            });
            return taken.isPresent();
        }

        void finish() {
            if (inWork.isEmpty()) {
                return;
            }
            Taken<SetKey> one = List.copyOf(inWork.values()).get(random.nextInt(inWork.size()));
            inWork.remove(one.ticket());
            Outcome outcome = switch (random.nextInt(7)) {
                case 3 -> new Outcome.Lost();
                case 0 -> new Outcome.Failed("io");
                case 1 -> new Outcome.Again(Duration.ofMillis(random.nextInt(30)));
                case 2 -> new Outcome.Gone();
                default -> new Outcome.Settled();
            };
            assertThat(queue.done(one.key(), one.ticket(), outcome)).isTrue();
            model.done(one.key(), outcome);
            finished.add(one);
        }

        /** Ends all work and waits for all delays, without new adds and failures. */
        Set<SetKey> drain() {
            Set<SetKey> seen = new HashSet<>();
            while (true) {
                for (Taken<SetKey> taken : List.copyOf(inWork.values())) {
                    assertThat(queue.done(taken.key(), taken.ticket(), new Outcome.Settled())).isTrue();
                    model.done(taken.key(), new Outcome.Settled());
                }
                inWork.clear();
                if (queue.nextDue().isEmpty()) {
                    return seen;
                }
                clock.addAndGet(queue.nextDue().getAsLong());
                while (take()) {
                    seen.add(List.copyOf(inWork.values()).getLast().key());
                }
            }
        }
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void behavesAsTheRulesSayInAnyHistory(long seed) {
        try {
            History history = new History(seed);
            for (int i = 0; i < 1500; i++) {
                history.step();
            }
            Set<SetKey> wanted = history.model.wanted();
            Set<SetKey> served = history.drain();
            assertThat(served).as("nothing lost, nothing made up").isEqualTo(wanted);
            assertThat(history.queue.isDrained()).isTrue();
            assertThat(history.queue.heldKeys()).isZero();
        } catch (AssertionError e) {
            throw new AssertionError("repeat with -Dpillion.seed=" + seed, e);
        }
    }

    /** The rules of events.md 4 as plainly as they can be written; slow on purpose. */
    private static final class Model {
        private record Waiting(SetKey key, Priority band) {
        }

        private record Held(SetKey key, long at, Priority band) {
        }

        private final Set<SetKey> foreign;
        private final AtomicLong clock;
        private final RateLimiter<SetKey> limiter;
        private final List<Waiting> line = new ArrayList<>();
        private final List<Held> held = new ArrayList<>();
        private final Map<SetKey, Priority> dirty = new HashMap<>();
        private final Map<SetKey, Priority> working = new HashMap<>();

        Model(AtomicLong clock, RateLimiter<SetKey> limiter, Set<SetKey> foreign) {
            this.foreign = foreign;
            this.clock = clock;
            this.limiter = limiter;
        }

        int depth() {
            return line.size();
        }

        Set<SetKey> wanted() {
            Set<SetKey> keys = new HashSet<>(dirty.keySet());
            line.forEach(w -> keys.add(w.key));
            held.forEach(h -> keys.add(h.key));
            return keys;
        }

        void add(SetKey key, Duration after, Priority band) {
            if (foreign.contains(key)) {
                return;
            }
            mature();
            if (!after.isPositive()) {
                now(key, band);
                return;
            }
            Held wanted = new Held(key, clock.get() + after.toNanos(), band);
            Optional<Held> before = held.stream().filter(h -> h.key.equals(key)).findFirst();
            if (before.isEmpty()) {
                held.add(wanted);
                return;
            }
            Priority higher = max(band, before.get().band);
            int place = held.indexOf(before.get());
            if (wanted.at - before.get().at < 0) {
                held.remove(place);
                held.add(new Held(key, wanted.at, higher));
            } else {
                held.set(place, new Held(key, before.get().at, higher));
            }
        }

        private void now(SetKey key, Priority band) {
            if (working.containsKey(key)) {
                dirty.merge(key, band, Model::max);
                return;
            }
            Optional<Waiting> before = line.stream().filter(w -> w.key.equals(key)).findFirst();
            if (before.isEmpty()) {
                line.add(new Waiting(key, band));
            } else if (max(band, before.get().band) != before.get().band) {
                line.remove(before.get());
                line.add(new Waiting(key, band));
            }
        }

        void dropStrangers() {
            line.removeIf(w -> foreign.contains(w.key));
            held.removeIf(h -> foreign.contains(h.key));
            dirty.keySet().removeAll(foreign);
            foreign.forEach(limiter::forget);
        }

        private void mature() {
            List<Held> due = held.stream().filter(h -> h.at - clock.get() <= 0).sorted(Comparator.comparingLong(h -> h.at - clock.get()))
                    .toList();
            held.removeAll(due);
            due.forEach(h -> now(h.key, h.band));
        }

        Optional<SetKey> take() {
            mature();
            Optional<Waiting> first = line.stream().filter(w -> w.band == Priority.HIGH).findFirst().or(() -> line.stream().findFirst());
            first.ifPresent(w -> {
                line.remove(w);
                working.put(w.key, w.band);
            });
            return first.map(Waiting::key);
        }

        void done(SetKey key, Outcome outcome) {
            Priority band = Objects.requireNonNull(working.get(key));
            switch (outcome) {
                case Outcome.Settled _,Outcome.Gone _ -> limiter.forget(key);
                case Outcome.Failed _ -> {
                    if (!foreign.contains(key)) {
                        add(key, limiter.next(key), band);
                    }
                }
                case Outcome.Lost _ -> {
                    limiter.forget(key);
                    add(key, Duration.ofSeconds(1), band);
                }
                case Outcome.Again again -> {
                    limiter.forget(key);
                    add(key, again.after(), band);
                }
            }
            working.remove(key);
            Priority again = dirty.remove(key);
            if (again != null) {
                line.add(new Waiting(key, again));
            }
        }

        private static Priority max(Priority a, Priority b) {
            return a == Priority.HIGH ? a : b;
        }
    }
}
