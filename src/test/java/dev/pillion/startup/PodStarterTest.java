package dev.pillion.startup;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import dev.pillion.api.Json;
import dev.pillion.api.PodKey;
import dev.pillion.bus.BusMessage.Outcome;
import dev.pillion.kube.BarrierMap;
import dev.pillion.kube.KubeException;
import dev.pillion.metrics.Meters;
import dev.pillion.metrics.StartupMeters;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** One look at a Pod while requests fail, others interfere and time passes. */
final class PodStarterTest {
    private static final PodKey KEY = new PodKey("n", "web-0");
    private static final Instant START = Instant.parse("2026-01-01T00:00:00.5Z");
    private static final String GATE = "'readinessGates':[{'conditionType':'KruisePodReady'}]";

    private final FaultyCluster cluster = new FaultyCluster();
    private final AtomicLong nanos = new AtomicLong();
    private final AtomicBoolean mayWrite = new AtomicBoolean(true);
    private final Meters meters = new Meters();
    private final StartupOptions options = StartupOptions.of(EnumSet.allOf(Feature.class));
    private final OpenPods open = new OpenPods(options, cluster);
    private final PodStarter starter = starter(options);

    private PodStarter starter(StartupOptions with) {
        return new PodStarter(cluster.ports(), open, with, new PodStarter.Times(nanos::get, () -> START.plusNanos(nanos.get())),
                new PodStarter.Rights(_ -> mayWrite.get(), new StartupMeters(meters)));
    }

    @AfterEach
    void close() {
        meters.close();
    }

    private void pod(String spec, String status) {
        cluster.put("{'metadata':{'name':'web-0','uid':'u'},'spec':{%s},'status':{%s}}".formatted(spec, status));
        open.judge(KEY);
    }

    private static String containers(String... keys) {
        StringBuilder list = new StringBuilder();
        for (int i = 0; i < keys.length; i++) {
            list.append(i == 0 ? "" : ",").append("""
                    {'name':'c%d','env':[{'name':'KRUISE_CONTAINER_BARRIER',
                     'valueFrom':{'configMapKeyRef':{'name':'web-0-barrier','key':'%s'}}}]}""".formatted(i, keys[i]));
        }
        return "'containers':[" + list + "]";
    }

    private void ready(String... containers) {
        cluster.change(KEY, pod -> {
            var statuses = pod.withObjectProperty("status").putArray("containerStatuses");
            List.of(containers).forEach(name -> statuses.addObject().put("name", name).put("ready", true));
        });
        cluster.watch(KEY);
        open.judge(KEY);
    }

    private void advance(Duration time) {
        nanos.addAndGet(time.toNanos());
    }

    private JsonNode condition() {
        return cluster.pod(KEY).path("status").path("conditions").valueStream()
                .filter(c -> Json.text(c, "type").equals("KruisePodReady")).findFirst().orElse(Json.NODES.missingNode());
    }

    private boolean isCompleted() {
        return cluster.pod(KEY).path("metadata").path("annotations").path("apps.kruise.io/container-launch-priority-completed").asString("")
                .equals("true");
    }

    private Set<String> keys() {
        return cluster.map("web-0-barrier").map(BarrierMap::keys).orElse(Set.of());
    }

    @Test
    void setsTheConditionWithStatusAndTimeOnly() {
        pod(GATE, "");
        assertThat(starter.look(KEY)).isEqualTo(new Outcome.Settled());
        assertThat(condition()).isEqualTo(
                Json.object().put("type", "KruisePodReady").put("status", "True").put("lastTransitionTime", "2026-01-01T00:00:00Z"));
        assertThat(starter.look(KEY)).isEqualTo(new Outcome.Settled());
        assertThat(cluster.log).containsExactly("status web-0");
        assertThat(open.keys()).isEmpty();
    }

    /** Between our view and our write somebody holds the Pod back: a merge over it would set it True under a foreign message. */
    @Test
    void aRivalWhoHoldsThePodBackMeanwhileWins() {
        pod(GATE, "");
        cluster.change(KEY, pod -> pod.withObjectProperty("status").putArray("conditions").addObject().put("type", "KruisePodReady")
                .put("status", "").put("message", "[{\"userAgent\":\"Lifecycle\",\"key\":\"preDeleteHook\"}]"));

        assertThat(starter.look(KEY)).isEqualTo(new Outcome.Settled());

        assertThat(Json.text(condition(), "status")).isEmpty();
        assertThat(Json.text(condition(), "message")).contains("preDeleteHook");
        assertThat(cluster.log).containsExactly("status web-0", "read web-0");
    }

    @Test
    void otherChangesMeanwhileOnlyCostARead() {
        pod(GATE, "");
        cluster.change(KEY, pod -> pod.withObjectProperty("spec").put("nodeName", "node-1"));
        assertThat(starter.look(KEY)).isEqualTo(new Outcome.Settled());
        assertThat(Json.text(condition(), "status")).isEqualTo("True");
    }

    @Test
    void aPodReplacedMeanwhileIsLeftToItsOwnEvents() {
        pod(GATE, "");
        cluster.change(KEY, pod -> ((ObjectNode) pod.path("metadata")).put("uid", "successor"));
        assertThat(starter.look(KEY)).isInstanceOf(Outcome.Again.class);
        assertThat(condition().isMissingNode()).isTrue();
    }

    @Test
    void endlessRivalryEndsInABackOff() {
        pod(GATE, "");
        cluster.before = line -> {
            if (line.startsWith("status")) {
                cluster.change(KEY, pod -> pod.withObjectProperty("spec").put("nodeName", "node-" + nanos.incrementAndGet()));
            }
        };
        assertThat(starter.look(KEY)).isEqualTo(new Outcome.Failed("conflict"));
        cluster.before = _ -> {
        };
        assertThat(starter.look(KEY)).isEqualTo(new Outcome.Settled());
    }

    @Test
    void podsBeingDeletedAndGoneOnesAreLeft() {
        cluster.put("{'metadata':{'name':'web-0','uid':'u','deletionTimestamp':'2026-01-01T00:00:00Z'},'spec':{%s,%s}}"
                .formatted(GATE, containers("p_1", "p_0")));
        assertThat(starter.look(KEY)).isEqualTo(new Outcome.Settled());
        assertThat(starter.look(new PodKey("n", "nobody"))).isEqualTo(new Outcome.Settled());
        assertThat(cluster.log).isEmpty();
        assertThat(open.keys()).isEmpty();
    }

    /** What keeps one half from working must not keep the other. */
    @Test
    void aFailingGateHoldsUpNoBarrierAndTheOtherWayRound() {
        pod(GATE + "," + containers("p_1", "p_0"), "");
        cluster.before = line -> {
            if (line.startsWith("status")) {
                throw FaultyCluster.unavailable();
            }
        };
        assertThat(starter.look(KEY)).isEqualTo(new Outcome.Failed("unavailable"));
        assertThat(keys()).containsExactly("p_1");

        cluster.before = line -> {
            if (line.endsWith("map")) {
                throw new IllegalStateException("a fault of ours");
            }
        };
        ready("c0");
        advance(Duration.ofMinutes(1));
        assertThat(starter.look(KEY)).isEqualTo(new Outcome.Failed("fault"));
        assertThat(Json.text(condition(), "status")).isEqualTo("True");
        assertThat(meters.scrape()).contains("pillion_startup_errors_total{reason=\"fault\"} 1.0",
                "pillion_startup_errors_total{reason=\"unavailable\"} 1.0",
                "pillion_startup_writes_total{result=\"unavailable\",what=\"ready\"} 1.0");
    }

    @Test
    void servesOnlyWhatIsSwitchedOn() {
        pod(GATE + "," + containers("p_1", "p_0"), "");
        starter(StartupOptions.of(Set.of(Feature.READINESS_GATE))).look(KEY);
        assertThat(cluster.log).containsExactly("status web-0");
        cluster.log.clear();
        pod(GATE + "," + containers("p_1", "p_0"), "");
        starter(StartupOptions.of(Set.of(Feature.LAUNCH_PRIORITY))).look(KEY);
        assertThat(cluster.log).containsExactly("get map", "create map");
    }

    /** Trap 13: one read for a start, then own answers are enough. */
    @Test
    void readsTheConfigMapOnceAndWritesEachKeyOnce() {
        pod(containers("p_2", "p_1", "p_0"), "");
        assertThat(starter.look(KEY)).isEqualTo(new Outcome.Again(options.lookAgain()));
        starter.look(KEY);
        ready("c0");
        starter.look(KEY);
        starter.look(KEY);
        ready("c0", "c1");

        assertThat(starter.look(KEY)).isEqualTo(new Outcome.Settled());
        assertThat(cluster.log).containsExactly("get map", "create map", "add p_1", "add p_0", "patch web-0");
        assertThat(isCompleted()).isTrue();
    }

    @Test
    void anAnswerThatWasLostIsNoHarm() {
        pod(containers("p_1", "p_0"), "");
        cluster.before = line -> {
            if (line.equals("create map")) {
                cluster.put(new BarrierMap("n", "web-0-barrier", "m", Set.of("p_1"), List.of(new BarrierMap.Owner("Pod", "u")), false));
                throw new KubeException(0, "Timeout", false, "no answer");
            }
        };
        assertThat(starter.look(KEY)).isEqualTo(new Outcome.Failed("unavailable"));
        assertThat(starter.look(KEY)).isEqualTo(new Outcome.Again(options.lookAgain()));
        assertThat(keys()).containsExactly("p_1");
    }

    @Test
    void somebodyElseMayCreateItFirst() {
        pod(containers("p_1", "p_0"), "");
        cluster.before = line -> {
            if (line.equals("create map")) {
                cluster.put(new BarrierMap("n", "web-0-barrier", "m", Set.of(), List.of(new BarrierMap.Owner("Pod", "u")), false));
            }
        };
        assertThat(starter.look(KEY)).isInstanceOf(Outcome.Again.class);
        assertThat(keys()).containsExactly("p_1");
        assertThat(cluster.log).containsExactly("get map", "create map", "get map", "add p_1");
    }

    @Test
    void aReplacedOrLostConfigMapIsNoticedByTheNextWrite() {
        pod(containers("p_2", "p_1", "p_0"), "");
        starter.look(KEY);
        cluster.removeMap("web-0-barrier");
        ready("c0");
        starter.look(KEY);
        assertThat(keys()).containsExactlyInAnyOrder("p_2", "p_1");

        cluster.put(new BarrierMap("n", "web-0-barrier", "other", Set.of("p_0"), List.of(new BarrierMap.Owner("Pod", "predecessor")),
                false));
        ready("c0", "c1");
        starter.look(KEY);
        assertThat(keys()).containsExactlyInAnyOrder("p_2", "p_1", "p_0");
        assertThat(cluster.map("web-0-barrier").orElseThrow().uid()).isNotEqualTo("other");
        assertThat(isCompleted()).isTrue();
    }

    @Test
    void aFailedCompletionIsTriedAgain() {
        pod(containers("p_1", "p_0"), "'containerStatuses':[{'name':'c0','ready':true}]");
        cluster.before = line -> {
            if (line.startsWith("patch")) {
                throw FaultyCluster.unavailable();
            }
        };
        assertThat(starter.look(KEY)).isEqualTo(new Outcome.Failed("unavailable"));
        cluster.before = _ -> {
        };
        assertThat(starter.look(KEY)).isEqualTo(new Outcome.Settled());
        assertThat(isCompleted()).isTrue();
    }

    /** A container that does not find its key may know better than our last read. */
    @Test
    void looksAgainSoonWhenAKeyIsMissedAndLaterWhenNothingMoves() {
        pod(containers("p_1", "p_0"), "'containerStatuses':[{'name':'c0','state':{'waiting':{'reason':'CreateContainerConfigError'}}}]");
        assertThat(starter.look(KEY)).isEqualTo(new Outcome.Again(options.keySeen()));
        cluster.removeMap("web-0-barrier");
        advance(options.keySeen().minusNanos(1));
        starter.look(KEY);
        assertThat(keys()).isEmpty();
        advance(Duration.ofNanos(1));
        assertThat(starter.look(KEY)).isEqualTo(new Outcome.Again(options.keySeen()));
        assertThat(keys()).containsExactly("p_1");

        advance(Duration.ofMinutes(2));
        assertThat(starter.look(KEY)).isEqualTo(new Outcome.Again(Duration.ofMinutes(2).plus(options.keySeen())));
        advance(Duration.ofHours(2));
        assertThat(starter.look(KEY)).isEqualTo(new Outcome.Again(options.lookAgainMost()));
    }

    /** Trap 9. */
    @Test
    void tellsOfALaunchThatDoesNotGoOnNowAndThen() {
        pod(containers("p_1", "p_0"), "'containerStatuses':[{'name':'c0','state':{'terminated':{'exitCode':0}}}]");
        starter.look(KEY);
        advance(options.patience().minusSeconds(1));
        starter.look(KEY);
        assertThat(cluster.events).isEmpty();
        advance(Duration.ofSeconds(1));
        starter.look(KEY);
        assertThat(cluster.events).singleElement().asString()
                .startsWith("WARNING LaunchPriorityBlocked n/web-0: launch priority: container c1 not started, waiting for container c0")
                .contains("5 minutes", "container c0 ended and never becomes ready");

        for (int i = 0; i < 20; i++) {
            advance(Duration.ofMinutes(1));
            starter.look(KEY);
        }
        assertThat(cluster.events).as("after 5, 10 and 20 of 25 minutes").hasSize(3);
        ready("c0");
        starter.look(KEY);
        assertThat(isCompleted()).isTrue();
    }

    @Test
    void anInstanceThatLostItsRightWritesNothing() {
        pod(GATE + "," + containers("p_1", "p_0"), "");
        mayWrite.set(false);
        assertThat(starter.look(KEY)).isInstanceOf(Outcome.Failed.class);
        assertThat(cluster.log).containsExactly("get map");
        assertThat(open.keys()).containsExactly(KEY);
    }

    @Test
    void tellsOnceOfAGateThatStaysClosed() {
        pod(GATE, "'conditions':[{'type':'KruisePodReady','status':'False','lastTransitionTime':'2026-01-01T00:00:00Z','message':'[{}]'}]");
        assertThat(starter.look(KEY)).isEqualTo(new Outcome.Again(options.patience().minusMillis(500)));
        assertThat(meters.scrape()).contains("pillion_startup_unready_gates{writer=\"other\"} 0.0");
        advance(options.patience());
        assertThat(starter.look(KEY)).isEqualTo(new Outcome.Settled());
        assertThat(meters.scrape()).contains("pillion_startup_unready_gates{writer=\"other\"} 1.0");
        assertThat(cluster.log).isEmpty();
    }
}
