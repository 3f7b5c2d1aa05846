package dev.pillion.rollout;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;

import dev.pillion.api.Json;
import dev.pillion.api.PodKey;
import dev.pillion.api.PodView;
import dev.pillion.api.Revision;
import dev.pillion.api.SetStatus;
import dev.pillion.api.SidecarSet;
import dev.pillion.api.Wire;
import dev.pillion.podmeta.PodViews;
import dev.pillion.revision.History;
import dev.pillion.revision.RevisionOptions;
import dev.pillion.revision.Step;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Replays a recorded roll-out as the reference carries it out: decisions one after another, stopping at the first refused write, with
 * expectations for every write.
 */
final class Replay {
    private static final String NAMESPACE = "default";

    private final JsonNode input;
    private final RolloutOptions options;
    private final TreeMap<PodKey, ObjectNode> pods = new TreeMap<>();
    private final Map<String, Revision> revisions = new HashMap<>();
    private final Expectations expectations = new Expectations();
    private ObjectNode set;
    private long version = 1000;
    private List<ObjectNode> listedBefore = List.of();

    Replay(JsonNode input, RolloutOptions options) {
        this.input = input;
        this.options = options;
        this.set = (ObjectNode) input.path("sidecarSet").deepCopy();
        input.path("pods").forEach(p -> store((ObjectNode) p.deepCopy()));
        touchSet();
    }

    JsonNode run() {
        ObjectNode result = Json.object();
        for (JsonNode round : input.path("rounds")) {
            prepare(round);
            result.withArray("rounds").add(reconcile(round));
        }
        return result;
    }

    private ObjectNode pod(PodKey key) {
        return Objects.requireNonNull(pods.get(key));
    }

    private void store(ObjectNode pod) {
        ((ObjectNode) pod.get("metadata")).put("resourceVersion", Long.toString(++version));
        pods.put(PodViews.of(pod).key(), pod);
    }

    private void touchSet() {
        ((ObjectNode) set.get("metadata")).put("resourceVersion", Long.toString(++version));
    }

    private void prepare(JsonNode round) {
        round.path("podStatus").properties().forEach(e -> {
            ObjectNode pod = pod(new PodKey(NAMESPACE, e.getKey())).deepCopy();
            pod.set("status", e.getValue());
            store(pod);
        });
        if (round.path("sidecarSet") instanceof ObjectNode changed) {
            JsonNode status = set.path("status");
            set = changed.deepCopy();
            set.set("status", status);
            touchSet();
        }
        round.path("newPods").forEach(p -> store((ObjectNode) p.deepCopy()));
        round.path("deletedPods").forEach(n -> {
            PodKey key = new PodKey(NAMESPACE, n.stringValue());
            pods.remove(key);
            expectations.forget(key);
        });
    }

    private JsonNode reconcile(JsonNode round) {
        Map<PodKey, ObjectNode> before = new TreeMap<>(pods);
        List<ObjectNode> listed = round.path("stalePodList").asBoolean(false) ? listedBefore : List.copyOf(pods.values());
        List<ObjectNode> now = List.copyOf(pods.values());
        SidecarSet current = SidecarSet.of(set);
        Matching.Found matching = Matching.of(current).find(listed.stream().map(PodViews::of).toList(), Map.of());
        Step.Registered registered = register(current);
        expectations.observe(matching.matching());
        Plan plan = Plan.of(current, matching, expectations,
                new Plan.Registered(registered.latest().name(), registered.collisionCount()), options, Cases.NOW);
        if (plan.status().differsFrom(SetStatus.of(set.path("status")))) {
            set = set.deepCopy();
            set.set("status", plan.status().toJson());
            touchSet();
        }
        ObjectNode result = Json.object();
        if (!carryOut(current, plan, registered.latest().name(), Json.text(round, "refuseUpdateOf"))) {
            result.put("error", true);
        }
        plan.again().ifPresent(a -> result.put("requeueAfterSeconds", a.toSeconds()));
        result.set("status", set.path("status"));
        report(before, result, current.name());
        listedBefore = now;
        return result;
    }

    private Step.Registered register(SidecarSet current) {
        Step step = History.register(current, List.copyOf(revisions.values()), RevisionOptions.REFERENCE);
        while (!(step instanceof Step.Registered done)) {
            step = switch (step) {
                case Step.Create create -> {
                    Revision taken = revisions.get(create.wanted().name());
                    yield taken == null ? create.created(keep(create.wanted())) : create.nameTaken(taken);
                }
                case Step.Renumber renumber -> renumber.renumbered(keep(numbered(renumber.revision(), renumber.number())));
                default -> throw new IllegalStateException("no step of a recorded roll-out: " + step);
            };
        }
        return done;
    }

    private Revision keep(Revision revision) {
        revisions.put(revision.name(), revision);
        return revision;
    }

    private static Revision numbered(Revision r, long number) {
        return new Revision(r.name(), r.uid(), r.resourceVersion(), number, r.created(), r.labels(), r.annotations(), r.data(),
                r.ownerUid());
    }

    /** Returns false when a write was refused. */
    private boolean carryOut(SidecarSet current, Plan plan, String revision, String refused) {
        for (Decision decision : plan.decisions()) {
            PodKey key = decision.pod().key();
            PodView live = PodViews.of(pod(key));
            Optional<String> condition = switch (decision) {
                case Decision.Upgrade _,Decision.MarkUpgradable _ ->
                    PodPatch.condition(current.name(), decision.pod(), true, _ -> true, options, Cases.NOW);
                case Decision.MarkNotUpgradable _ ->
                    PodPatch.condition(current.name(), decision.pod(), false, _ -> true, options, Cases.NOW);
                case Decision.Flip _,Decision.ReadLive _ -> Optional.empty();
            };
            boolean writes = decision instanceof Decision.Upgrade || decision instanceof Decision.Flip;
            if (writes && key.name().equals(refused)) {
                return false;
            }
            if (decision instanceof Decision.Upgrade) {
                write(key, PodPatch.upgrade(current, live, annotations(key), revision, options, Cases.NOW));
            } else if (decision instanceof Decision.Flip) {
                write(key, PodPatch.flip(current, live, options, Cases.NOW));
            }
            condition.ifPresent(patch -> write(key, patch));
            if (writes) {
                expectations.expect(PodViews.of(pod(key)), decision instanceof Decision.Upgrade ? current.hash() : "",
                        Cases.NOW.plus(options.expectationDeadline()));
            }
        }
        return true;
    }

    private void write(PodKey key, String patch) {
        store(Patches.apply(pod(key), Json.read(patch)));
    }

    private Map<String, String> annotations(PodKey key) {
        Map<String, String> annotations = new HashMap<>();
        pod(key).path("metadata").path("annotations").properties().forEach(e -> annotations.put(e.getKey(), e.getValue().stringValue()));
        return annotations;
    }

    /** What the round changed, in the form of the recording. */
    private void report(Map<PodKey, ObjectNode> before, ObjectNode result, String name) {
        ObjectNode conditions = Json.object();
        List<ObjectNode> updated = new ArrayList<>();
        pods.forEach((key, pod) -> {
            PodView old = PodViews.of(Objects.requireNonNull(before.get(key)));
            PodView view = PodViews.of(pod);
            if (!said(view).equals(said(old))) {
                conditions.set(key.name(), said(view));
            }
            if (!view.containers().equals(old.containers()) || !view.marks().raw().equals(old.marks().raw())) {
                updated.add(change(old, view, name));
            }
        });
        if (!conditions.isEmpty()) {
            result.set("conditions", conditions);
        }
        result.putArray("updated").addAll(updated);
    }

    private static ObjectNode said(PodView pod) {
        ObjectNode node = Json.object();
        pod.upgradable().ifPresent(c -> node.put("status", c.status()).put("reason", c.reason()).put("message", c.message()));
        return node;
    }

    private static ObjectNode change(PodView old, PodView view, String name) {
        ObjectNode change = Json.object().put("pod", view.key().name());
        ObjectNode images = change.putObject("images");
        view.containers().forEach(c -> {
            if (!HotTwins.image(old, c.name()).equals(c.image())) {
                images.put(c.name(), c.image());
            }
        });
        String hash = view.marks().hash(name).map(h -> h.hash()).orElse("");
        if (!hash.equals(old.marks().hash(name).map(h -> h.hash()).orElse(""))) {
            change.put("hash", hash);
        }
        String working = view.marks().raw().text(Wire.WORKING_HOT_UPGRADE);
        if (!working.equals(old.marks().raw().text(Wire.WORKING_HOT_UPGRADE))) {
            change.put("working", working);
        }
        return change;
    }
}
