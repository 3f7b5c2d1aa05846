package dev.pillion.naive;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** Which sets a pod gets, with which content (injection.md 4, 5). */
final class NaiveChoice {
    private static final String NAME_LABEL = "kubernetes.io/metadata.name";
    private final JsonNode input;
    private final String namespace;
    private final Map<String, String> labels;
    private final double draw;

    NaiveChoice(JsonNode input, String namespace, Map<String, String> labels, double draw) {
        this.input = input;
        this.namespace = namespace;
        this.labels = labels;
        this.draw = draw;
    }

    /** The contents in order: objects of the form of a SidecarSet, a restored one without what revisions do not hold. */
    List<JsonNode> contents() {
        List<JsonNode> ordered = new ArrayList<>();
        List<JsonNode> wide = new ArrayList<>();
        List<JsonNode> all = Tree.list(input, "sidecarSets");
        all.sort(Comparator.comparing(NaiveChoice::nameOf));
        for (JsonNode set : all) {
            Optional<List<String>> names = boundTo(set.path("spec").path("namespaceSelector"));
            if (names.isEmpty()) {
                wide.add(set);
            } else if (names.get().contains(namespace)) {
                ordered.add(set);
            }
        }
        ordered.addAll(wide);
        List<JsonNode> contents = new ArrayList<>();
        List<String> bases = new ArrayList<>();
        for (JsonNode set : ordered) {
            if (takesPod(set.path("spec"))) {
                contents.add(content(set));
                JsonNode annotations = set.path("metadata").path("annotations");
                if (Tree.text(annotations, "apps.kruise.io/sidecarset-canary").equals("true")) {
                    bases.add(Tree.text(annotations, "apps.kruise.io/sidecarset-base"));
                }
            }
        }
        return Tree.where(contents, c -> !bases.contains(nameOf(c)));
    }

    static String nameOf(JsonNode set) {
        return Tree.text(set.path("metadata"), "name");
    }

    private static Optional<List<String>> boundTo(JsonNode selector) {
        JsonNode label = selector.path("matchLabels").path(NAME_LABEL);
        if (label.isString()) {
            return Optional.of(List.of(label.stringValue()));
        }
        for (JsonNode item : selector.path("matchExpressions")) {
            if (Tree.text(item, "key").equals(NAME_LABEL) && Tree.text(item, "operator").equals("In")) {
                return Optional.of(item.path("values").valueStream().map(JsonNode::stringValue).toList());
            }
        }
        return Optional.empty();
    }

    private boolean takesPod(JsonNode spec) {
        if (spec.path("injectionStrategy").path("paused").booleanValue(false)) {
            return false;
        }
        if (spec.path("namespaceSelector").isObject()) {
            Map<String, Map<String, String>> namespaces = new HashMap<>();
            input.path("namespaces").forEach(n -> namespaces.put(Tree.name(n.path("metadata")),
                    Tree.texts(n.path("metadata").path("labels"))));
            Map<String, String> found = namespaces.get(namespace);
            if (found == null || isOdd(spec.path("namespaceSelector")) || !matches(spec.path("namespaceSelector"), found)) {
                return false;
            }
        }
        JsonNode selector = spec.path("selector");
        if (isOdd(selector)) {
            throw new Refused("selector-fault");
        }
        return !(selector.path("matchLabels").isEmpty() && selector.path("matchExpressions").isEmpty()) && matches(selector, labels);
    }

    private static boolean isOdd(JsonNode selector) {
        return selector.path("matchExpressions").valueStream()
                .anyMatch(e -> !List.of("In", "NotIn", "Exists", "DoesNotExist").contains(Tree.text(e, "operator")));
    }

    private static boolean matches(JsonNode selector, Map<String, String> labels) {
        boolean all = Tree.texts(selector.path("matchLabels")).entrySet().stream()
                .allMatch(e -> e.getValue().equals(labels.get(e.getKey())));
        for (JsonNode item : selector.path("matchExpressions")) {
            String value = labels.get(Tree.text(item, "key"));
            boolean listed = item.path("values").valueStream().anyMatch(v -> v.stringValue("").equals(value));
            all &= switch (Tree.text(item, "operator")) {
                case "In" -> value != null && listed;
                case "NotIn" -> value == null || !listed;
                case "Exists" -> value != null;
                default -> value == null;
            };
        }
        return all;
    }

    private JsonNode content(JsonNode set) {
        JsonNode pin = set.path("spec").path("injectionStrategy").path("revision");
        Optional<JsonNode> revision;
        if (pin.path("revisionName").isString()) {
            revision = revisions().stream().filter(r -> nameOf(r).equals(Tree.text(pin, "revisionName"))).findFirst();
        } else if (pin.path("customVersion").isString()) {
            revision = revisions().stream().filter(r -> hasVersion(r, nameOf(set), Tree.text(pin, "customVersion")))
                    .max(Comparator.comparingLong((JsonNode r) -> r.path("revision").longValue())
                            .thenComparing(r -> Tree.text(r.path("metadata"), "creationTimestamp")).thenComparing(NaiveChoice::nameOf));
        } else {
            return set;
        }
        if (revision.isEmpty()) {
            throw new Refused("revision-not-found");
        }
        return takesRevision(set.path("spec").path("updateStrategy"), Tree.text(pin, "policy")) ? restored(set, revision.get()) : set;
    }

    private List<JsonNode> revisions() {
        return Tree.list(input, "controllerRevisions");
    }

    private static boolean hasVersion(JsonNode revision, String set, String version) {
        JsonNode labels = revision.path("metadata").path("labels");
        return Tree.text(labels, "kruise.io/sidecarset-name").equals(set)
                && labels.path("apps.kruise.io/sidecarset-custom-version").stringValue("<none>").equals(version);
    }

    private boolean takesRevision(JsonNode strategy, String policy) {
        if (strategy.path("paused").booleanValue(false) || !policy.equals("Partial")) {
            return true;
        }
        if (strategy.path("selector").isObject()) {
            if (isOdd(strategy.path("selector"))) {
                throw new Refused("selector-fault");
            }
            if (!matches(strategy.path("selector"), labels)) {
                return true;
            }
        }
        JsonNode partition = strategy.path("partition");
        if (!partition.isString()) {
            return false;
        }
        String text = partition.stringValue();
        if (!text.matches("[+-]?[0-9.]+%")) {
            throw new Refused("partition-fault");
        }
        return draw < Double.parseDouble(text.substring(0, text.length() - 1)) / 100;
    }

    private static JsonNode restored(JsonNode set, JsonNode revision) {
        ObjectNode content = Tree.object();
        ObjectNode metadata = content.putObject("metadata");
        metadata.put("name", nameOf(set));
        ObjectNode annotations = metadata.putObject("annotations");
        Tree.texts(set.path("metadata").path("annotations")).forEach(annotations::put);
        for (String hash : List.of("kruise.io/sidecarset-hash", "kruise.io/sidecarset-hash-without-image")) {
            annotations.put(hash, Tree.text(revision.path("metadata").path("annotations"), hash));
        }
        ObjectNode spec = content.putObject("spec");
        for (String member : List.of("containers", "initContainers", "volumes", "imagePullSecrets", "patchPodMetadata")) {
            spec.set(member, revision.path("data").path("spec").path(member));
        }
        content.putObject("status").put("latestRevision", nameOf(revision));
        return content;
    }
}
