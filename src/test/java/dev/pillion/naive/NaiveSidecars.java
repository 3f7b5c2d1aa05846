package dev.pillion.naive;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** Sidecars built and placed, with what comes along (injection.md 6, 7). */
final class NaiveSidecars {
    private static final Pattern VARIABLE = Pattern.compile("\\$\\(([-._a-zA-Z][-._a-zA-Z0-9]*)\\)");
    private static final List<String> SET_MEMBERS = List.of("podInjectPolicy", "upgradeStrategy", "shareVolumePolicy",
            "shareVolumeDevicePolicy", "transferEnv", "resourcesPolicy");
    private final ObjectNode spec;
    private final Map<String, String> labels;
    private final Map<String, String> annotations;
    private final List<JsonNode> contents;
    private final List<JsonNode> sources;
    private final List<Placed> init = new ArrayList<>();
    private final List<Placed> regular = new ArrayList<>();
    private final Map<String, JsonNode> volumes = new LinkedHashMap<>();
    final Map<String, String> marks = new LinkedHashMap<>();
    final Map<String, String> working = new LinkedHashMap<>();

    private record Placed(boolean before, ObjectNode container) {
        String name() {
            return Tree.name(container);
        }
    }

    /** @param spec of the pod; changed by {@link #place} */
    NaiveSidecars(ObjectNode spec, Map<String, String> labels, Map<String, String> annotations, List<JsonNode> contents) {
        this.spec = spec;
        this.labels = labels;
        this.annotations = annotations;
        this.contents = contents;
        List<String> ours = new ArrayList<>();
        contents.forEach(c -> ours.addAll(podNames(c)));
        // FR-20: what an earlier injection of the same sets put there is no source of anything.
        this.sources = Tree.where(Tree.list(spec, "containers"), c -> !(isMarked(c) && ours.contains(Tree.name(c))));
        for (JsonNode content : contents) {
            Tree.list(content.path("spec"), "initContainers").forEach(c -> build(content, c, isHot(c) && isNative(c), init));
            Tree.list(content.path("spec"), "containers").forEach(c -> build(content, c, isHot(c), regular));
        }
    }

    /** Names of a set's containers in pods. */
    static List<String> podNames(JsonNode content) {
        List<String> names = new ArrayList<>();
        Tree.list(content.path("spec"), "initContainers").forEach(c -> names.addAll(twins(c, isHot(c) && isNative(c))));
        Tree.list(content.path("spec"), "containers").forEach(c -> names.addAll(twins(c, isHot(c))));
        return names;
    }

    private static List<String> twins(JsonNode container, boolean hot) {
        return hot ? List.of(Tree.name(container) + "-1", Tree.name(container) + "-2") : List.of(Tree.name(container));
    }

    static boolean isMarked(JsonNode container) {
        return container.path("env").valueStream()
                .anyMatch(e -> Tree.name(e).equals("IS_INJECTED") && Tree.text(e, "value").equals("true"));
    }

    static boolean isNative(JsonNode container) {
        return Tree.text(container, "restartPolicy").equals("Always");
    }

    private static boolean isHot(JsonNode container) {
        return Tree.text(container.path("upgradeStrategy"), "upgradeType").equals("HotUpgrade");
    }

    boolean isEmpty() {
        return init.isEmpty() && regular.isEmpty();
    }

    private void build(JsonNode content, JsonNode declared, boolean hot, List<Placed> into) {
        ObjectNode made = Tree.object();
        declared.properties().stream().filter(e -> !SET_MEMBERS.contains(e.getKey()) && !e.getValue().isNull())
                .forEach(e -> made.set(e.getKey(), e.getValue()));
        if (declared.path("resourcesPolicy").isObject()) {
            made.set("resources", new NaiveResources(targets()).compute(declared.path("resourcesPolicy")));
        }
        boolean shares = Tree.text(declared.path("shareVolumePolicy"), "type").equals("enabled");
        List<JsonNode> sharing = Tree.where(sources, c -> !isMarked(c));
        List<JsonNode> mounts = Tree.list(declared, "volumeMounts");
        List<JsonNode> devices = Tree.list(declared, "volumeDevices");
        List<JsonNode> extra = new ArrayList<>();
        declared.path("transferEnv").forEach(t -> extra.addAll(transferred(t)));
        if (shares) {
            for (JsonNode container : sharing) {
                for (JsonNode mount : Tree.list(container, "volumeMounts")) {
                    extra.addAll(variables(container, Tree.text(mount, "subPathExpr")));
                    String path = Tree.text(mount, "mountPath");
                    if (!Tree.has(mounts, "mountPath", path) && !Tree.has(devices, "devicePath", path)) {
                        mounts.add(mount);
                    }
                }
            }
        }
        if (Tree.text(declared.path("shareVolumeDevicePolicy"), "type").equals("enabled")) {
            for (JsonNode container : sharing) {
                for (JsonNode device : Tree.list(container, "volumeDevices")) {
                    String path = Tree.text(device, "devicePath");
                    if (!Tree.has(devices, "devicePath", path) && !Tree.has(mounts, "mountPath", path)) {
                        devices.add(device);
                    }
                }
            }
        }
        Tree.set(made, "volumeMounts", mounts);
        Tree.set(made, "volumeDevices", devices);
        List<JsonNode> env = Tree.list(declared, "env");
        env.add(Tree.object().put("name", "IS_INJECTED").put("value", "true"));
        for (JsonNode item : extra) {
            if (!Tree.has(env, "name", Tree.name(item))) {
                env.add(item);
            }
        }
        made.set("env", Tree.array(env));
        boolean before = Tree.text(declared, "podInjectPolicy").equals("BeforeAppContainer");
        if (hot) {
            into.add(new Placed(before, twin(made, "-1", Tree.text(declared, "image"), "1", "0")));
            into.add(new Placed(before, twin(made, "-2", Tree.text(declared.path("upgradeStrategy"), "hotUpgradeEmptyImage"), "0", "1")));
            working.put(Tree.name(declared), Tree.name(declared) + "-1");
        } else {
            into.add(new Placed(before, made));
        }
        for (String list : List.of("volumeMounts", "volumeDevices")) {
            for (JsonNode use : declared.path(list)) {
                Tree.list(content.path("spec"), "volumes").stream().filter(v -> Tree.name(v).equals(Tree.name(use))).findFirst()
                        .ifPresent(v -> volumes.putIfAbsent(Tree.name(v), v));
            }
        }
    }

    private ObjectNode twin(ObjectNode made, String suffix, String image, String version, String alt) {
        ObjectNode twin = made.deepCopy();
        String name = Tree.name(made) + suffix;
        twin.put("name", name);
        twin.remove("image");
        if (!image.isEmpty()) {
            twin.put("image", image);
        }
        for (List<String> each : List.of(List.of("SIDECARSET_VERSION", "version", version),
                List.of("SIDECARSET_VERSION_ALT", "versionalt", alt))) {
            String key = each.get(1) + ".sidecarset.kruise.io/" + name;
            marks.put(key, each.get(2));
            twin.withArray("env").addObject().put("name", each.get(0)).putObject("valueFrom").putObject("fieldRef").put("fieldPath",
                    "metadata.annotations['" + key + "']");
        }
        return twin;
    }

    private List<JsonNode> targets() {
        List<String> names = new ArrayList<>();
        for (JsonNode content : contents) {
            Tree.list(content.path("spec"), "initContainers").forEach(c -> names.add(Tree.name(c)));
            Tree.list(content.path("spec"), "containers").forEach(c -> names.add(Tree.name(c)));
        }
        List<String> ours = new ArrayList<>();
        contents.forEach(c -> ours.addAll(podNames(c)));
        List<JsonNode> targets = Tree.where(Tree.list(spec, "initContainers"),
                c -> isNative(c) && !(isMarked(c) && ours.contains(Tree.name(c))));
        targets.addAll(sources);
        return Tree.where(targets, c -> !names.contains(Tree.name(c)));
    }

    private List<JsonNode> transferred(JsonNode entry) {
        TreeSet<String> names = new TreeSet<>();
        names.add(Tree.text(entry, "envName"));
        names.remove("");
        entry.path("envNames").forEach(n -> names.add(n.stringValue("")));
        String source = Tree.text(entry, "sourceContainerName");
        JsonNode fieldRef = entry.path("sourceContainerNameFrom").path("fieldRef");
        if (fieldRef.isObject()) {
            Matcher path = Pattern.compile("metadata\\.(labels|annotations)\\['(.*)']").matcher(Tree.text(fieldRef, "fieldPath"));
            if (!path.matches() || !isKey(path.group(1).equals("labels") ? path.group(2) : path.group(2).toLowerCase(Locale.ROOT))) {
                return List.of();
            }
            source = (path.group(1).equals("labels") ? labels : annotations).getOrDefault(path.group(2), "");
        }
        List<JsonNode> found = new ArrayList<>();
        for (String name : names) {
            JsonNode last = null;
            for (JsonNode container : sources) {
                for (JsonNode env : container.path("env")) {
                    if (Tree.name(container).equals(source) && Tree.name(env).equals(name) && !isBarrier(env)) {
                        last = env;
                    }
                }
            }
            if (last != null) {
                found.add(last);
            }
        }
        return found;
    }

    private static boolean isKey(String key) {
        return key.matches("([a-z0-9]([-a-z0-9.]*[a-z0-9])?/)?[A-Za-z0-9]([-A-Za-z0-9_.]{0,61}[A-Za-z0-9])?");
    }

    private static List<JsonNode> variables(JsonNode container, String expression) {
        List<JsonNode> found = new ArrayList<>();
        Matcher hits = VARIABLE.matcher(expression);
        while (hits.find()) {
            Tree.list(container, "env").stream().filter(e -> Tree.name(e).equals(hits.group(1))).findFirst()
                    .filter(e -> !isBarrier(e)).ifPresent(found::add);
        }
        return found;
    }

    /** An earlier call may have put it there (FR-20). */
    private static boolean isBarrier(JsonNode env) {
        return Tree.name(env).equals("KRUISE_CONTAINER_BARRIER");
    }

    /** Puts everything into the pod's spec. */
    void place(boolean sorted, boolean refusesSameName) {
        init.sort(Comparator.comparing(Placed::name));
        if (sorted) {
            regular.sort(Comparator.comparing(Placed::name));
        }
        place("initContainers", init, refusesSameName);
        place("containers", regular, refusesSameName);
        List<JsonNode> all = Tree.list(spec, "volumes");
        volumes.values().stream().filter(v -> !Tree.has(Tree.list(spec, "volumes"), "name", Tree.name(v))).forEach(all::add);
        Tree.set(spec, "volumes", all);
        List<JsonNode> secrets = new ArrayList<>();
        List<JsonNode> offered = Tree.list(spec, "imagePullSecrets");
        contents.forEach(c -> offered.addAll(Tree.list(c.path("spec"), "imagePullSecrets")));
        offered.stream().filter(s -> !Tree.has(secrets, "name", Tree.name(s))).forEach(secrets::add);
        Tree.set(spec, "imagePullSecrets", secrets);
    }

    private void place(String member, List<Placed> built, boolean refusesSameName) {
        List<JsonNode> submitted = Tree.list(spec, member);
        List<JsonNode> front = new ArrayList<>();
        List<JsonNode> middle = new ArrayList<>(submitted);
        List<JsonNode> back = new ArrayList<>();
        for (Placed placed : built) {
            int at = submitted.stream().map(Tree::name).toList().indexOf(placed.name());
            if (at < 0) {
                (placed.before() ? front : back).add(placed.container());
            } else if (refusesSameName && !isMarked(submitted.get(at))) {
                throw new Refused("same-name");
            } else {
                middle.set(at, placed.container());
            }
        }
        front.addAll(middle);
        front.addAll(back);
        Tree.set(spec, member, front);
    }
}
