package dev.pillion.shard;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.PriorityQueue;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import dev.pillion.api.SetKey;
import dev.pillion.bus.Ownership;
import dev.pillion.bus.Slots;
import dev.pillion.kube.LeaseSpec;

/**
 * Several processes strive for slots over a network that delays, loses and repeats, with clocks that go wrong by up to a twentieth, pauses
 * of the whole process, crashes, and people who edit and delete Leases. Never do two of them allow a write at the same moment; when the
 * trouble ends every slot soon has an owner that stays. The seed is in each message; -Dpillion.seed=N repeats one run.
 */
class SlotLeasePropertyTest {
    private static final LeaseTimes TIMES = new LeaseTimes(Duration.ofSeconds(15), Duration.ofSeconds(5), Duration.ofSeconds(10));
    private static final long SECOND = TimeUnit.SECONDS.toNanos(1);
    private static final long TROUBLE = 300 * SECOND;
    /** The last one may stand aside for 30 s, and then wait for a foreign record of 20 s, by a slow clock; and a few retries. */
    private static final long RECOVERY = 60 * SECOND;
    private static final long CALM = 60 * SECOND;

    @ParameterizedTest(name = "{0} processes, {1} slots, {2} runs")
    @CsvSource({"2, 1, 150", "3, 1, 150", "3, 4, 40", "2, 32, 6"})
    void neverTwoOwnersAndAlwaysOneInTheEnd(int processes, int slots, int runs) {
        Long given = Long.getLong("pillion.seed");
        long first = given == null ? System.nanoTime() : given;
        int takeovers = 0;
        for (int run = 0; run < (given == null ? runs : 1); run++) {
            takeovers += new World(first + run, processes, slots).run();
        }
        assertThat(takeovers).as("the trouble did cause takeovers").isGreaterThan(given == null ? runs * slots : 0);
    }

    /** Real time, as nobody in it knows it. */
    private static final class World {
        private record Event(long at, long number, Runnable what) {
        }

        private final long seed;
        private final SplittableRandom random;
        private final Slots slots;
        private final List<LeaseStore> stores = new ArrayList<>();
        private final List<Replica> processes = new ArrayList<>();
        private final PriorityQueue<Event> events = new PriorityQueue<>(
                Comparator.comparingLong(Event::at).thenComparingLong(Event::number));
        private long now;
        private long scheduled;
        private int starts;
        private int gained;
        private final ArrayDeque<String> story = new ArrayDeque<>();

        World(long seed, int count, int slotCount) {
            this.seed = seed;
            this.random = new SplittableRandom(seed);
            this.slots = new Slots(slotCount);
            for (int slot = 0; slot < slotCount; slot++) {
                stores.add(new LeaseStore());
            }
            for (int i = 0; i < count; i++) {
                processes.add(new Replica(this));
            }
        }

        /** Returns how often a slot was taken. */
        int run() {
            boolean founded = random.nextBoolean();
            for (Replica process : processes) {
                process.begin(founded && process == processes.getFirst() ? OptionalLong.of(process.clock()) : OptionalLong.empty());
            }
            in(SECOND, this::mischief);
            advance(TROUBLE + RECOVERY);
            List<String> owners = owners();
            assertThat(owners).as("owners after the trouble, seed %d", seed).doesNotContain("nobody");
            advance(TROUBLE + RECOVERY + CALM);
            assertThat(owners()).as("owners in calm times, seed %d", seed).isEqualTo(owners);
            return gained;
        }

        private List<String> owners() {
            List<String> owners = new ArrayList<>();
            for (int slot = 0; slot < slots.count(); slot++) {
                int wanted = slot;
                owners.add(processes.stream().filter(p -> p.mayWrite(wanted)).map(p -> p.identity).findFirst().orElse("nobody"));
            }
            return owners;
        }

        private void advance(long until) {
            while (!events.isEmpty() && events.peek().at <= until) {
                Event event = events.remove();
                now = event.at;
                event.what.run();
                assertOneOwner();
            }
            now = until;
        }

        /** Fences open at events only, so looking after each event sees every overlap. */
        private void assertOneOwner() {
            for (int slot = 0; slot < slots.count(); slot++) {
                int owners = 0;
                for (Replica process : processes) {
                    owners += process.mayWrite(slot) ? 1 : 0;
                }
                if (owners > 1) {
                    throw new AssertionError(
                            "slot " + slot + " has " + owners + " owners " + now / 1e9 + " s after the start, seed " + seed + ":\n"
                                    + String.join("\n", story));
                }
            }
        }

        void in(long after, Runnable what) {
            events.add(new Event(now + after, scheduled++, what));
        }

        boolean isTroubled() {
            return now < TROUBLE;
        }

        /** Remembers the last steps, for the message of a failure. */
        void tell(Object what) {
            story.addLast(String.format(Locale.ROOT, "%8.3f %s", now / 1e9, what));
            if (story.size() > 60) {
                story.removeFirst();
            }
        }

        private void mischief() {
            if (!isTroubled()) {
                processes.forEach(p -> p.pausedUntil = Math.min(p.pausedUntil, now));
                return;
            }
            Replica victim = processes.get(random.nextInt(processes.size()));
            LeaseStore store = stores.get(random.nextInt(stores.size()));
            int kind = random.nextInt(12);
            tell("mischief " + kind + " " + victim.identity + " " + stores.indexOf(store));
            switch (kind) {
                case 0, 1, 2 -> victim.pausedUntil = now + random.nextLong(40 * SECOND);
                case 3 -> victim.restart();
                case 4 -> victim.standAsideForAWhile();
                case 5 -> store.delete();
                case 6 -> store.edit(spec -> LeaseStore.heldBy(spec, ""));
                case 7 -> store.edit(spec -> LeaseStore.heldBy(spec, random.nextBoolean() ? "somebody" : victim.identity));
                case 8 -> store.edit(spec -> new LeaseSpec(spec.holder(), Optional.of(Duration.ofSeconds(1 + random.nextInt(20))), "x",
                        spec.renewed(), random.nextInt(), spec.marks()));
                case 9 -> store.edit(spec -> spec);
                default -> victim.cutOffUntil = now + random.nextLong(30 * SECOND);
            }
            in(random.nextLong(12 * SECOND), this::mischief);
        }
    }

    /** One process with a clock of its own, driving its leases as the verticle does. */
    private static final class Replica {
        private final World world;
        private final double rate;
        private final long offset;
        private String identity = "";
        private Ownership ownership;
        private Map<Integer, SlotLease> leases = new HashMap<>();
        private Map<Integer, Boolean> busy = new HashMap<>();
        private long pausedUntil;
        private long cutOffUntil;

        Replica(World world) {
            this.world = world;
            this.rate = 0.95 + world.random.nextDouble() / 10;
            this.offset = world.random.nextLong();
            this.ownership = new Ownership(world.slots, this::clock);
        }

        long clock() {
            return offset + (long) (world.now * rate);
        }

        void begin(OptionalLong founding) {
            identity = "process-" + world.starts++;
            ownership = new Ownership(world.slots, this::clock);
            leases = new HashMap<>();
            busy = new HashMap<>();
            for (int slot = 0; slot < world.slots.count(); slot++) {
                // The wall clock stands still, at a time of its own for each process.
                Instant wall = Instant.EPOCH.plusSeconds(world.starts);
                SlotLease lease = new SlotLease("slot-" + slot, identity, TIMES, new Stamps(() -> wall));
                leases.put(slot, lease);
                lease.contend(founding, clock());
                int woken = slot;
                later(0, () -> advance(woken));
            }
        }

        /** SIGKILL, and a new process in its place. */
        void restart() {
            pausedUntil = world.now;
            begin(OptionalLong.empty());
        }

        void standAsideForAWhile() {
            leases.forEach((slot, lease) -> turn(slot, lease.standAside()));
            later(world.random.nextLong(30 * SECOND), () -> leases.forEach((slot, lease) -> {
                lease.contend(OptionalLong.empty(), clock());
                advance(slot);
            }));
        }

        boolean mayWrite(int slot) {
            return ownership.fence(setIn(slot)).isOpen();
        }

        private SlotLease lease(int slot) {
            return Objects.requireNonNull(leases.get(slot));
        }

        private SetKey setIn(int slot) {
            return Objects.requireNonNull(Objects.requireNonNull(KEYS.get(world.slots.count())).get(slot));
        }

        /** Runs after this real time, and only when the process is not paused then; a restart forgets it. */
        private void later(long after, Runnable what) {
            String mine = identity;
            world.in(after, () -> {
                if (!identity.equals(mine)) {
                    return;
                }
                if (world.now < pausedUntil) {
                    later(pausedUntil - world.now, what);
                } else {
                    what.run();
                }
            });
        }

        private void advance(int slot) {
            SlotLease lease = lease(slot);
            turn(slot, lease.tick(clock()));
            if (busy.getOrDefault(slot, false)) {
                return;
            }
            switch (lease.next(clock())) {
                case Order.Rest rest -> later(Math.max(1, (long) ((rest.until() - clock()) / rate)) + world.random.nextLong(SECOND / 20),
                        () -> advance(slot));
                case Order.Request request -> send(slot, request);
            }
            lease.expiry().ifPresent(at -> later(Math.max(1, (long) ((at - clock()) / rate)), () -> turn(slot, lease.tick(clock()))));
        }

        /** A pause may hit between the order and its way into the network; what was given up may still arrive much later. */
        private void send(int slot, Order.Request request) {
            busy.put(slot, true);
            later(world.random.nextLong(SECOND / 100), () -> {
                long sent = clock();
                boolean[] answered = {false};
                int luck = world.isTroubled() ? world.random.nextInt(20) : 19;
                boolean cutOff = world.isTroubled() && world.now < cutOffUntil;
                long way = world.random.nextLong(luck == 0 ? 20 * SECOND : SECOND / 10);
                if (luck == 1 || (cutOff && world.random.nextInt(4) > 0)) {
                    way = -1;
                }
                if (luck == 2) {
                    answer(slot, request, new Answer.Unknown("500"), sent, answered);
                } else if (luck == 3) {
                    answer(slot, request, new Answer.Refused("403"), sent, answered);
                } else if (way >= 0) {
                    String mine = identity;
                    world.in(way, () -> {
                        Answer answer = world.stores.get(slot).carryOut(request);
                        if (!(request instanceof Order.Read)) {
                            world.tell(mine + " slot " + slot + " " + request.getClass().getSimpleName() + " "
                                    + answer.getClass().getSimpleName());
                        }
                        if (luck != 4 && !cutOff && identity.equals(mine)) {
                            later(world.random.nextLong(SECOND / 10), () -> answer(slot, request, answer, sent, answered));
                        }
                    });
                }
                later((long) (TIMES.request().toNanos() / rate),
                        () -> answer(slot, request, new Answer.Unknown("timeout"), sent, answered));
            });
        }

        private void answer(int slot, Order.Request request, Answer answer, long sent, boolean[] answered) {
            if (answered[0]) {
                return;
            }
            answered[0] = true;
            busy.put(slot, false);
            turn(slot, lease(slot).take(request, answer, sent, clock()));
            advance(slot);
        }

        private void turn(int slot, Optional<Turn> turn) {
            if (turn.isEmpty()) {
                return;
            }
            world.tell(identity + " slot " + slot + " " + turn.get());
            switch (turn.get()) {
                case Turn.Gained(long term, long until, long _) -> {
                    world.gained++;
                    ownership.begin(slot, term, until);
                }
                case Turn.Extended(long term, long until) -> ownership.extend(slot, term, until);
                case Turn.Ended _ -> {
                    ownership.end(slot);
                    later(world.random.nextLong(3 * SECOND), () -> {
                        lease(slot).drained(clock());
                        advance(slot);
                    });
                }
                case Turn.Released _ -> {
                }
            }
        }
    }

    /** For each number of slots: one set of each. */
    private static final Map<Integer, Map<Integer, SetKey>> KEYS = Map.of(1, keys(1), 4, keys(4), 32, keys(32));

    private static Map<Integer, SetKey> keys(int count) {
        Slots slots = new Slots(count);
        Map<Integer, SetKey> keys = new HashMap<>();
        for (int i = 0; keys.size() < count; i++) {
            SetKey key = new SetKey("set-" + i);
            keys.putIfAbsent(slots.of(key), key);
        }
        return Map.copyOf(keys);
    }
}
