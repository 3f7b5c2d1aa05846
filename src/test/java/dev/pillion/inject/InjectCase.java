package dev.pillion.inject;

import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

import io.fabric8.zjsonpatch.JsonPatch;

import dev.pillion.api.Json;
import dev.pillion.api.MemberTable;
import dev.pillion.api.PatchOp;
import dev.pillion.api.Revision;
import dev.pillion.api.SidecarSet;
import dev.pillion.api.TypedReader;
import dev.pillion.expr.Quantity;
import dev.pillion.inject.InjectOptions.LaunchPriority;
import dev.pillion.inject.InjectOptions.ReadinessGate;
import dev.pillion.inject.InjectOptions.SameName;
import dev.pillion.inject.InjectOptions.Sort;
import dev.pillion.match.NamespaceView;
import dev.pillion.match.SetIndex;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** One recorded case as a request against an index. */
record InjectCase(InjectRequest request, SetIndex index, InjectOptions options) {
    static final Instant NOW = Instant.parse("2031-07-08T09:10:11Z");
    private static final Set<String> DROPPED_WHEN_EMPTY = Set.of("resources", "status", "updateStrategy", "injectionStrategy",
            "upgradeStrategy", "shareVolumePolicy");
    private static final Set<String> RESOURCE_LISTS = Set.of("limits", "requests");

    /** Everything the input holds is in the index; whatever is asked for beyond it does not exist. */
    static InjectCase of(JsonNode input, InjectOptions base) {
        List<SidecarSet> sets = new ArrayList<>();
        input.path("sidecarSets").forEach(s -> sets.add(SidecarSet.of((ObjectNode) s)));
        List<NamespaceView> namespaces = new ArrayList<>();
        input.path("namespaces").forEach(n -> namespaces
                .add(new NamespaceView(Parts.name(n.path("metadata")), Parts.texts(n.path("metadata"), "labels"))));
        List<Revision> revisions = new ArrayList<>();
        input.path("controllerRevisions").forEach(r -> revisions.add(revision(r)));
        SetIndex index = SetIndex.of(new SetIndex.Content(sets, namespaces, revisions, Optional.empty()));
        JsonNode gates = input.path("featureGates");
        InjectOptions options = base.with(SameName.REPLACE,
                gates.path("EnableSortSidecarContainerByName").asBoolean(false) ? Sort.BY_NAME : Sort.AS_WRITTEN,
                gates.path("KruisePodReadinessGate").asBoolean(false) ? ReadinessGate.ALL : ReadinessGate.OWNED, LaunchPriority.ON);
        JsonNode request = input.path("request");
        InjectRequest review = new InjectRequest(Json.text(request, "operation"), Json.text(request, "subResource"),
                Json.text(request, "namespace"), Parts.name(request), pod(request), request.path("oldPod").isObject(),
                false, LiveAnswers.NONE, new Moment(NOW, 0.5, "abcde"));
        return new InjectCase(review, index, options);
    }

    /** As the webhook reads it: by type when it is usual and fits. */
    private static ObjectNode pod(JsonNode request) {
        return new TypedReader("Pod", MemberTable.POD).read(Json.bytes(request.path("pod")))
                .orElseGet(() -> (ObjectNode) request.path("pod"));
    }

    private static Revision revision(JsonNode object) {
        JsonNode metadata = object.path("metadata");
        return new Revision(Parts.name(metadata), "", "", object.path("revision").longValue(), Json.text(metadata, "creationTimestamp"),
                Parts.texts(metadata, "labels"), Parts.texts(metadata, "annotations"), Json.write(object.path("data")),
                Optional.empty());
    }

    /** The same request with another pod, some time later: the clock and all that is drawn are others. */
    InjectCase withPod(JsonNode pod) {
        return new InjectCase(new InjectRequest(request.operation(), request.subResource(), request.namespace(), request.name(),
                (ObjectNode) pod, request.hasOldObject(), request.dryRun(), request.answers(),
                new Moment(NOW.plusSeconds(100), 0.9, "vwxyz")), index, options);
    }

    /** Asks for needs first, as the webhook does, and answers that nothing of it exists. */
    Injection run() {
        Needs needs = Injector.needs(request, index, options);
        Map<String, Optional<NamespaceView>> namespaces = new HashMap<>();
        needs.namespaces().forEach(n -> namespaces.put(n, Optional.empty()));
        Map<String, Optional<Revision>> revisions = new HashMap<>();
        needs.revisions().forEach(n -> revisions.put(n, Optional.empty()));
        Map<LiveAnswers.CustomVersion, List<Revision>> versions = new HashMap<>();
        needs.customVersions().forEach(v -> versions.put(v, List.of()));
        return Injector.inject(request.with(new LiveAnswers(namespaces, revisions, versions)), index, options);
    }

    /** The pod after the answer; the given one stays as it is. */
    static JsonNode apply(Injection injection, JsonNode pod) {
        return injection instanceof Injection.Patch patch ? JsonPatch.apply(PatchOp.toJson(patch.ops()), pod.deepCopy()) : pod;
    }

    /** Both sides of a comparison in one form (README of the recorded cases). */
    static JsonNode normalized(JsonNode node) {
        if (node.isObject()) {
            ObjectNode result = Json.object();
            node.properties().forEach(e -> {
                JsonNode value = RESOURCE_LISTS.contains(e.getKey()) ? quantities(e.getValue()) : normalized(e.getValue());
                if (!value.isNull() && !(value.isObject() && value.isEmpty() && DROPPED_WHEN_EMPTY.contains(e.getKey()))) {
                    result.set(e.getKey(), value);
                }
            });
            return result;
        }
        if (node.isArray()) {
            var result = Json.NODES.arrayNode();
            node.forEach(item -> result.add(normalized(item)));
            return result;
        }
        return node.isString() ? Json.NODES.stringNode(node.stringValue().replace(NOW.toString(), "<now>")) : node;
    }

    /** The recording shows pods as a server stores them, so a computed 643216000 stands there as 643216k. */
    private static JsonNode quantities(JsonNode list) {
        ObjectNode result = Json.object();
        list.properties().forEach(e -> result.put(e.getKey(),
                Quantity.parse(e.getValue().asString("")).map(Quantity::toString).orElse(e.getValue().toString())));
        return result;
    }

    /** Where two normalized trees differ first, for messages. */
    static List<String> differences(JsonNode wanted, JsonNode got, String path) {
        List<String> found = new ArrayList<>();
        if (wanted.isObject() && got.isObject()) {
            Set<String> names = new HashSet<>(wanted.propertyNames());
            names.addAll(got.propertyNames());
            names.forEach(n -> found.addAll(differences(wanted.path(n), got.path(n), path + "." + n)));
        } else if (wanted.isArray() && got.isArray() && wanted.size() == got.size()) {
            for (int i = 0; i < wanted.size(); i++) {
                found.addAll(differences(wanted.path(i), got.path(i), path + "[" + i + "]"));
            }
        } else if (!wanted.equals(got)) {
            found.add(path + ": wanted " + wanted + ", got " + got);
        }
        return found;
    }
}
