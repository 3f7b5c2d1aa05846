package dev.pillion.app;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import dev.pillion.api.Json;
import dev.pillion.api.PodView;
import dev.pillion.app.ClusterCommands.Ended;
import dev.pillion.cli.Manifests;
import dev.pillion.cli.Manual;
import dev.pillion.it.Cluster;
import dev.pillion.it.Eventually;
import dev.pillion.it.OnEveryCluster;
import dev.pillion.kube.KubeClient;
import dev.pillion.kube.KubeOptions;
import dev.pillion.podmeta.PodViews;
import dev.pillion.sandbox.FreePorts;
import dev.pillion.sim.SimOptions;
import dev.pillion.sim.SimOptions.Delay;
import dev.pillion.sim.Simulators;

import tools.jackson.databind.node.ObjectNode;

/** The manual's session with a cluster prints what the page says, ages and times apart. */
@OnEveryCluster
final class ManualIT {
    private static final Path PAGE = Path.of("src", "docs", "cli.md");
    private static final Duration PATIENCE = Duration.ofSeconds(90);
    private static final Pattern WRITES = Pattern.compile("(kubectl apply|pillion undo|pillion rollout).*");

    private final Cluster cluster;
    private final ClusterCommands pillion;
    private final KubeClient client;
    @TempDir
    private Path folder;
    private @Nullable Simulators simulators;
    private @Nullable AutoCloseable controller;

    ManualIT(Cluster cluster) {
        this.cluster = cluster;
        this.pillion = new ClusterCommands(cluster);
        this.client = KubeClient.connect(Optional.of(cluster.kubeconfig()), KubeOptions.defaults("kruise-system", "test"));
    }

    @BeforeEach
    void start() throws Exception {
        Scenario.prepare(cluster);
        client.objects().apply((ObjectNode) Json.read("{\"apiVersion\":\"v1\",\"kind\":\"Namespace\",\"metadata\":{\"name\":\"shop\"}}"));
        simulators = Simulators.start(Optional.of(cluster.kubeconfig()), SimOptions.defaults()
                .withDelays(Delay.of(10, 50), Delay.of(50, 100), Delay.of(10, 50)).withNeverReady(Pattern.compile(".*log-agent:2")));
        controller = Main.startController(cluster.controllerKubeconfig("kruise-system"),
                List.of("--webhook-url=https://127.0.0.1:" + FreePorts.next(), "--metrics.port=0"));
    }

    @AfterEach
    void stop() throws Exception {
        if (controller != null) {
            controller.close();
        }
        if (simulators != null) {
            simulators.close();
        }
        client.close();
    }

    @Test
    void theSessionPrintsWhatThePageSays() throws Exception {
        Manual manual = Manual.read(PAGE);
        manual.writeFiles(folder);
        List<String> outputs = new ArrayList<>();
        assertThat(manual.steps(Manual.Place.CLUSTER)).hasSizeGreaterThan(10);
        for (Manual.Step step : manual.steps(Manual.Place.CLUSTER)) {
            if (Manual.refreshes()) {
                outputs.add(settled(manual, step));
            } else if (WRITES.matcher(step.command()).matches()) {
                assertThat(alike(run(manual, step))).as(step.command()).isEqualTo(alike(step.output()));
            } else {
                Eventually.until(step.command() + " prints" + System.lineSeparator() + alike(step.output()), PATIENCE,
                        () -> alike(run(manual, step)), text -> text.equals(alike(step.output())));
            }
        }
        if (Manual.refreshes()) {
            manual.refresh(Manual.Place.CLUSTER, outputs);
        }
    }

    /** By hand only: the output once it stays the same. */
    private String settled(Manual manual, Manual.Step step) throws IOException {
        if (WRITES.matcher(step.command()).matches()) {
            return run(manual, step);
        }
        List<String> seen = new ArrayList<>();
        return Eventually.until(step.command() + " settles", PATIENCE, () -> {
            seen.add(run(manual, step));
            return seen.getLast();
        }, _ -> seen.size() > 25 && seen.subList(seen.size() - 20, seen.size()).stream().map(ManualIT::alike).distinct().count() == 1);
    }

    private String run(Manual manual, Manual.Step step) throws IOException {
        String[] arguments = manual.arguments(step.command(), folder);
        if (step.command().startsWith("kubectl apply -f ")) {
            return apply(Path.of(arguments[2]));
        }
        Ended ended = pillion.run(arguments);
        return Manual.inFolder(ended.out() + ended.err(), folder);
    }

    /** What kubectl does here, and what it would print of it. */
    private String apply(Path file) throws IOException {
        StringBuilder printed = new StringBuilder();
        for (ObjectNode object : Manifests.read(file)) {
            String kind = Json.text(object, "kind");
            String name = Json.text(object.path("metadata"), "name");
            boolean known = client.objects()
                    .get(Json.text(object, "apiVersion"), kind, Json.text(object.path("metadata"), "namespace"), name).isPresent();
            Eventually.until(kind + " " + name + " is taken", () -> client.objects().apply(object), o -> !o.isEmpty());
            if (kind.equals("Pod")) {
                awaitNextSecond(name);
            } else {
                awaitObserved(name);
            }
            printed.append(kind.equals("Pod") ? "pod/" : "sidecarset.apps.kruise.io/").append(name)
                    .append(known ? " configured\n" : " created\n");
        }
        return printed.toString();
    }

    /** A person types slower than the controller records the revision, which pods created before would not name. */
    private void awaitObserved(String set) {
        Eventually.until("the controller looked at SidecarSet " + set, PATIENCE,
                () -> client.objects().get("apps.kruise.io/v1beta1", "SidecarSet", "", set).orElseThrow(),
                o -> o.at("/status/observedGeneration").toString().equals(o.at("/metadata/generation").toString()));
    }

    /** The Pod that became ready last is updated first, and ready times are whole seconds. */
    private void awaitNextSecond(String pod) {
        Optional<PodView.ReadyCondition> ready = Eventually.until("Pod " + pod + " is ready", PATIENCE,
                () -> PodViews.of(client.reads().pod("shop", pod).orElseThrow()).ready(), r -> r.isPresent() && r.get().isTrue());
        Instant since = ready.orElseThrow().lastTransition().orElseThrow();
        Eventually.until("the next second", () -> Instant.now().isAfter(since.plusSeconds(1)));
    }

    /** Without what differs from run to run; the width of columns depends on it too. */
    private static String alike(String text) {
        return text.replaceAll("\\b\\d+[smhd]\\b", "AGE").replaceAll("\\d{4}-\\d\\d-\\d\\dT[0-9:.]+Z", "TIME")
                .replaceAll(" +", " ").strip();
    }
}
