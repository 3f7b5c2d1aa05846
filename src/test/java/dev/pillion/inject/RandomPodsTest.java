package dev.pillion.inject;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;

import org.junit.jupiter.api.Test;

import dev.pillion.api.Json;
import dev.pillion.api.SidecarSet;
import dev.pillion.api.Wire;
import dev.pillion.match.SetIndex;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Random pods and sets (FR-03, FR-20): the patch applies, everything that is not ours stays, a second call does nothing. A seed can be
 * given with -Dpillion.seed.
 */
final class RandomPodsTest {
    private static final int ROUNDS = 1500;

    @Test
    void keepsWhatIsNotOursAndRepeatsToNothing() {
        long first = Long.getLong("pillion.seed", 0);
        int patched = 0;
        for (long seed = first; seed < first + ROUNDS; seed++) {
            Random random = new Random(seed);
            List<SidecarSet> sets = new ArrayList<>();
            int count = 1 + random.nextInt(4);
            for (int i = 0; i < count; i++) {
                sets.add(set(random, i));
            }
            SetIndex index = SetIndex.of(sets, List.of(Samples.NAMESPACE));
            ObjectNode pod = pod(random);
            InjectOptions options = options(random);
            Injection injection = Samples.inject(pod, index, options);
            assertThat(injection).as("seed %d", seed).isNotInstanceOf(Injection.Refuse.class);
            if (injection instanceof Injection.Skip) {
                continue;
            }
            patched++;
            JsonNode result = InjectCase.apply(injection, pod);
            assertThat(stripped(result, pod, sets)).as("seed %d", seed).isEqualTo(pod);
            assertThat(Samples.inject((ObjectNode) result, index, options)).as("second call, seed %d", seed)
                    .isInstanceOf(Injection.Skip.class);
        }
        assertThat(patched).isGreaterThan(ROUNDS / 2);
    }

    private static InjectOptions options(Random random) {
        return InjectOptions.PILLION.with(InjectOptions.SameName.REFUSE,
                random.nextBoolean() ? InjectOptions.Sort.BY_NAME : InjectOptions.Sort.AS_WRITTEN,
                random.nextBoolean() ? InjectOptions.ReadinessGate.ALL : InjectOptions.ReadinessGate.OWNED,
                InjectOptions.LaunchPriority.ON);
    }

    /** The result without everything that injection may add; must be the pod as submitted, in every member and in order. */
    private static JsonNode stripped(JsonNode result, ObjectNode pod, List<SidecarSet> sets) {
        ObjectNode copy = (ObjectNode) result.deepCopy();
        ObjectNode spec = (ObjectNode) copy.path("spec");
        Set<String> ours = new HashSet<>();
        sets.forEach(s -> s.containers().forEach(c -> ours.addAll(c.podNames())));
        sets.forEach(s -> s.initContainers().forEach(c -> ours.addAll(c.isNative() ? c.podNames() : List.of(c.name()))));
        for (String list : List.of("containers", "initContainers")) {
            drop(spec, list, n -> ours.contains(Parts.name(n)));
        }
        for (JsonNode container : spec.path("containers")) {
            drop((ObjectNode) container, "env", n -> Parts.name(n).equals(Wire.LAUNCH_BARRIER));
        }
        drop(spec, "volumes", n -> Parts.name(n).startsWith("set-"));
        drop(spec, "imagePullSecrets", n -> Parts.name(n).startsWith("set-"));
        drop(spec, "readinessGates", n -> Json.text(n, "conditionType").equals("KruisePodReady"));
        for (String list : List.of("initContainers", "volumes", "imagePullSecrets", "readinessGates")) {
            if (!pod.path("spec").has(list) && spec.path(list).isEmpty()) {
                spec.remove(list);
            }
        }
        for (int i = 0; i < spec.path("containers").size(); i++) {
            if (!pod.path("spec").path("containers").path(i).has("env")) {
                ((ObjectNode) spec.path("containers").path(i)).remove("env");
            }
        }
        JsonNode annotations = copy.path("metadata").path("annotations");
        if (annotations instanceof ObjectNode object) {
            object.properties().stream().map(e -> e.getKey()).filter(k -> k.contains("kruise.io/") || k.startsWith("set-")).toList()
                    .forEach(object::remove);
            if (object.isEmpty() && !pod.path("metadata").has("annotations")) {
                ((ObjectNode) copy.path("metadata")).remove("annotations");
            }
        }
        return copy;
    }

    private static void drop(ObjectNode parent, String list, java.util.function.Predicate<JsonNode> ours) {
        if (parent.path(list) instanceof ArrayNode array) {
            ArrayNode kept = Json.NODES.arrayNode();
            array.valueStream().filter(ours.negate()).forEach(kept::add);
            parent.set(list, kept);
        }
    }

    private static ObjectNode pod(Random random) {
        ObjectNode pod = Samples.json("{'metadata':{'name':'p','namespace':'n','labels':{'app':'x'},'inventedMeta':{'a':[1,{}]}},"
                + "'spec':{'inventedSpec':[null,1.50],'containers':[]},'inventedTop':true}");
        ObjectNode spec = (ObjectNode) pod.path("spec");
        int count = 1 + random.nextInt(3);
        for (int i = 0; i < count; i++) {
            spec.withArray("containers").add(container(random, "app" + i));
        }
        if (random.nextBoolean()) {
            spec.withArray("initContainers").add(container(random, "setup"));
        }
        if (random.nextBoolean()) {
            spec.withArray("initContainers").add(container(random, "own-native").put("restartPolicy", "Always"));
        }
        if (random.nextBoolean()) {
            spec.withArray("volumes").addObject().put("name", "data").putObject("emptyDir");
        }
        if (random.nextBoolean()) {
            spec.withArray("imagePullSecrets").addObject().put("name", "own");
        }
        if (random.nextBoolean()) {
            ((ObjectNode) pod.path("metadata")).putObject("annotations").put("own~/key", "v");
        }
        return pod;
    }

    private static ObjectNode container(Random random, String name) {
        ObjectNode container = Samples.json("{'lifecycle':{'stopSignal':'SIGUSR1'},'restartPolicyRules':[{'action':'Restart'}]}");
        container.put("name", name).put("inventedNumber", 1.50);
        if (random.nextBoolean()) {
            ArrayNode env = container.withArray("env");
            env.addObject().put("name", "A").put("value", name).put("inventedEnv", 1);
            if (random.nextInt(3) == 0) {
                env.addObject().put("name", "KRUISE_CONTAINER_PRIORITY").put("value", "" + random.nextInt(3));
            }
        }
        if (random.nextBoolean()) {
            container.withArray("volumeMounts").addObject().put("name", "data").put("mountPath", "/" + random.nextInt(2))
                    .put("subPathExpr", "$(A)");
        }
        if (random.nextBoolean()) {
            container.withArray("volumeDevices").addObject().put("name", "blk").put("devicePath", "/" + random.nextInt(3));
        }
        if (random.nextBoolean()) {
            container.putObject("resources").putObject("limits").put("cpu", random.nextInt(900) + "m").put("memory", "100Mi");
        }
        return container;
    }

    private static SidecarSet set(Random random, int number) {
        ObjectNode spec = Json.object();
        int containers = random.nextInt(3);
        for (int i = 0; i < containers; i++) {
            spec.withArray("containers").add(sidecar(random, "side" + number + i));
        }
        int init = random.nextInt(3);
        for (int i = 0; i < init; i++) {
            ObjectNode container = sidecar(random, "init" + number + i);
            if (random.nextBoolean()) {
                container.put("restartPolicy", "Always");
            }
            spec.withArray("initContainers").add(container);
        }
        spec.withArray("volumes").addObject().put("name", "set-v").putObject("emptyDir");
        if (random.nextBoolean()) {
            spec.withArray("imagePullSecrets").addObject().put("name", "set-" + random.nextInt(2));
        }
        if (random.nextBoolean()) {
            spec.withArray("patchPodMetadata").addObject()
                    .put("patchPolicy", List.of("Retain", "Overwrite", "MergePatchJson").get(random.nextInt(3))).putObject("annotations")
                    .put("set-" + number, "{\"z\":1,\"a\":null,\"b\":{\"y\":[null],\"c\":null}}");
        }
        return Samples.set("set" + number, spec.toString());
    }

    private static ObjectNode sidecar(Random random, String name) {
        ObjectNode container = Json.object().put("name", name).put("image", "i:" + random.nextInt(3)).put("inventedSidecar", 2);
        container.put("podInjectPolicy", random.nextBoolean() ? "BeforeAppContainer" : "AfterAppContainer");
        container.putObject("upgradeStrategy").put("upgradeType", random.nextInt(3) == 0 ? "HotUpgrade" : "ColdUpgrade")
                .put("hotUpgradeEmptyImage", random.nextBoolean() ? "empty" : "");
        container.putObject("shareVolumePolicy").put("type", random.nextBoolean() ? "enabled" : "disabled");
        container.putObject("shareVolumeDevicePolicy").put("type", random.nextBoolean() ? "enabled" : "disabled");
        if (random.nextBoolean()) {
            container.withArray("volumeMounts").addObject().put("name", "set-v").put("mountPath", "/" + random.nextInt(3));
        }
        if (random.nextInt(4) == 0) {
            container.withArray("env").addObject().put("name", "KRUISE_CONTAINER_PRIORITY").put("value", "" + random.nextInt(3));
        }
        if (random.nextBoolean()) {
            container.withArray("transferEnv").addObject()
                    .put("sourceContainerName", List.of("app0", "side00", "side10-1").get(random.nextInt(3))).put("envName", "A")
                    .withArray("envNames").add("IS_INJECTED").add("KRUISE_CONTAINER_PRIORITY");
        }
        if (random.nextInt(4) == 0) {
            ObjectNode policy = container.putObject("resourcesPolicy");
            policy.put("targetContainersMode", random.nextBoolean() ? "sum" : "max").put("targetContainersNameRegex", ".*")
                    .putObject("resourcesExpr").putObject("limits").put("cpu", "cpu*50%").put("memory", "max(memory, 64Mi)");
        }
        return container;
    }
}
