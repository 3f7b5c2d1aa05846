package dev.pillion.sandbox;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** The apps workloads: defaults of their own and of the pod template, the selector must match the template and never changes. */
final class WorkloadRules implements TypeRules {
    private final Form form;

    /** Which workload. */
    enum Form {
        DEPLOYMENT, REPLICA_SET, STATEFUL_SET, DAEMON_SET
    }

    WorkloadRules(Form form) {
        this.form = form;
    }

    @Override
    public Set<Trait> traits() {
        return form == Form.DEPLOYMENT
                ? Set.of(Trait.UNCONDITIONAL_UPDATE, Trait.GENERATION, Trait.GENERATION_BY_ANNOTATIONS)
                : Set.of(Trait.UNCONDITIONAL_UPDATE, Trait.GENERATION);
    }

    @Override
    public void applyDefaults(ObjectNode object, String version) {
        ObjectNode spec = Trees.child(object, "spec");
        if (form != Form.DAEMON_SET) {
            PodDefaults.number(spec, "replicas", 1);
        }
        switch (form) {
            case DEPLOYMENT -> {
                rollingUpdate(Trees.child(spec, "strategy"), "maxUnavailable", "maxSurge");
                PodDefaults.number(spec, "revisionHistoryLimit", 10);
                PodDefaults.number(spec, "progressDeadlineSeconds", 600);
            }
            case STATEFUL_SET -> {
                PodDefaults.text(spec, "podManagementPolicy", "OrderedReady");
                PodDefaults.number(spec, "revisionHistoryLimit", 10);
                ObjectNode strategy = Trees.child(spec, "updateStrategy");
                PodDefaults.text(strategy, "type", "RollingUpdate");
                if (Trees.text(strategy, "type").equals("RollingUpdate")) {
                    PodDefaults.number(Trees.child(strategy, "rollingUpdate"), "partition", 0);
                }
                ObjectNode retention = Trees.child(spec, "persistentVolumeClaimRetentionPolicy");
                PodDefaults.text(retention, "whenDeleted", "Retain");
                PodDefaults.text(retention, "whenScaled", "Retain");
            }
            case DAEMON_SET -> {
                PodDefaults.number(spec, "revisionHistoryLimit", 10);
                ObjectNode strategy = Trees.child(spec, "updateStrategy");
                PodDefaults.text(strategy, "type", "RollingUpdate");
                if (Trees.text(strategy, "type").equals("RollingUpdate")) {
                    ObjectNode rolling = Trees.child(strategy, "rollingUpdate");
                    PodDefaults.number(rolling, "maxUnavailable", 1);
                    PodDefaults.number(rolling, "maxSurge", 0);
                }
            }
            case REPLICA_SET -> {
                // replicas only
            }
        }
        for (JsonNode condition : Trees.at(object, "status", "conditions")) {
            PodRules.nullTimes(condition,
                    form == Form.DEPLOYMENT ? List.of("lastUpdateTime", "lastTransitionTime") : List.of("lastTransitionTime"));
        }
        if (spec.path("template") instanceof ObjectNode template) {
            PodDefaults.apply(Trees.child(template, "spec"));
        }
    }

    private static void rollingUpdate(ObjectNode strategy, String... shares) {
        PodDefaults.text(strategy, "type", "RollingUpdate");
        if (Trees.text(strategy, "type").equals("RollingUpdate")) {
            ObjectNode rolling = Trees.child(strategy, "rollingUpdate");
            for (String share : shares) {
                PodDefaults.text(rolling, share, "25%");
            }
        }
    }

    @Override
    public void prepareCreate(ObjectNode object) {
        ObjectNode status = object.putObject("status");
        switch (form) {
            case DEPLOYMENT -> {
                // a new Deployment has an empty status
            }
            case REPLICA_SET -> status.put("replicas", 0);
            case STATEFUL_SET -> status.put("replicas", 0).put("availableReplicas", 0);
            case DAEMON_SET -> status.put("currentNumberScheduled", 0).put("numberMisscheduled", 0).put("desiredNumberScheduled", 0)
                    .put("numberReady", 0);
        }
    }

    @Override
    public List<Cause> validateCreate(ObjectNode object) {
        List<Cause> faults = new ArrayList<>();
        JsonNode selector = Trees.at(object, "spec", "selector");
        JsonNode labels = Trees.at(object, "spec", "template", "metadata", "labels");
        if (Trees.isAbsent(selector)) {
            faults.add(Cause.required("spec.selector", ""));
        } else if (selector.path("matchLabels").isEmpty() && selector.path("matchExpressions").isEmpty()) {
            faults.add(Cause.invalid("spec.selector", selector.toString(), "empty selector is invalid for " + word()));
        }
        if (Trees.isAbsent(selector)
                || !selector.path("matchLabels").propertyStream().allMatch(pair -> pair.getValue().equals(labels.get(pair.getKey())))) {
            faults.add(Cause.invalid("spec.template.metadata.labels", labels.isMissingNode() ? "null" : labels.toString(),
                    "`selector` does not match template `labels`"));
        }
        JsonNode replicas = Trees.at(object, "spec", "replicas");
        if (replicas.isNumber() && replicas.longValue() < 0) {
            faults.add(Cause.invalid("spec.replicas", replicas.toString(), "must be greater than or equal to 0"));
        }
        faults.addAll(new PodValidation("spec.template.spec").check(Trees.at(object, "spec", "template", "spec")));
        return faults;
    }

    @Override
    public List<Cause> validateUpdate(ObjectNode object, ObjectNode old) {
        List<Cause> faults = new ArrayList<>(validateCreate(object));
        JsonNode selector = Trees.at(object, "spec", "selector");
        if (!selector.equals(Trees.at(old, "spec", "selector"))) {
            faults.add(Cause.invalid("spec.selector", selector.toString(), "field is immutable"));
        }
        return faults;
    }

    private String word() {
        return switch (form) {
            case DEPLOYMENT -> "deployment";
            case REPLICA_SET -> "replicaset";
            case STATEFUL_SET -> "statefulset";
            case DAEMON_SET -> "daemonset";
        };
    }
}
