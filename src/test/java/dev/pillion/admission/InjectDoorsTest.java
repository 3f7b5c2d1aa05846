package dev.pillion.admission;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Optional;

import org.junit.jupiter.api.Test;

import io.fabric8.zjsonpatch.JsonPatch;

import dev.pillion.api.Json;
import dev.pillion.api.Revision;
import dev.pillion.api.SidecarSet;
import dev.pillion.bus.LatestSets;
import dev.pillion.check.CheckOptions;
import dev.pillion.cli.CommandSettings;
import dev.pillion.cli.Commands;
import dev.pillion.conformance.JsonDiff;
import dev.pillion.conformance.Vectors;
import dev.pillion.inject.InjectOptions;
import dev.pillion.inject.Moment;
import dev.pillion.kube.KubeObjects;
import dev.pillion.match.NamespaceView;
import dev.pillion.match.SetIndex;
import dev.pillion.metrics.Meters;
import dev.pillion.metrics.WebhookMeters;
import dev.pillion.rollout.RolloutOptions;
import dev.pillion.validate.ValidateOptions;

import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** The webhook and "pillion inject" are two doors to one function: every recorded Pod leaves both of them the same. */
final class InjectDoorsTest {
    private static final Instant NOW = Instant.parse("2031-07-08T09:10:11Z");
    private static final Moment MOMENT = new Moment(NOW, 0.5, "abcde");

    @Test
    void everyRecordedPodLeavesBothDoorsTheSame() {
        List<String> failures = new ArrayList<>();
        int compared = 0;
        for (Vectors.Case c : Vectors.of("inject")) {
            JsonNode request = c.input().path("request");
            if (!Json.text(request, "operation").equals("CREATE") || request.has("subResource")) {
                continue;
            }
            Optional<ObjectNode> webhook = throughWebhook(c.input());
            Optional<ObjectNode> command = throughCommand(c.input());
            compared++;
            if (!webhook.equals(command)) {
                failures.add(c.id() + ": " + JsonDiff.first(tree(webhook), tree(command)));
            }
        }
        assertThat(failures).isEmpty();
        assertThat(compared).isGreaterThan(700);
    }

    private static JsonNode tree(Optional<ObjectNode> pod) {
        return pod.<JsonNode>map(p -> p).orElse(Json.NODES.stringNode("refused"));
    }

    private static InjectOptions options(JsonNode input) {
        boolean sorts = input.path("featureGates").path("EnableSortSidecarContainerByName").asBoolean(false);
        return InjectOptions.PILLION.with(InjectOptions.SameName.REPLACE,
                sorts ? InjectOptions.Sort.BY_NAME : InjectOptions.Sort.AS_WRITTEN, InjectOptions.ReadinessGate.OWNED,
                InjectOptions.LaunchPriority.ON);
    }

    /** Empty when the Pod is refused. */
    private static Optional<ObjectNode> throughWebhook(JsonNode input) {
        JsonNode request = input.path("request");
        ObjectNode pod = (ObjectNode) request.path("pod");
        WebhookMeters meters = new WebhookMeters(new Meters());
        Webhooks webhooks = new Webhooks(new WebhookOptions("kruise-system", options(input), ValidateOptions.PILLION), new NothingElse(),
                () -> MOMENT, meters, (_, _) -> {
                }, new HoldBack(new LatestSets(), new Gate(1, 100_000), meters, Duration.ofSeconds(8), () -> 0));
        ObjectNode review = ReviewTexts.pod("CREATE", Json.write(pod));
        ((ObjectNode) review.path("request")).put("namespace", Json.text(request, "namespace"));
        JsonNode response = response(webhooks, "/mutate-pod", review, index(webhooks, input));
        return response.path("allowed").booleanValue() ? Optional.of(patched(response, pod)) : Optional.empty();
    }

    private static JsonNode response(Webhooks webhooks, String path, ObjectNode review, SetIndex index) {
        Reply reply = webhooks.answer(path, ReviewTexts.bytes(review), Optional.of(index)).toCompletableFuture().join();
        return Json.read(reply.body()).path("response");
    }

    private static ObjectNode patched(JsonNode response, ObjectNode object) {
        byte[] patch = Base64.getDecoder().decode(Json.text(response, "patch"));
        return patch.length == 0 ? object : (ObjectNode) JsonPatch.apply(Json.read(patch), object.deepCopy());
    }

    /** Sets as they are after their own webhook. */
    private static SetIndex index(Webhooks webhooks, JsonNode input) {
        List<SidecarSet> sets = new ArrayList<>();
        for (JsonNode set : input.path("sidecarSets")) {
            ObjectNode review = ReviewTexts.set("CREATE", "v1beta1", Json.write(set));
            JsonNode response = response(webhooks, "/mutate-apps-kruise-io-sidecarset", review, SetIndex.EMPTY);
            assertThat(response.path("allowed").booleanValue()).as(response.toString()).isTrue();
            sets.add(SidecarSet.of(patched(response, (ObjectNode) set)));
        }
        List<NamespaceView> namespaces = new ArrayList<>();
        input.path("namespaces").forEach(n -> namespaces.add(KubeObjects.namespace((ObjectNode) n)));
        List<Revision> revisions = new ArrayList<>();
        input.path("controllerRevisions").forEach(r -> revisions.add(KubeObjects.revision((ObjectNode) r)));
        return SetIndex.of(new SetIndex.Content(sets, namespaces, revisions, Optional.empty()));
    }

    private static Optional<ObjectNode> throughCommand(JsonNode input) {
        StringBuilder objects = new StringBuilder();
        for (String list : List.of("sidecarSets", "namespaces", "controllerRevisions")) {
            for (JsonNode object : input.path(list)) {
                objects.append(Json.write(object)).append("\n---\n");
            }
        }
        ObjectNode pod = ((ObjectNode) input.path("request").path("pod")).deepCopy();
        objects.append(Json.write(pod.put("apiVersion", "v1").put("kind", "Pod")));
        StringWriter out = new StringWriter();
        StringWriter err = new StringWriter();
        CommandLine root = new CommandLine(CommandSpec.create().name("pillion"));
        Commands.all(new Commands.Outside(() -> new Fixed(options(input)),
                new ByteArrayInputStream(objects.toString().getBytes(StandardCharsets.UTF_8)), () -> MOMENT)).forEach(root::addSubcommand);
        root.setOut(new PrintWriter(out)).setErr(new PrintWriter(err));
        int code = root.execute("inject", "-f", "-", "-o", "json", "-n", Json.text(input.path("request"), "namespace"));
        if (code == 1) {
            return Optional.empty();
        }
        assertThat(code).as(err.toString()).isIn(0, 2);
        ObjectNode result = (ObjectNode) Json.read(out.toString());
        ObjectNode original = (ObjectNode) input.path("request").path("pod");
        for (String member : List.of("apiVersion", "kind")) {
            if (!original.has(member)) {
                result.remove(member);
            }
        }
        return Optional.of(result);
    }

    private record Fixed(InjectOptions inject) implements CommandSettings.Source {
        @Override
        public void addTo(CommandSpec spec) {
            // No setting is given here.
        }

        @Override
        public CommandSettings read(Optional<Path> file, CommandLine command) {
            return new CommandSettings("kruise-system", Duration.ofSeconds(1), inject, ValidateOptions.PILLION, RolloutOptions.PILLION,
                    new CommandSettings.Serving(Duration.ofSeconds(8), CheckOptions.Certificates.OWN));
        }
    }
}
