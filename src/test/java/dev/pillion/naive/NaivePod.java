package dev.pillion.naive;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** The whole handler for pods that are created (injection.md 3-9, neighbours.md 1.2, 2.1), without patches and without thought of speed. */
public final class NaivePod {
    private static final String BARRIER = "KRUISE_CONTAINER_BARRIER";
    private static final String PRIORITY = "KRUISE_CONTAINER_PRIORITY";

    private NaivePod() {
    }

    /**
     * What one request takes from outside.
     *
     * @param now text for the hash annotations
     * @param nameSuffix for a name that must be made
     * @param switches any of sort-by-name, readiness-gate-all, refuse-same-name
     */
    public record Circumstances(String now, double draw, String nameSuffix, Set<String> switches) {
    }

    /** What comes out: the pod as it must be, or the reason to refuse it. */
    public record Wanted(JsonNode pod, Optional<String> refusal, List<String> sets) {
    }

    /**
     * What must come of a request.
     *
     * @param input in the form of the recorded cases of kind inject; stays as it is
     */
    public static Wanted of(JsonNode input, Circumstances circumstances) {
        JsonNode request = input.path("request");
        JsonNode submitted = request.path("pod");
        if (!Tree.text(request, "operation").equals("CREATE") || !Tree.text(request, "subResource").isEmpty()) {
            return new Wanted(submitted, Optional.empty(), List.of());
        }
        try {
            return work(input, (ObjectNode) submitted.deepCopy(), circumstances);
        } catch (Refused e) {
            return new Wanted(submitted, Optional.of(e.toString()), List.of());
        }
    }

    private static Wanted work(JsonNode input, ObjectNode pod, Circumstances circumstances) {
        ObjectNode metadata = member(pod, "metadata");
        ObjectNode spec = member(pod, "spec");
        if (circumstances.switches().contains("readiness-gate-all") || isOwned(metadata)) {
            List<JsonNode> gates = Tree.list(spec, "readinessGates");
            if (!Tree.has(gates, "conditionType", "KruisePodReady")) {
                gates.add(Tree.object().put("conditionType", "KruisePodReady"));
                Tree.set(spec, "readinessGates", gates);
            }
        }
        Map<String, String> labels = Tree.texts(metadata.path("labels"));
        Map<String, String> annotations = new LinkedHashMap<>(Tree.texts(metadata.path("annotations")));
        List<String> names = new ArrayList<>();
        String phase = Tree.text(pod.path("status"), "phase");
        if (!metadata.path("deletionTimestamp").isString() && !phase.equals("Succeeded") && !phase.equals("Failed")) {
            String namespace = first(Tree.text(metadata, "namespace"), Tree.text(input.path("request"), "namespace"), "default");
            List<JsonNode> contents = new NaiveChoice(input, namespace, labels, circumstances.draw()).contents();
            contents.forEach(c -> names.add(NaiveChoice.nameOf(c)));
            inject(spec, labels, annotations, contents, circumstances);
        }
        barriers(metadata, spec, annotations, circumstances.nameSuffix());
        if (!annotations.equals(Tree.texts(metadata.path("annotations")))) {
            ObjectNode written = metadata.putObject("annotations");
            annotations.forEach(written::put);
        }
        if (metadata.isEmpty() && !input.path("request").path("pod").path("metadata").isObject()) {
            pod.remove("metadata");
        }
        return new Wanted(pod, Optional.empty(), names);
    }

    private static ObjectNode member(ObjectNode pod, String name) {
        return pod.path(name) instanceof ObjectNode there ? there : pod.putObject(name);
    }

    private static String first(String... texts) {
        for (String text : texts) {
            if (!text.isEmpty()) {
                return text;
            }
        }
        return "";
    }

    private static boolean isOwned(JsonNode metadata) {
        return metadata.path("ownerReferences").valueStream().filter(o -> o.path("controller").booleanValue(false)).findFirst()
                .filter(o -> Tree.text(o, "apiVersion").startsWith("apps.kruise.io/")).isPresent();
    }

    private static void inject(ObjectNode spec, Map<String, String> labels, Map<String, String> annotations, List<JsonNode> contents,
            Circumstances circumstances) {
        if (contents.isEmpty()) {
            return;
        }
        NaiveMetadata metadata = new NaiveMetadata(annotations);
        contents.forEach(metadata::patch);
        metadata.check();
        NaiveSidecars sidecars = new NaiveSidecars(spec, labels, annotations, contents);
        if (!sidecars.isEmpty()) {
            sidecars.place(circumstances.switches().contains("sort-by-name"), circumstances.switches().contains("refuse-same-name"));
            metadata.book(contents, sidecars.marks, sidecars.working, circumstances.now());
        }
    }

    private static void barriers(ObjectNode metadata, ObjectNode spec, Map<String, String> annotations, String nameSuffix) {
        List<JsonNode> containers = Tree.list(spec, "containers");
        if (containers.size() < 2) {
            return;
        }
        boolean ordered = annotations.getOrDefault("apps.kruise.io/container-launch-priority", "").equals("Ordered");
        List<Long> numbers = new ArrayList<>();
        for (int i = 0; i < containers.size(); i++) {
            numbers.add(ordered ? -i : number(containers.get(i)));
        }
        if (!ordered && new LinkedHashSet<>(numbers).size() == 1) {
            return;
        }
        String base = Tree.text(metadata, "generateName");
        if (Tree.text(metadata, "name").isEmpty() && !base.isEmpty()) {
            metadata.put("name", base.substring(0, Math.min(58, base.length())) + nameSuffix);
        }
        List<JsonNode> numbered = new ArrayList<>();
        for (int i = 0; i < containers.size(); i++) {
            ObjectNode container = (ObjectNode) containers.get(i).deepCopy();
            List<JsonNode> env = Tree.where(Tree.list(container, "env"), e -> !Tree.name(e).equals(BARRIER));
            ObjectNode barrier = Tree.object().put("name", BARRIER);
            barrier.putObject("valueFrom").putObject("configMapKeyRef").put("name", Tree.text(metadata, "name") + "-barrier")
                    .put("key", "p_" + numbers.get(i));
            env.add(barrier);
            container.set("env", Tree.array(env));
            numbered.add(container);
        }
        spec.set("containers", Tree.array(numbered));
    }

    private static long number(JsonNode container) {
        long number = 0;
        for (JsonNode env : container.path("env")) {
            if (Tree.name(env).equals(PRIORITY)) {
                try {
                    number = Long.parseLong(Tree.text(env, "value"));
                } catch (NumberFormatException e) {
                    throw new Refused("launch-priority");
                }
            }
        }
        return number;
    }
}
