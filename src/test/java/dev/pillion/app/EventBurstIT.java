package dev.pillion.app;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import dev.pillion.api.Json;
import dev.pillion.it.Cluster;
import dev.pillion.it.Eventually;
import dev.pillion.it.OnEveryCluster;
import dev.pillion.it.RawHttp;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * While many events of Pods and sets come, every Pod that is created meanwhile gets its sidecar, and no event is lost (FR-64). How long a
 * review takes then is measured by "bench events".
 */
@OnEveryCluster
final class EventBurstIT {
    private static final String SET = "burst";
    private static final int PODS = 30;
    private static final int CHANGES_PER_POD = 24;
    private static final int WRITERS = 6;
    private static final int ASKERS = 3;

    private final PodApi api;
    private final AtomicInteger writing = new AtomicInteger(WRITERS + 1);

    EventBurstIT(Cluster cluster) throws Exception {
        this.api = PodApi.start(cluster, "--status.min-interval=50ms");
    }

    @AfterEach
    void close() {
        api.close();
    }

    @Test
    void admitsEveryPodAndLosesNoEvent() throws Exception {
        api.set(SET, "{'containers':[{'name':'agent','image':'registry.example/agent:1'}]}");
        List<ObjectNode> pods = new ArrayList<>();
        for (int i = 0; i < PODS; i++) {
            pods.add(api.create(SET, "{}"));
        }

        List<Future<Integer>> reviews = new ArrayList<>();
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            List<Future<?>> writers = new ArrayList<>();
            for (int i = 0; i < WRITERS; i++) {
                int lane = i;
                writers.add(threads.submit(() -> untilDone(() -> changePods(pods, lane))));
            }
            writers.add(threads.submit(() -> untilDone(this::changeSet)));
            for (int i = 0; i < ASKERS; i++) {
                reviews.add(threads.submit(this::askUntilAllIsWritten));
            }
            for (Future<?> writer : writers) {
                writer.get();
            }
            for (Future<Integer> review : reviews) {
                assertThat(review.get()).isPositive();
            }
        }

        Eventually.until("the status counts the Pods that are ready", () -> api.sets().read(SetApi.BETA, SET).path("status"),
                s -> s.path("matchedPods").asInt(0) == PODS && s.path("readyPods").asInt(0) == PODS / 2);
    }

    private Void untilDone(Callable<Void> work) throws Exception {
        try {
            return work.call();
        } finally {
            writing.decrementAndGet();
        }
    }

    /** Every Pod of the lane is ready and not ready in turn; in the end every other Pod is ready. */
    private Void changePods(List<ObjectNode> pods, int lane) {
        for (int change = 0; change < CHANGES_PER_POD; change++) {
            for (int pod = lane; pod < pods.size(); pod += WRITERS) {
                boolean last = change == CHANGES_PER_POD - 1;
                String ready = (last ? pod : change) % 2 == 0 ? "True" : "False";
                RawHttp.Answer answer = api.http().send("PATCH",
                        PodApi.pods(api.namespace()) + "/" + Json.text(pods.get(pod).path("metadata"), "name") + "/status",
                        "application/strategic-merge-patch+json", """
                                {"status":{"phase":"Running","conditions":[{"type":"Ready","status":"%s"}],"containerStatuses":[
                                {"name":"agent","image":"registry.example/agent:1","imageID":"agent@sha256:1","ready":%s,"restartCount":0},
                                {"name":"app","image":"app:1","imageID":"app@sha256:1","ready":true,"restartCount":%d}]}}"""
                                .formatted(ready, ready.equals("True"), change));
                assertThat(answer.code()).as(answer.message()).isEqualTo(200);
            }
        }
        return null;
    }

    /** Each change is a new index of all sets for admission. */
    private Void changeSet() {
        for (int change = 0; change < PODS; change++) {
            RawHttp.Answer answer = api.http().merge(SetApi.path(SetApi.BETA, SET),
                    "{\"metadata\":{\"annotations\":{\"example.com/change\":\"" + change + "\"}}}");
            assertThat(answer.code()).as(answer.message()).isEqualTo(200);
        }
        return null;
    }

    private int askUntilAllIsWritten() throws Exception {
        int asked = 0;
        while (writing.get() > 0) {
            JsonNode response = api.review(PodApi.manifest(SET, "{}"));
            String patch = Json.text(response, "patch");
            assertThat(response.path("allowed").booleanValue()).as(response.toString()).isTrue();
            assertThat(new String(Base64.getDecoder().decode(patch), StandardCharsets.UTF_8))
                    .contains("registry.example/agent:1");
            asked++;
        }
        return asked;
    }
}
