package dev.pillion.sandbox;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** Pods: defaults, the first status, checks, and what an update may touch. */
final class PodRules implements TypeRules {
    private static final String UPDATE_TEXT = "pod updates may not change fields other than `spec.containers[*].image`,`spec.initContainers[*].image`,"
            + "`spec.activeDeadlineSeconds`,`spec.tolerations` (only additions to existing tolerations),`spec.terminationGracePeriodSeconds`"
            + " (allow it to be set to 1 if it was previously negative)";

    @Override
    public Set<Trait> traits() {
        return Set.of(Trait.GENERATION, Trait.UNCONDITIONAL_UPDATE, Trait.ANSWERS_DELETED, Trait.GRACEFUL_DELETE);
    }

    @Override
    public void applyDefaults(ObjectNode object, String version) {
        ObjectNode spec = Trees.child(object, "spec");
        PodDefaults.apply(spec);
        if (Trees.isAbsent(spec.path("enableServiceLinks"))) {
            spec.put("enableServiceLinks", true);
        }
        dropEmptyMaps(object);
        for (JsonNode condition : Trees.at(object, "status", "conditions")) {
            nullTimes(condition, List.of("lastProbeTime", "lastTransitionTime"));
        }
        for (String list : List.of("initContainerStatuses", "containerStatuses")) {
            Trees.at(object, "status", list).forEach(PodRules::fillContainerStatus);
        }
    }

    /** Times that are held by value are written as null by a typed server: readers must cope. */
    static void nullTimes(JsonNode condition, List<String> times) {
        if (condition instanceof ObjectNode object) {
            for (String time : times) {
                if (!object.has(time)) {
                    object.putNull(time);
                }
            }
        }
    }

    private static void fillContainerStatus(JsonNode entry) {
        if (entry instanceof ObjectNode status) {
            Trees.child(status, "state");
            Trees.child(status, "lastState");
            PodDefaults.number(status, "restartCount", 0);
            for (String text : List.of("image", "imageID")) {
                if (!status.has(text)) {
                    status.put(text, "");
                }
            }
            if (!status.has("ready")) {
                status.put("ready", false);
            }
        }
    }

    /** What the priority and toleration plugins add; they run once, before the webhooks. */
    static void admit(ObjectNode pod) {
        ObjectNode spec = Trees.child(pod, "spec");
        PodDefaults.number(spec, "priority", 0);
        PodDefaults.text(spec, "preemptionPolicy", "PreemptLowerPriority");
        ArrayNode tolerations = spec.path("tolerations") instanceof ArrayNode there ? there : spec.putArray("tolerations");
        for (String taint : List.of("node.kubernetes.io/not-ready", "node.kubernetes.io/unreachable")) {
            boolean known = tolerations.valueStream().anyMatch(entry -> Trees.text(entry, "key").equals(taint)
                    || (Trees.text(entry, "key").isEmpty() && Trees.text(entry, "operator").equals("Exists")));
            if (!known) {
                tolerations.addObject().put("key", taint).put("operator", "Exists").put("effect", "NoExecute").put("tolerationSeconds",
                        300);
            }
        }
    }

    private static void dropEmptyMaps(ObjectNode object) {
        // The typed server leaves empty maps out.
        for (String member : List.of("labels", "annotations")) {
            if (object.path("metadata") instanceof ObjectNode metadata && metadata.path(member).isObject()
                    && metadata.path(member).isEmpty()) {
                metadata.remove(member);
            }
        }
    }

    @Override
    public void prepareCreate(ObjectNode object) {
        object.putObject("status").put("phase", "Pending").put("qosClass", qosClass(object.path("spec")));
    }

    @Override
    public void prepareUpdate(ObjectNode object, ObjectNode old) {
        ObjectNode spec = Trees.child(object, "spec");
        for (String member : List.of("nodeName", "priority", "preemptionPolicy")) {
            if (Trees.isAbsent(spec.path(member))) {
                Trees.setOrRemove(spec, member, Trees.at(old, "spec", member));
            }
        }
    }

    @Override
    public List<Cause> validateCreate(ObjectNode object) {
        return new PodValidation("spec").check(object.path("spec"));
    }

    @Override
    public List<Cause> validateUpdate(ObjectNode object, ObjectNode old) {
        List<Cause> faults = new ArrayList<>();
        JsonNode now = object.path("spec");
        JsonNode before = old.path("spec");
        if (now.path("containers").size() != before.path("containers").size()) {
            return List.of(Cause.forbidden("spec.containers", "pod updates may not add or remove containers"));
        }
        if (now.path("initContainers").size() != before.path("initContainers").size()) {
            return List.of(Cause.forbidden("spec.initContainers", "pod updates may not add or remove containers"));
        }
        faults.addAll(new PodValidation("spec").check(now));
        checkImages(now.path("containers"), "spec.containers", faults);
        checkImages(now.path("initContainers"), "spec.initContainers", faults);
        ObjectNode allowed = now.deepCopy().asObject();
        takeImages(allowed.path("containers"), before.path("containers"));
        takeImages(allowed.path("initContainers"), before.path("initContainers"));
        Trees.setOrRemove(allowed, "activeDeadlineSeconds", before.path("activeDeadlineSeconds"));
        if (keepsAll(now.path("tolerations"), before.path("tolerations"))) {
            Trees.setOrRemove(allowed, "tolerations", before.path("tolerations"));
        }
        if (before.path("terminationGracePeriodSeconds").asLong(0) < 0 && now.path("terminationGracePeriodSeconds").asLong(0) == 1) {
            Trees.setOrRemove(allowed, "terminationGracePeriodSeconds", before.path("terminationGracePeriodSeconds"));
        }
        if (keepsAll(before.path("schedulingGates"), now.path("schedulingGates"))) {
            Trees.setOrRemove(allowed, "schedulingGates", before.path("schedulingGates"));
        }
        if (!allowed.equals(before)) {
            faults.add(Cause.forbidden("spec", UPDATE_TEXT + "\nchanged: " + String.join(", ", differences(allowed, before))));
        }
        return faults;
    }

    private static List<String> differences(JsonNode now, JsonNode before) {
        List<String> names = new ArrayList<>();
        now.propertyNames().stream().filter(name -> !now.path(name).equals(before.path(name))).forEach(names::add);
        before.propertyNames().stream().filter(name -> !now.has(name)).forEach(names::add);
        return names;
    }

    private static void checkImages(JsonNode containers, String path, List<Cause> faults) {
        for (int i = 0; i < containers.size(); i++) {
            String image = Trees.text(containers.path(i), "image");
            if (image.isEmpty()) {
                faults.add(Cause.required(path + "[" + i + "].image", ""));
            } else if (!image.strip().equals(image)) {
                faults.add(Cause.invalid(path + "[" + i + "].image", Names.quoted(image), "must not have leading or trailing whitespace"));
            }
        }
    }

    private static void takeImages(JsonNode to, JsonNode from) {
        for (int i = 0; i < to.size(); i++) {
            if (to.path(i) instanceof ObjectNode container) {
                Trees.setOrRemove(container, "image", from.path(i).path("image"));
            }
        }
    }

    /** Whether every entry of `few` is in `many`. */
    private static boolean keepsAll(JsonNode many, JsonNode few) {
        return few.valueStream().allMatch(entry -> many.valueStream().anyMatch(entry::equals));
    }

    @Override
    public Map<String, List<String>> selectableFields() {
        return PlainRules
                .paths(List.of("spec.nodeName", "spec.restartPolicy", "spec.schedulerName", "spec.serviceAccountName", "status.phase",
                        "status.podIP", "status.nominatedNodeName"));
    }

    /** Guaranteed when all containers have equal limits and requests of cpu and memory, BestEffort when none has any, else Burstable. */
    static String qosClass(JsonNode spec) {
        boolean any = false;
        boolean all = true;
        for (String list : List.of("initContainers", "containers")) {
            for (JsonNode container : spec.path(list)) {
                for (String resource : List.of("cpu", "memory")) {
                    JsonNode request = Trees.at(container, "resources", "requests", resource);
                    JsonNode limit = Trees.at(container, "resources", "limits", resource);
                    any |= isPositive(request) || isPositive(limit);
                    all &= isPositive(limit) && Amount.parse(limit).equals(Amount.parse(request.isMissingNode() ? limit : request));
                }
            }
        }
        return !any ? "BestEffort" : all ? "Guaranteed" : "Burstable";
    }

    private static boolean isPositive(JsonNode amount) {
        return Amount.parse(amount).filter(value -> value.signum() > 0).isPresent();
    }
}
