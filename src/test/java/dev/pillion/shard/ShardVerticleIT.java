package dev.pillion.shard;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import io.vertx.core.Vertx;

import dev.pillion.api.SetKey;
import dev.pillion.bus.Addresses;
import dev.pillion.bus.BusCodec;
import dev.pillion.bus.BusMessage;
import dev.pillion.bus.BusMessage.Health;
import dev.pillion.bus.BusMessage.Refresh;
import dev.pillion.bus.BusMessage.Refreshed;
import dev.pillion.bus.BusMessage.SlotDrained;
import dev.pillion.bus.BusMessage.SlotsChanged;
import dev.pillion.bus.LatestSets;
import dev.pillion.bus.Ownership;
import dev.pillion.bus.Slots;
import dev.pillion.it.Cluster;
import dev.pillion.it.Eventually;
import dev.pillion.it.OnEveryCluster;
import dev.pillion.kube.EventRecorder;
import dev.pillion.kube.KubeClient;
import dev.pillion.kube.KubeOptions;
import dev.pillion.metrics.Meters;
import dev.pillion.metrics.ShardMeters;

/** Several processes' slots on one API server; queue and watch answer at once. */
@OnEveryCluster
final class ShardVerticleIT {
    private static final LeaseTimes TIMES = new LeaseTimes(Duration.ofSeconds(4), Duration.ofMillis(500), Duration.ofSeconds(3));

    private final Cluster cluster;
    private final String namespace;
    private final KubernetesClient users;
    private final List<Replica> processes = new ArrayList<>();

    ShardVerticleIT(Cluster cluster) {
        this.cluster = cluster;
        this.namespace = cluster.newNamespace("shard");
        this.users = cluster.client();
    }

    /** One process, without anything but its slots. */
    private final class Replica {
        private final Vertx vertx = Vertx.vertx();
        private final Meters meters = new Meters();
        private final Ownership ownership;
        private final KubeClient kube;
        private final EventRecorder events;
        private final List<Health> health = new CopyOnWriteArrayList<>();
        private final Set<Integer> known = ConcurrentHashMap.newKeySet();
        private final String deployment;

        Replica(String identity, int slots) throws Exception {
            ownership = new Ownership(new Slots(slots), System::nanoTime);
            kube = KubeClient.connect(Optional.of(cluster.kubeconfig()), KubeOptions.defaults(namespace, identity));
            events = kube.events(Clock.systemUTC(), new SplittableRandom());
            BusCodec.register(vertx.eventBus());
            vertx.eventBus().<Health>localConsumer(Addresses.HEALTH, m -> health.add(m.body()));
            vertx.eventBus().<Refresh>localConsumer(Addresses.WATCH,
                    m -> vertx.eventBus().send(Addresses.SHARD, new Refreshed(m.body().epoch())));
            vertx.eventBus().<BusMessage>localConsumer(Addresses.QUEUE, m -> {
                if (m.body() instanceof SlotsChanged changed) {
                    known.stream().filter(s -> !changed.owned().contains(s))
                            .forEach(s -> vertx.eventBus().send(Addresses.SHARD, new SlotDrained(s, changed.epoch())));
                    known.clear();
                    known.addAll(changed.owned());
                }
            });
            deployment = vertx.deployVerticle(new ShardVerticle(new ShardOptions(identity, TIMES), kube.leases(TIMES.request()),
                    new ShardShared(ownership, new LatestSets(), _ -> {
                    }, events, new ShardMeters(meters)), System::nanoTime, Clock.systemUTC())).await(20, TimeUnit.SECONDS);
            processes.add(this);
        }

        Set<Integer> owned() {
            return Set.copyOf(known.stream().filter(slot -> ownership.fence(keyOf(slot)).isOpen()).toList());
        }

        private SetKey keyOf(int slot) {
            return IntStream.iterate(0, i -> i + 1).mapToObj(i -> new SetKey("s" + i)).filter(k -> ownership.slots().of(k) == slot)
                    .findFirst().orElseThrow();
        }

        void stop() throws Exception {
            vertx.undeploy(deployment).await(20, TimeUnit.SECONDS);
        }

        /** As SIGKILL does: nothing is given away. */
        void kill() {
            kube.close();
        }

        void close() throws Exception {
            vertx.close().await(20, TimeUnit.SECONDS);
            events.close();
            kube.close();
            meters.close();
        }
    }

    @AfterEach
    void close() throws Exception {
        for (Replica process : processes) {
            process.close();
        }
        users.leases().inNamespace(namespace).delete();
        users.close();
    }

    private static Set<Integer> all(int slots) {
        return Set.copyOf(IntStream.range(0, slots).boxed().toList());
    }

    private String holder(int slot) {
        return users.leases().inNamespace(namespace).withName("pillion-slot-" + slot).get().getSpec().getHolderIdentity();
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 4})
    void theSecondTakesOverAtOnceWhatTheFirstGivesAway(int slots) throws Exception {
        Replica first = new Replica("first", slots);
        Eventually.until("the first owns everything", () -> first.owned().equals(all(slots)));
        Replica second = new Replica("second", slots);
        assertThat(second.owned()).isEmpty();

        first.stop();
        long begin = System.nanoTime();
        assertThat(first.owned()).isEmpty();
        Eventually.until("the second owns everything", () -> second.owned().equals(all(slots)));

        assertThat(Duration.ofNanos(System.nanoTime() - begin)).isLessThan(Duration.ofSeconds(2));
        assertThat(holder(slots - 1)).isEqualTo("second");
        assertThat(second.meters.scrape()).contains("leader_election_master_status{name=\"pillion-slot-0\"} 1.0");
        assertThat(first.meters.scrape()).contains("leader_election_master_status{name=\"pillion-slot-0\"} 0.0",
                "pillion_slot_losses_total{reason=\"given-away\"} " + slots + ".0");
        Eventually.until("an event tells", () -> users.v1().events().inNamespace(namespace).list().getItems().stream()
                .anyMatch(e -> "second became leader".equals(e.getMessage()) && "Lease".equals(e.getInvolvedObject().getKind())));
    }

    @Test
    void theSecondTakesOverWhenTheFirstIsSilentForTheDuration() throws Exception {
        Replica first = new Replica("first", 1);
        Eventually.until("the first leads", () -> first.ownership.leads());
        Replica second = new Replica("second", 1);

        first.kill();
        long begin = System.nanoTime();
        Eventually.until("the first stops by itself", () -> !first.ownership.leads());
        assertThat(second.ownership.leads()).isFalse();
        Eventually.until("the second leads", () -> second.ownership.leads());

        assertThat(Duration.ofNanos(System.nanoTime() - begin)).isBetween(Duration.ofMillis(3400), Duration.ofSeconds(7));
        assertThat(users.leases().inNamespace(namespace).withName("pillion-slot-0").get().getSpec().getLeaseTransitions()).isEqualTo(1);
    }

    @Test
    void aLeaseDeletedByHandChangesNothing() throws Exception {
        Replica first = new Replica("first", 1);
        Eventually.until("the first leads", () -> first.ownership.leads());
        Replica second = new Replica("second", 1);
        long term = System.nanoTime();

        users.leases().inNamespace(namespace).withName("pillion-slot-0").delete();
        users.leases().inNamespace(namespace).withName("pillion-slots").delete();

        Eventually.until("the Lease is back", () -> "first".equals(holder(0)));
        Eventually.until("and the other one", () -> users.leases().inNamespace(namespace).withName("pillion-slots").get() != null);
        Eventually.until("a whole duration has passed", () -> System.nanoTime() - term > TIMES.duration().multipliedBy(2).toNanos());
        assertThat(first.meters.scrape()).contains("pillion_slot_takeovers_total 1.0");
        assertThat(second.meters.scrape()).doesNotContain("pillion_slot_takeovers_total");
        assertThat(first.ownership.leads()).isTrue();
    }

    @Test
    void whoMeansAnotherNumberOfSlotsWaitsAndSaysSo() throws Exception {
        Replica first = new Replica("first", 1);
        Eventually.until("the first leads", () -> first.ownership.leads());
        Replica other = new Replica("other", 2);

        assertThat(other.health).last().satisfies(h -> {
            assertThat(h.ok()).isFalse();
            assertThat(h.reason()).contains("pillion-slots", "\"1\"", "2 (shard.slots)");
        });
        assertThat(other.meters.scrape()).contains("pillion_slots_mismatch 1.0");
        first.stop();
        assertThat(other.owned()).isEmpty();

        users.leases().inNamespace(namespace).withName("pillion-slots").delete();
        Eventually.until("the other one owns both slots", () -> other.owned().equals(all(2)));
        Eventually.until("all is well", () -> other.health.getLast().ok());
        assertThat(users.leases().inNamespace(namespace).withName("pillion-slots").get().getMetadata().getAnnotations())
                .containsEntry("pillion.dev/slots", "2");
    }

    @Test
    void aHolderWrittenByHandIsOutwaited() throws Exception {
        Replica first = new Replica("first", 1);
        Eventually.until("the first leads", () -> first.ownership.leads());

        users.leases().inNamespace(namespace).withName("pillion-slot-0").patch(PatchContext.of(PatchType.JSON_MERGE),
                "{\"spec\":{\"holderIdentity\":\"somebody\"}}");

        Eventually.until("the first notices", () -> !first.ownership.leads());
        Eventually.until("and leads again", () -> first.ownership.leads());
        assertThat(first.meters.scrape()).contains("pillion_slot_losses_total{reason=\"taken\"} 1.0");
        assertThat(holder(0)).isEqualTo("first");
    }
}
