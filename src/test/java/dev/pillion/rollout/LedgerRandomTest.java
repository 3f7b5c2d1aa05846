package dev.pillion.rollout;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import dev.pillion.api.Json;
import dev.pillion.api.PodChange;
import dev.pillion.api.PodKey;
import dev.pillion.api.PodView;
import dev.pillion.api.SidecarSet;
import dev.pillion.match.ImageCompare;
import dev.pillion.podmeta.PodViews;

import tools.jackson.databind.node.ObjectNode;

/**
 * The ledger equals the plan from scratch over long random histories: pods that come, change and go, changes of the set, own writes,
 * and events that are late, repeated or lost (design.md 3). -Dpillion.seed=N runs one seed, -Dpillion.histories=N more of them.
 */
class LedgerRandomTest {
    private static final int HISTORIES = Integer.getInteger("pillion.histories", 25);
    private static final int STEPS = 200;

    @ParameterizedTest
    @ValueSource(strings = {"REFERENCE", "PILLION", "STRICT"})
    void equalsThePlanFromScratch(String mode) {
        RolloutOptions options = switch (mode) {
            case "REFERENCE" -> RolloutOptions.REFERENCE;
            case "PILLION" -> RolloutOptions.PILLION;
            default -> new RolloutOptions(RolloutOptions.Budget.STRICT, ImageCompare.NORMALIZED, RolloutOptions.Faults.FIXED,
                    RolloutOptions.PILLION.expectationDeadline());
        };
        Long only = Long.getLong("pillion.seed");
        Map<String, Integer> met = new TreeMap<>();
        for (long seed = only == null ? 1 : only; seed <= (only == null ? HISTORIES : only); seed++) {
            new History(options, seed, met).run();
        }
        if (only == null) {
            assertThat(met).as("what the histories met").containsKeys("Upgrade", "Flip", "MarkNotUpgradable", "scattered", "not-update",
                    "paused", "flipping", "not-selected", "not-upgradable", "upgrading", "partition", "max-unavailable",
                    "updated-hash-expected", "refused", "other-containers");
            assertThat(met.get("scattered")).isGreaterThan(100);
        }
    }

    /** One history: a server with pods, a stream of events, a ledger, and a plain record of what the ledger was told. */
    private static final class History {
        private final RolloutOptions options;
        private final String name;
        private final Map<String, Integer> met;
        private final Random random;
        private final RandomRollout make;
        private final Ledger ledger;
        private final TreeMap<PodKey, ObjectNode> server = new TreeMap<>();
        private final ArrayDeque<PodChange> events = new ArrayDeque<>();
        private final List<PodChange> delivered = new ArrayList<>();
        private final TreeMap<PodKey, PodView> told = new TreeMap<>();
        private final Map<String, PodView> earlier = new HashMap<>();
        private final Map<String, Map<String, String>> namespaces = new HashMap<>();
        private SidecarSet set;
        private long version = 100;
        private int uids;
        private Instant now = Cases.NOW;

        History(RolloutOptions options, long seed, Map<String, Integer> met) {
            this.met = met;
            this.options = options;
            this.name = "seed " + seed;
            this.random = new Random(seed);
            this.make = new RandomRollout(random);
            this.ledger = new Ledger(options);
            this.set = make.set();
            namespaces.put("a", Map.of("env", "prod"));
            namespaces.put("b", Map.of());
        }

        void run() {
            rebuild();
            for (int step = 0; step < STEPS; step++) {
                step();
                compare();
            }
            // In the end everything arrives: the ledger knows exactly what the server has.
            while (!events.isEmpty()) {
                deliver(events.poll());
            }
            assertThat(plan()).as(name).isEqualTo(scratch(views(), ledger.expectations()));
            assertThat(ledger.expectations().isEmpty()).as(name).isTrue();
        }

        private void step() {
            now = now.plusMillis(random.nextInt(3000));
            switch (random.nextInt(20)) {
                case 0, 1, 2, 3 -> create();
                case 4, 5, 6, 7 -> change();
                case 8 -> delete();
                case 9, 10, 11, 12, 13 -> {
                    for (int i = random.nextInt(4); i >= 0 && !events.isEmpty(); i--) {
                        deliver(events.poll());
                    }
                }
                case 14 -> repeat();
                case 15 -> lose();
                case 16 -> {
                    set = make.set();
                    assertThat(ledger.isFor(set)).as(name).isFalse();
                    rebuild(views().stream().map(v -> make.chance(20) ? earlier.getOrDefault(v.uid(), v) : v).toList());
                }
                default -> carryOut();
            }
        }

        private ObjectNode stored(ObjectNode pod) {
            ((ObjectNode) pod.get("metadata")).put("resourceVersion", Long.toString(++version));
            PodView view = PodViews.of(pod);
            ObjectNode old = server.put(view.key(), pod);
            if (old != null) {
                earlier.put(view.uid(), PodViews.of(old)); // what a cache that lags may still hold
            }
            return pod;
        }

        private void create() {
            String namespace = make.one(RandomRollout.NAMESPACES);
            PodKey key = new PodKey(namespace, "p" + random.nextInt(30));
            if (!server.containsKey(key)) {
                seen(stored(make.pod(namespace, key.name(), "u" + ++uids)));
            }
        }

        private void seen(ObjectNode pod) {
            events.add(new PodChange.Seen(PodViews.of(pod)));
        }

        private void change() {
            if (!server.isEmpty()) {
                ObjectNode pod = make.one(List.copyOf(server.values())).deepCopy();
                make.mutate(pod);
                seen(stored(pod));
            }
        }

        private void delete() {
            if (!server.isEmpty()) {
                PodKey key = make.one(List.copyOf(server.keySet()));
                ObjectNode gone = Objects.requireNonNull(server.remove(key));
                events.add(new PodChange.Gone(key, PodViews.of(gone).uid()));
            }
        }

        private void deliver(PodChange change) {
            delivered.add(change);
            ledger.apply(change);
            switch (change) {
                case PodChange.Seen(PodView pod) -> tell(pod);
                case PodChange.Gone(PodKey key, String uid) -> {
                    if (told.containsKey(key) && told.get(key).uid().equals(uid)) {
                        told.remove(key);
                    }
                }
                case PodChange.Rebuild _ -> throw new IllegalStateException("not sent here");
            }
        }

        private void tell(PodView pod) {
            if (!told.containsKey(pod.key()) || !told.get(pod.key()).isNewerThan(pod)) {
                told.put(pod.key(), pod);
            }
        }

        /** An event a second time, late: only for pods that are still there, as a watch never brings back the dead. */
        private void repeat() {
            List<PodChange> again = delivered.stream().filter(c -> c instanceof PodChange.Seen(PodView p) && told.containsKey(p.key())
                    && told.get(p.key()).uid().equals(p.uid())).toList();
            if (!again.isEmpty()) {
                deliver(make.one(again));
            }
        }

        /** The stream breaks: events are lost, and the watch lists anew. */
        private void lose() {
            events.clear();
            ledger.apply(new PodChange.Rebuild());
            assertThat(ledger.isFor(set)).as(name).isFalse();
            rebuild();
            ledger.expectations().observe(views());
        }

        private void rebuild() {
            rebuild(views());
        }

        private void rebuild(Collection<PodView> cache) {
            ledger.rebuild(set, namespaces, cache);
            Map<PodKey, PodView> before = new HashMap<>(told);
            told.clear();
            for (PodView pod : cache) {
                tell(pod);
                if (before.containsKey(pod.key()) && before.get(pod.key()).uid().equals(pod.uid())) {
                    tell(before.get(pod.key()));
                }
            }
            assertThat(ledger.isFor(set)).as(name).isTrue();
        }

        private Collection<PodView> views() {
            return server.values().stream().map(PodViews::of).toList();
        }

        private void carryOut() {
            for (Decision decision : plan().decisions()) {
                PodView pod = decision.pod();
                ObjectNode live = server.get(pod.key());
                if (live == null || !PodViews.of(live).uid().equals(pod.uid())) {
                    ledger.vanished(pod.key());
                    told.remove(pod.key());
                    // The events of the vanished pod that are still under way are ignored by the ledger, so they need not arrive.
                    events.removeIf(c -> c instanceof PodChange.Seen(PodView p) && p.uid().equals(pod.uid()));
                } else if (decision instanceof Decision.ReadLive || !PodViews.of(live).resourceVersion().equals(pod.resourceVersion())) {
                    PodView view = PodViews.of(live); // a conflict is answered by a live read
                    ledger.readLive(view, now);
                    tell(view);
                } else {
                    write(decision, live);
                }
            }
        }

        private void write(Decision decision, ObjectNode live) {
            String patch;
            try {
                patch = switch (decision) {
                    case Decision.Upgrade(PodView pod) -> PodPatch.upgrade(set, pod, Map.of(), "r9", options, now);
                    case Decision.Flip(PodView pod) -> PodPatch.flip(set, pod, options, now);
                    case Decision.MarkNotUpgradable(PodView pod) ->
                        PodPatch.condition("ss", pod, false, _ -> true, options, now).orElseThrow();
                    case Decision.MarkUpgradable(PodView pod) -> PodPatch.condition("ss", pod, true, _ -> true, options, now).orElseThrow();
                    case Decision.ReadLive _ -> throw new IllegalStateException("not a write");
                };
            } catch (IllegalStateException refused) {
                return; // reference mode leaves damaged pods alone
            }
            if (decision instanceof Decision.Upgrade && make.chance(15)) {
                ledger.refused(decision.pod(), now);
                return;
            }
            ObjectNode written = stored(Patches.apply(live, Json.read(patch)));
            seen(written);
            if (make.chance(80)) {
                if (decision instanceof Decision.Upgrade) {
                    ledger.upgraded(PodViews.of(written), now);
                } else {
                    ledger.wrote(PodViews.of(written), now);
                }
                tell(PodViews.of(written));
            } else {
                ledger.uncertain(decision.pod(), now); // the answer got lost
            }
        }

        private Plan plan() {
            return ledger.plan("r9", 2, now);
        }

        private Plan scratch(Collection<PodView> pods, Expectations expectations) {
            return Plan.of(set, Matching.of(set).find(pods, namespaces), expectations, new Plan.Registered("r9", 2), options, now);
        }

        private void compare() {
            Plan plan = plan();
            assertThat(plan).as(name).isEqualTo(scratch(told.values(), ledger.expectations()));
            assertEveryPodHasItsReason(plan);
            plan.decisions().forEach(d -> met.merge(d.getClass().getSimpleName(), 1, Integer::sum));
            plan.waiting().forEach(w -> met.merge(w.reason().word(), 1, Integer::sum));
            List<Verdict> order = new ArrayList<>();
            ledger.table().upgradeOrder(Integer.MAX_VALUE).forEach(order::add);
            assertThat(order).as(name).containsExactlyElementsOf(
                    new Snapshot(new SetRules(set, options), Matching.of(set).find(told.values(), namespaces))
                            .upgradeOrder(Integer.MAX_VALUE));
            met.merge(order.size() > 3 && !set.updateStrategy().scatter().isEmpty() ? "scattered" : "other", 1, Integer::sum);
            assertThat(ledger.podCount()).as(name).isEqualTo(plan().status().matchedPods());
            assertThat(ledger.revisionsInUse()).as(name).isEqualTo(revisions());
        }

        /** Habit 4 of style.md: a Pod that is neither updated nor taken in this round is counted under exactly one word. */
        private void assertEveryPodHasItsReason(Plan plan) {
            int waiting = plan.waiting().stream().filter(w -> w.reason() != WaitReason.OTHER_CONTAINERS).mapToInt(Plan.Waiting::pods).sum();
            int taken = (int) plan.decisions().stream().filter(Decision.Upgrade.class::isInstance).count();
            assertThat(waiting + taken).as(name).isEqualTo(plan.status().matchedPods() - plan.status().updatedPods());
            assertThat(plan.waiting()).as(name).allSatisfy(w -> {
                assertThat(w.some()).hasSizeLessThanOrEqualTo(Math.min(w.pods(), Plan.MOST_NAMED)).doesNotHaveDuplicates();
                assertThat(w.blockers()).hasSizeLessThanOrEqualTo(Plan.MOST_NAMED);
            });
        }

        private Set<String> revisions() {
            Set<String> names = new HashSet<>();
            Matching.of(set).find(told.values(), namespaces).matching()
                    .forEach(p -> p.marks().hash("ss").ifPresent(e -> names.add(e.controllerRevision())));
            names.remove("");
            return names;
        }
    }
}
