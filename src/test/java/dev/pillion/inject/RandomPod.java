package dev.pillion.inject;

import java.util.ArrayList;
import java.util.List;

import tools.jackson.databind.node.ObjectNode;

/** Pods as clients and API servers send them, with members nobody knows on every level. */
final class RandomPod {
    private static final List<String> NAMES = List.of("app", "web", "worker");
    private static final List<String> SIDECAR_NAMES = List.of("side00", "side01", "side10", "mesh", "mesh-1");
    private static final List<String> HASHES = List.of("", "null", "{}", "{\"gone\":\"abc\"}",
            "{\"gone\":{\"updateTimestamp\":\"2026-01-02T03:04:05Z\",\"hash\":\"g\",\"sidecarSetName\":\"gone\",\"sidecarList\":[\"b\",\"a\"],"
                    + "\"controllerRevision\":\"gone-1\"}}",
            "{ \"set0\": {\"hash\":\"old\",\"updateTimestamp\":null,\"sidecarList\":null}}");
    private final Dice dice;

    RandomPod(Dice dice) {
        this.dice = dice;
    }

    ObjectNode make() {
        ObjectNode pod = Dice.object("{'apiVersion':'v1','kind':'Pod','metadata':{},'spec':{'containers':[]}}");
        metadata((ObjectNode) pod.path("metadata"));
        spec((ObjectNode) pod.path("spec"));
        if (dice.onceIn(20)) {
            pod.putObject("status").put("phase", dice.one("Succeeded", "Failed", "Pending"));
        }
        dice.sprinkle(pod);
        return pod;
    }

    private void metadata(ObjectNode metadata) {
        if (dice.onceIn(4)) {
            metadata.put("generateName", dice.heads() ? "web-" : "w".repeat(70));
        } else {
            metadata.put("name", "p");
        }
        if (!dice.onceIn(6)) {
            metadata.put("namespace", dice.onceIn(10) ? dice.one("other", "unread") : "n");
        }
        ObjectNode labels = metadata.putObject("labels");
        if (!dice.onceIn(30)) {
            labels.put("app", "x");
        }
        labels.put("tier", dice.one("front", "back"));
        if (dice.heads()) {
            labels.put("main", dice.one("app", "web", "side00", ""));
        }
        if (dice.onceIn(12)) {
            metadata.putArray("ownerReferences").add(Dice.json("{'apiVersion':'v1','kind':'Odd','name':'o','uid':'1'}"))
                    .add(Dice.json("{'apiVersion':'" + dice.one("apps.kruise.io/v1alpha1", "apps/v1", "apps.kruise.io")
                            + "','kind':'CloneSet','name':'o','uid':'2','controller':true}"));
        }
        if (dice.onceIn(40)) {
            metadata.put("deletionTimestamp", "2026-01-01T00:00:00Z");
        }
        if (dice.onceIn(8)) {
            metadata.putNull("annotations");
        } else if (!dice.onceIn(4)) {
            annotations(metadata.putObject("annotations"));
        }
    }

    private void annotations(ObjectNode annotations) {
        annotations.put("own~/key", dice.one("v", "", "<&>\"\u2028é"));
        if (dice.heads()) {
            annotations.put("main", dice.one("app", "web"));
        }
        if (dice.heads()) {
            annotations.put("conf",
                    dice.one("{\"z\":1,\"a\":{\"y\":1, \"b\":2}}", "{\"z\":{\"q\":1, \"p\":\"<&>\"},\"a\":1}", "[1]", "\"t\"",
                            "7", ""));
        }
        if (dice.onceIn(5)) {
            annotations.put("apps.kruise.io/container-launch-priority", dice.one("Ordered", "Ordered", "ordered"));
        }
        if (dice.onceIn(4)) {
            annotations.put("kruise.io/sidecarset-hash", dice.one(HASHES));
            annotations.put("kruise.io/sidecarset-hash-without-image", dice.one(HASHES));
        }
        if (dice.onceIn(60)) {
            annotations.put("kruise.io/sidecarset-hash", dice.one("x", "[1]", "{\"a\":1}", "{\"a\":\"b\",\"c\":{\"hash\":\"d\"}}"));
        }
        if (dice.onceIn(6)) {
            annotations.put("kruise.io/sidecarset-injected-list", dice.one("gone", "set1,gone", "zz,aa,zz", ""));
        }
        if (dice.onceIn(6)) {
            annotations.put("kruise.io/sidecarset-working-hotupgrade-container", dice.one("{\"gone\":\"gone-2\"}", "x", "[]", "null", ""));
        }
    }

    private void spec(ObjectNode spec) {
        List<String> names = new ArrayList<>(NAMES.subList(0, 1 + dice.below(3)));
        if (dice.onceIn(8)) {
            names.add(dice.below(names.size() + 1), dice.one(SIDECAR_NAMES));
        }
        names.forEach(name -> spec.withArray("containers").add(container(name)));
        if (dice.onceIn(3)) {
            spec.withArray("initContainers").add(container("setup"));
        }
        if (dice.onceIn(3)) {
            spec.withArray("initContainers").add(container("own-native").put("restartPolicy", "Always"));
        }
        if (dice.onceIn(15)) {
            spec.withArray("initContainers").add(container(dice.one("init00", "init10-1")));
        }
        if (dice.heads()) {
            spec.withArray("volumes").add(Dice.json("{'name':'data','emptyDir':{}}"))
                    .add(Dice.json("{'name':'blk','hostPath':{'path':'/'}}"));
        }
        if (dice.onceIn(6)) {
            spec.withArray("volumes").add(Dice.json("{'name':'set-v','hostPath':{'path':'/own'}}"));
        }
        for (int i = dice.below(4); i > 0; i--) {
            spec.withArray("imagePullSecrets").addObject().put("name", dice.one("own", "set-0", "set-1"));
        }
        if (dice.onceIn(6)) {
            spec.withArray("readinessGates").addObject().put("conditionType", dice.one("KruisePodReady", "other"));
        }
        spec.set("tolerations", Dice.json("[{'key':'k','operator':'Exists'}]"));
        spec.put("nodeName", dice.one("", "node"));
        for (String list : List.of("initContainers", "volumes", "imagePullSecrets", "readinessGates")) {
            if (!spec.has(list) && dice.onceIn(6)) {
                if (dice.heads()) {
                    spec.putNull(list);
                } else {
                    spec.putArray(list);
                }
            }
        }
    }

    private ObjectNode container(String name) {
        ObjectNode container = Dice.object("{'lifecycle':{'stopSignal':'SIGUSR1'},'restartPolicyRules':[{'action':'Restart'}]}");
        container.put("name", name).put("image", name + ":1");
        if (dice.onceIn(8)) {
            container.putNull("env");
        }
        if (dice.heads()) {
            container.withArray("env").add(Dice.json("{'name':'A','value':'" + name + "'}"));
        }
        if (dice.heads()) {
            container.withArray("env").add(Dice.json("{'name':'POD','valueFrom':{'resourceFieldRef':{'resource':'limits.cpu'}}}"))
                    .add(Dice.json("{'name':'A','value':'again'}"));
        }
        if (dice.onceIn(6)) {
            container.withArray("env").addObject().put("name", "KRUISE_CONTAINER_PRIORITY")
                    .put("value", dice.onceIn(40) ? dice.one("", "x", "0x5") : dice.one("0", "1", "+5", "007", "-1"));
        }
        if (dice.onceIn(12)) {
            container.withArray("env").addObject().put("name", "IS_INJECTED").put("value", dice.one("true", "false"));
        }
        if (dice.onceIn(20)) {
            container.withArray("env").add(Dice.json(dice.one("{'name':'KRUISE_CONTAINER_BARRIER','value':'plain'}",
                    "{'name':'KRUISE_CONTAINER_BARRIER','valueFrom':{'configMapKeyRef':{'name':'q-barrier','key':'p_0'}}}")));
        }
        for (int i = dice.below(3); i > 0; i--) {
            ObjectNode mount = container.withArray("volumeMounts").addObject().put("name", "data").put("mountPath", "/" + dice.below(3));
            if (dice.heads()) {
                mount.put("subPathExpr", dice.one("$(A)", "x/$(POD)-$(NONE)$$(A)", "$(1A)$(.b"));
            }
        }
        if (dice.onceIn(3)) {
            container.withArray("volumeDevices").addObject().put("name", "blk").put("devicePath", "/" + dice.below(4));
        }
        for (String kind : List.of("limits", "requests")) {
            if (dice.onceIn(3)) {
                container.withObject("/resources").putObject(kind).put("cpu", dice.one("100m", "1", "2", "1500m", "0")).put("memory",
                        dice.one("100Mi", "1Gi", "1M", "2000Mi", "3"));
            }
        }
        return container;
    }
}
