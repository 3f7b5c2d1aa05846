package dev.pillion.inject;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;

import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** Sets, revisions, namespaces and a request of the form of the recorded cases; members may be such as only an unchecked write leaves. */
final class RandomSets {
    private static final List<String> SELECTORS = List.of("{'matchLabels':{'app':'x'}}",
            "{'matchExpressions':[{'key':'app','operator':'In','values':['x','y']},{'key':'tier','operator':'Exists'}]}",
            "{'matchExpressions':[{'key':'tier','operator':'NotIn','values':['back']}]}",
            "{'matchExpressions':[{'key':'none','operator':'DoesNotExist'}]}", "{'matchLabels':{'app':'x','tier':'front'}}");
    private static final List<String> NAMESPACES = List.of("{'matchLabels':{'kubernetes.io/metadata.name':'n'}}",
            "{'matchExpressions':[{'key':'kubernetes.io/metadata.name','operator':'In','values':['other','n']}]}",
            "{'matchLabels':{'team':'a'}}", "{'matchExpressions':[{'key':'team','operator':'NotIn','values':['b']}]}", "{}",
            "{'matchLabels':{'kubernetes.io/metadata.name':'other'}}");
    private static final List<String> CPU = List.of("cpu", "CPU*50%", "cpu*50%", "cpu*29%", "cpu/3", "max(cpu*50%, 50m)", "cpu+100m",
            "250m",
            "cpu*5x");
    private static final List<String> MEMORY = List.of("memory", "MEMORY*50%", "memory*33%", "memory/2", "max(memory, 64Mi)",
            "memory+100Mi",
            "200Mi");
    private static final List<String> VALUES = List.of("{\"z\":1,\"a\":null,\"b\":{\"y\":[null],\"c\":null}}",
            "{\"a\":{\"q\":[1,{\"n\":null}]}}",
            "{ \"b\" : 2 }", "[1]", "app", "");
    private final Dice dice;
    private final List<String> names = new ArrayList<>();

    private RandomSets(Dice dice) {
        this.dice = dice;
    }

    static ObjectNode input(Random random) {
        Dice dice = new Dice(random);
        RandomSets sets = new RandomSets(dice);
        ObjectNode input = Dice.object("{'namespaces':[{'metadata':{'name':'n','labels':{'kubernetes.io/metadata.name':'n','team':'a'}}},"
                + "{'metadata':{'name':'other','labels':{'kubernetes.io/metadata.name':'other'}}}]}");
        int count = 1 + dice.below(5);
        for (int i = 0; i < count; i++) {
            sets.set(i, input.withArray("sidecarSets"), input.withArray("controllerRevisions"));
        }
        ObjectNode request = input.putObject("request").put("operation", "CREATE").put("namespace", "n");
        request.set("pod", new RandomPod(dice).make());
        return input;
    }

    private void set(int number, ArrayNode into, ArrayNode revisions) {
        String name = "set" + number;
        ObjectNode set = into.addObject();
        ObjectNode metadata = set.putObject("metadata").put("name", name);
        ObjectNode annotations = hashes(metadata, "h" + number);
        if (number > 0 && dice.onceIn(8)) {
            annotations.put("apps.kruise.io/sidecarset-canary", dice.one("true", "true", "false")).put("apps.kruise.io/sidecarset-base",
                    "set" + dice.below(number));
        }
        set.putObject("status").put("latestRevision", dice.onceIn(8) ? "" : name + "-2");
        ObjectNode spec = set.putObject("spec");
        spec.set("selector", Dice.json(dice.heads() ? SELECTORS.getFirst() : dice.one(SELECTORS)));
        if (dice.onceIn(25)) {
            spec.set("selector", Dice.json(dice.one("{}", "null", "{'matchExpressions':[{'key':'app','operator':'Exists'}]}",
                    "{'matchLabels':{'app':'elsewhere'}}")));
        } else if (dice.onceIn(200)) {
            spec.set("selector", Dice.json("{'matchExpressions':[{'key':'app','operator':'Gt','values':['1']}]}"));
        }
        if (dice.onceIn(3)) {
            spec.set("namespaceSelector", Dice.json(dice.one(NAMESPACES)));
        }
        boolean pinned = dice.onceIn(4);
        content(number, spec, pinned ? 1 : 0);
        ObjectNode injection = spec.putObject("injectionStrategy");
        if (dice.onceIn(10)) {
            injection.put("paused", true);
        }
        ObjectNode update = spec.putObject("updateStrategy").put("type", dice.one("RollingUpdate", "NotUpdate"));
        if (pinned) {
            pin(name, injection.putObject("revision"), revisions, number);
            strategy(update);
        }
    }

    private static ObjectNode hashes(ObjectNode metadata, String hash) {
        return metadata.putObject("annotations").put("kruise.io/sidecarset-hash", hash).put("kruise.io/sidecarset-hash-without-image",
                hash + "-w");
    }

    private void pin(String name, ObjectNode pin, ArrayNode revisions, int number) {
        pin.put("policy", dice.one("Always", "Partial", "Partial", "Partial", ""));
        boolean missing = dice.onceIn(20);
        if (dice.heads()) {
            pin.put("revisionName", missing ? "missing" : name + "-1");
        } else {
            pin.put("customVersion", missing ? "missing" : "v1");
        }
        for (int i = 0; i < 2; i++) {
            ObjectNode revision = revisions.addObject().put("revision", i + 1);
            ObjectNode metadata = revision.putObject("metadata").put("name", name + "-" + (1 - i)).put("creationTimestamp",
                    "2026-01-01T00:00:00Z");
            metadata.putObject("labels").put("kruise.io/sidecarset-name", name).put("apps.kruise.io/sidecarset-custom-version", "v1");
            hashes(metadata, "old" + number + i);
            content(number, revision.putObject("data").putObject("spec").put("$patch", "replace"), 1);
        }
    }

    private void strategy(ObjectNode update) {
        if (dice.onceIn(6)) {
            update.put("paused", true);
        }
        if (dice.onceIn(3)) {
            update.set("selector", Dice.json(dice.one(SELECTORS)));
        }
        if (dice.heads()) {
            update.put("partition", dice.onceIn(30) ? dice.one("3", "x%") : dice.one("0%", "25%", "75%", "100%", "50.5%"));
        } else if (dice.heads()) {
            update.put("partition", dice.below(3));
        }
    }

    /** A version without containers leaves no mark on a Pod, so one that may be drawn has some. */
    private void content(int number, ObjectNode spec, int least) {
        names.clear();
        for (int i = Math.max(least, dice.below(4)); i > 0; i--) {
            spec.withArray("containers").add(sidecar(name("side" + number, "mesh")));
        }
        for (int i = dice.below(3); i > 0; i--) {
            ObjectNode container = sidecar(name("init" + number, "prep"));
            if (dice.heads()) {
                container.put("restartPolicy", "Always");
            }
            spec.withArray("initContainers").add(container);
        }
        spec.withArray("volumes").add(Dice.json("{'name':'set-v','emptyDir':{}}"))
                .add(Dice.json("{'name':'set-w','configMap':{'name':'c'}}"))
                .add(Dice.json("{'name':'set-" + number + "','emptyDir':{}}")).add(Dice.json("{'name':'set-unused','emptyDir':{}}"));
        for (int i = dice.below(3); i > 0; i--) {
            spec.withArray("imagePullSecrets").addObject().put("name", dice.one("set-0", "set-1", "set-2"));
        }
        // Validation refuses sets without containers; they leave no mark, so a key patched more than once does not come to rest.
        List<String> keys = names.isEmpty() ? List.of("k" + number) : List.of("k" + number, "k" + number, "conf", "main");
        for (int i = dice.onceIn(3) ? names.isEmpty() ? 1 : 2 : 0; i > 0; i--) {
            String policy = dice.one("Retain", "Overwrite", "MergePatchJson", "", "Odd");
            spec.withArray("patchPodMetadata").addObject().put("patchPolicy", policy).putObject("annotations")
                    .put(dice.one(keys),
                            policy.equals("MergePatchJson") && !dice.onceIn(20) ? dice.one(VALUES.subList(0, 3)) : dice.one(VALUES));
        }
    }

    /** Unique in its set; now and then one that another set or the pod may have too. */
    private String name(String base, String common) {
        String name = dice.onceIn(12) ? common : base + names.size();
        if (names.contains(name)) {
            name = base + names.size();
        }
        names.add(name);
        return name;
    }

    private ObjectNode sidecar(String name) {
        ObjectNode container = Dice.object("{}").put("name", name).put("image", "i:" + dice.below(3)).put("inventedSidecar", 2);
        if (!dice.onceIn(6)) {
            container.put("podInjectPolicy", dice.one("BeforeAppContainer", "AfterAppContainer", "Odd"));
        }
        container.putObject("upgradeStrategy").put("upgradeType", dice.onceIn(4) ? "HotUpgrade" : "ColdUpgrade")
                .put("hotUpgradeEmptyImage", dice.one("empty", "empty", ""));
        container.putObject("shareVolumePolicy").put("type", dice.one("enabled", "disabled", ""));
        if (dice.heads()) {
            container.putObject("shareVolumeDevicePolicy").put("type", dice.one("enabled", "disabled"));
        }
        for (int i = dice.below(3); i > 0; i--) {
            container.withArray("volumeMounts").addObject().put("name", dice.one("set-v", "set-w", "set-0", "ghost"))
                    .put("mountPath", "/" + dice.below(4)).put("readOnly", false);
        }
        if (dice.onceIn(4)) {
            container.withArray("volumeDevices").addObject().put("name", dice.one("set-1", "ghost")).put("devicePath", "/" + dice.below(4));
        }
        env(container);
        if (dice.onceIn(3)) {
            container.set("resources", Dice.json("{'limits':{'cpu':'0.5','memory':1073741824},'requests':{'cpu':'100m'}}"));
        } else if (dice.heads()) {
            container.putObject("resources");
        }
        if (dice.onceIn(5)) {
            resourcesPolicy(container.putObject("resourcesPolicy"));
        }
        dice.sprinkle(container.path("env"));
        return container;
    }

    private void env(ObjectNode container) {
        if (dice.onceIn(3)) {
            container.withArray("env").addObject().put("name", dice.one("A", "X", "IS_INJECTED")).put("value", dice.one("own", ""));
        }
        if (dice.onceIn(10)) {
            container.withArray("env").addObject().put("name", "KRUISE_CONTAINER_PRIORITY").put("value", dice.one("0", "1", "2"));
        }
        for (int i = dice.below(3); i > 0; i--) {
            ObjectNode transfer = container.withArray("transferEnv").addObject();
            if (dice.heads()) {
                transfer.put("sourceContainerName", dice.one("app", "web", "side00", "mesh-1", "none"));
            }
            if (dice.heads()) {
                transfer.put("envName", dice.one("A", "POD", "NONE", "KRUISE_CONTAINER_PRIORITY", "KRUISE_CONTAINER_BARRIER"));
            }
            if (dice.heads()) {
                transfer.withArray("envNames").add("POD").add(dice.one("A", "IS_INJECTED"));
            }
            if (dice.onceIn(3)) {
                ObjectNode from = transfer.putObject("sourceContainerNameFrom");
                if (!dice.onceIn(6)) {
                    from.putObject("fieldRef").put("fieldPath",
                            dice.one("metadata.labels['main']", "metadata.annotations['main']", "metadata.labels['none']", "metadata.name",
                                    "metadata.labels[main]", "metadata.annotations['Main']", "metadata.labels['bad key']",
                                    "metadata.labels['']",
                                    "metadata.annotations['kruise.io/sidecarset-injected-list']"));
                }
            }
        }
    }

    private void resourcesPolicy(ObjectNode policy) {
        policy.put("targetContainersMode", dice.one("sum", "max"))
                .put("targetContainersNameRegex",
                        dice.onceIn(25) ? dice.one("(", "^nobody$") : dice.one(".*", "a", "^(app|web|own-native)$"));
        ObjectNode expressions = policy.putObject("resourcesExpr");
        for (String kind : List.of("limits", "requests")) {
            if (!dice.onceIn(4)) {
                ObjectNode each = expressions.putObject(kind);
                each.put("cpu", dice.onceIn(60) ? dice.one("-1*cpu", "cpu*") : dice.one(CPU));
                if (dice.heads()) {
                    each.put("memory", dice.one(MEMORY));
                }
            }
        }
    }
}
