package dev.pillion.app;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

import dev.pillion.api.Json;
import dev.pillion.api.PodView;
import dev.pillion.it.RawHttp;
import dev.pillion.podmeta.PodViews;

import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** The node of a {@link Trial}: reports what the test says its containers do. */
final class HandNode {
    private final RawHttp http;
    private final Trial trial;

    HandNode(RawHttp http, Trial trial) {
        this.http = http;
        this.trial = trial;
    }

    /** How one container is; by default it is ready and runs the spec's image. */
    private record Run(Optional<String> image, Optional<String> imageId, boolean ready, int restarts) {
        static final Run PLAIN = new Run(Optional.empty(), Optional.empty(), true, 0);
    }

    /** All containers run what the spec says, and the Pod is ready. */
    void run(String pod) {
        report(pod).send();
    }

    /** Whether the node has nothing to do. */
    boolean runs(PodView pod) {
        return !pod.isActive() || (pod.isReady() && pod.containers().stream().allMatch(
                c -> pod.statuses().stream().anyMatch(s -> s.name().equals(c.name()) && s.image().equals(c.image()) && s.ready())));
    }

    Report report(String pod) {
        return new Report(pod);
    }

    /** A status to be sent. */
    final class Report {
        private final String pod;
        private final Map<String, Run> runs = new LinkedHashMap<>();
        private String phase = "Running";
        private Optional<Boolean> ready = Optional.empty();
        private String since = Instant.now().truncatedTo(ChronoUnit.SECONDS).toString();

        private Report(String pod) {
            this.pod = pod;
        }

        Report phase(String wanted) {
            phase = wanted;
            return this;
        }

        /** The container waits: its image does not come, or it fails. It goes on telling of this image. */
        Report broken(String container, String stillImage) {
            runs.put(container, new Run(Optional.of(stillImage), Optional.of(id(stillImage)), false, 0));
            return this;
        }

        /** Ready, and it tells of this image and id. */
        Report tells(String container, String image, String imageId) {
            runs.put(container, new Run(Optional.of(image), Optional.of(imageId), true, 0));
            return this;
        }

        Report restarts(String container, int count) {
            runs.put(container, new Run(Optional.empty(), Optional.empty(), true, count));
            return this;
        }

        Report readySince(String time) {
            since = time;
            return this;
        }

        /** Some readiness that does not follow from the containers, such as a readiness gate's. */
        Report notReady() {
            ready = Optional.of(false);
            return this;
        }

        void send() {
            PodView view = PodViews.of(trial.read(pod));
            ObjectNode body = Json.object();
            ObjectNode status = body.putObject("status").put("phase", phase);
            ArrayNode statuses = status.putArray("containerStatuses");
            boolean all = true;
            for (PodView.Container container : view.containers()) {
                Run run = runs.getOrDefault(container.name(), Run.PLAIN);
                String image = run.image.orElse(container.image());
                ObjectNode one = statuses.addObject().put("name", container.name()).put("image", image)
                        .put("imageID", run.imageId.orElse(id(image))).put("ready", run.ready).put("restartCount", run.restarts);
                one.putObject("state");
                all &= run.ready;
            }
            status.putArray("conditions").addObject().put("type", "Ready")
                    .put("status", ready.orElse(all && phase.equals("Running")) ? "True" : "False").put("lastTransitionTime", since);
            RawHttp.Answer answer = http.send("PATCH", trial.path(pod) + "/status", "application/strategic-merge-patch+json",
                    Json.write(body));
            assertThat(answer.code()).as(answer.message()).isEqualTo(200);
        }
    }

    private static String id(String image) {
        return "registry.example/id@sha256:" + Integer.toHexString(image.hashCode()).repeat(8).substring(0, 8).repeat(8);
    }
}
