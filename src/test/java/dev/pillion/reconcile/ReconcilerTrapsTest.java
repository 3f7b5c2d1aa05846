package dev.pillion.reconcile;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

import dev.pillion.api.Json;
import dev.pillion.api.Revision;
import dev.pillion.api.Wire;
import dev.pillion.bus.BusMessage.Outcome;
import dev.pillion.match.SetIndex;
import dev.pillion.revision.RevisionData;
import dev.pillion.revision.RevisionName;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** Traps of rollout.md 16.2 that only show in a whole reconcile. */
class ReconcilerTrapsTest {
    private final ReconcileFixture fixture = new ReconcileFixture();
    private final FaultyKube kube = fixture.kube;
    private final ListAppender<ILoggingEvent> log = new ListAppender<>();

    @BeforeEach
    void listen() {
        log.start();
        ours().setLevel(Level.INFO);
        ours().addAppender(log);
    }

    @AfterEach
    void close() {
        ours().detachAppender(log);
        ours().setLevel(null);
        fixture.close();
    }

    private static Logger ours() {
        return (Logger) LoggerFactory.getLogger("dev.pillion.reconcile");
    }

    private List<String> logged(String text) {
        return log.list.stream().map(ILoggingEvent::getFormattedMessage).filter(m -> m.contains(text)).toList();
    }

    /** H: another set says no while this one does; both entries are there in the end. */
    @Test
    void aMarkThatLosesARaceKeepsTheOthersEntry() {
        fixture.given(ReconcileFixture.set("v2", "h2", 1, 2, "other-w"), "p1");
        AtomicInteger times = new AtomicInteger();
        kube.before = line -> {
            if (line.equals("status p1") && times.incrementAndGet() == 1) {
                kube.change(ReconcileFixture.key("p1"), pod -> condition(pod, "{\"b\":false}"));
            }
        };
        fixture.latest.put(fixture.latest.get().next(new SetIndex.Content(
                List.of(kube.stored("a"), kube.put((ObjectNode) Json.read("{\"metadata\":{\"name\":\"b\",\"uid\":\"u\"},\"spec\":{}}"))),
                List.of(), List.of(), Optional.empty())));

        fixture.reconcile();

        assertThat(message("p1")).isEqualTo("{\"a\":false,\"b\":false}");
    }

    private static void condition(ObjectNode pod, String message) {
        ((ObjectNode) pod.path("status")).withArray("conditions").addObject().put("type", Wire.UPGRADABLE_CONDITION).put("status", "False")
                .put("reason", "UpdateImmutableField").put("message", message);
    }

    private String message(String pod) {
        for (JsonNode condition : kube.pod(ReconcileFixture.key(pod)).path("status").path("conditions")) {
            if (Json.text(condition, "type").equals(Wire.UPGRADABLE_CONDITION)) {
                return Json.text(condition, "message");
            }
        }
        return "";
    }

    /** M: what an upgrade cannot carry over is at least told. */
    @Test
    void aDamagedHashAnnotationIsLoggedWhenItsEntriesAreLost() {
        fixture.given(2, "p1", "p2");
        kube.change(ReconcileFixture.key("p1"),
                pod -> ((ObjectNode) pod.path("metadata").path("annotations")).put(Wire.HASH, "{\"a\":{\"hash\":\"h1\"}, \"b\":"));
        kube.watch();

        fixture.reconcile();

        assertThat(fixture.image("p1")).isEqualTo("r.io/log:v2");
        assertThat(logged("entries of other sets are lost")).hasSize(1);
    }

    /** N: a revision of the deleted set of the same name is about to be collected; using it would leave latestRevision dangling. */
    @Test
    void aRevisionOfAnOlderSetOfTheNameIsWaitedFor() {
        ObjectNode set = ReconcileFixture.set("v2", "h2", 1, 2);
        String data = RevisionData.of(set.path("spec"));
        String name = "a-" + RevisionName.hash(data, 0);
        Revision older = new Revision(name, "", "", 1, "", Map.of(Wire.SET_NAME_LABEL, "a"), Map.of(), data, Optional.of("older-uid"));
        kube.keep(older);
        fixture.given(set, "p1");

        assertThat(fixture.reconcile()).isEqualTo(new Outcome.Again(Duration.ofSeconds(1)));
        assertThat(kube.lines("patch")).isEmpty();
        kube.revisions.delete(older);
        assertThat(fixture.reconcile()).isNotInstanceOf(Outcome.Failed.class);
        assertThat(kube.lines("patch")).hasSize(1);
        assertThat(kube.stored("a").status().latestRevision()).isEqualTo(name);
    }

    /** R: in-use revisions beyond the limit are told once, not in every reconcile. */
    @Test
    void aHistoryThatCannotBeShortenedIsLoggedOnce() {
        ObjectNode set = ReconcileFixture.set("v2", "h2", 1, 2);
        ((ObjectNode) set.path("spec")).put("revisionHistoryLimit", 1);
        kube.keep(new Revision("a-old", "", "", 1, "", Map.of(Wire.SET_NAME_LABEL, "a"), Map.of(), "{}", Optional.of("uid-a")));
        ((ObjectNode) set.path("spec").path("updateStrategy")).put("paused", true);
        fixture.given(set, "p1");
        kube.change(ReconcileFixture.key("p1"), pod -> ((ObjectNode) pod.path("metadata").path("annotations")).put(Wire.HASH,
                "{\"a\":{\"hash\":\"h0\",\"controllerRevision\":\"a-old\"}}"));
        kube.watch();

        fixture.reconcile();
        fixture.later(Duration.ofSeconds(4));
        fixture.reconcile();

        assertThat(kube.lines("delete revision")).isEmpty();
        assertThat(logged("more revisions than revisionHistoryLimit")).hasSize(1);
    }
}
