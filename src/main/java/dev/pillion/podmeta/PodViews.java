package dev.pillion.podmeta;

import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

import dev.pillion.api.GoTime;
import dev.pillion.api.Json;
import dev.pillion.api.PodKey;
import dev.pillion.api.PodView;
import dev.pillion.api.Wire;

import tools.jackson.databind.JsonNode;

/** Builds a PodView from a whole Pod. Members that are null or of a wrong kind count as absent. */
public final class PodViews {
    private PodViews() {
    }

    public static PodView of(JsonNode pod) {
        JsonNode metadata = pod.path("metadata");
        JsonNode spec = pod.path("spec");
        JsonNode status = pod.path("status");
        JsonNode ready = condition(status, "Ready");
        JsonNode upgradable = condition(status, Wire.UPGRADABLE_CONDITION);
        return new PodView(new PodKey(Json.text(metadata, "namespace"), Json.text(metadata, "name")), Json.text(metadata, "uid"),
                Json.text(metadata, "resourceVersion"), texts(metadata.path("labels")), Json.text(spec, "nodeName"),
                Json.text(status, "phase"), metadata.path("deletionTimestamp").isString(), time(metadata, "creationTimestamp"),
                ready.isObject()
                        ? Optional.of(
                                new PodView.ReadyCondition(Json.text(ready, "status").equals("True"), time(ready, "lastTransitionTime")))
                        : Optional.empty(),
                containers(spec.path("initContainers")), containers(spec.path("containers")),
                statuses(status.path("initContainerStatuses")),
                statuses(status.path("containerStatuses")),
                upgradable.isObject()
                        ? Optional.of(new PodView.UpgradableCondition(Json.text(upgradable, "status"), Json.text(upgradable, "reason"),
                                Json.text(upgradable, "message"), Json.text(upgradable, "lastTransitionTime"),
                                Json.text(upgradable, "lastProbeTime")))
                        : Optional.empty(),
                MarksCodec.decode(texts(metadata.path("annotations"))), StartupView.of(metadata, spec, status));
    }

    /** The first condition of the type; missing node if there is none. */
    static JsonNode condition(JsonNode status, String type) {
        for (JsonNode condition : status.path("conditions")) {
            if (Json.text(condition, "type").equals(type)) {
                return condition;
            }
        }
        return Json.NODES.missingNode();
    }

    private static Map<String, String> texts(JsonNode object) {
        Map<String, String> texts = new LinkedHashMap<>();
        object.properties().forEach(e -> {
            if (e.getValue().isString()) {
                texts.put(e.getKey(), e.getValue().stringValue());
            }
        });
        return texts;
    }

    private static Optional<Instant> time(JsonNode object, String member) {
        JsonNode value = object.path(member);
        return value.isString() ? GoTime.read(value.stringValue()) : Optional.empty();
    }

    private static List<PodView.Container> containers(JsonNode list) {
        List<PodView.Container> containers = new ArrayList<>();
        for (JsonNode item : list) {
            if (item.isObject()) {
                containers.add(new PodView.Container(Json.text(item, "name"), Json.text(item, "image"), Json.text(item, "restartPolicy")));
            }
        }
        return containers;
    }

    private static List<PodView.ContainerStatus> statuses(JsonNode list) {
        List<PodView.ContainerStatus> statuses = new ArrayList<>();
        for (JsonNode item : list) {
            if (item.isObject()) {
                statuses.add(new PodView.ContainerStatus(Json.text(item, "name"), Json.text(item, "image"), Json.text(item, "imageID"),
                        item.path("ready").asBoolean(false), item.path("restartCount").asInt(0)));
            }
        }
        return statuses;
    }
}
