package dev.pillion.inject;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;

import dev.pillion.api.Json;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** What others do to a pod between two calls: other injectors, and the API server that decodes, defaults and encodes it. */
final class OtherInjectors {
    /** What a server leaves out when it is empty, wherever it stands. */
    private static final List<String> OMITTED = List.of("value", "readOnly", "stdin", "tty", "workingDir", "image", "command", "args",
            "ports",
            "envFrom", "volumeMounts", "volumeDevices", "initialDelaySeconds", "limits", "requests");
    private static final Map<String, String> CANONICAL = Map.of("0.5", "500m", "1073741824", "1073741824", "1000m", "1", "1024Mi", "1Gi");
    private final Dice dice;

    OtherInjectors(Random random) {
        this.dice = new Dice(random);
    }

    /** Additions that nothing of ours depends on: another container, annotation, volume, env, token mount, secret, label. */
    void addHarmless(ObjectNode pod) {
        ObjectNode spec = (ObjectNode) pod.path("spec");
        for (int i = 1 + dice.below(3); i > 0; i--) {
            switch (dice.below(8)) {
                case 0 -> insert(spec, "containers", Dice.object("{'name':'istio','image':'i','env':[{'name':'OTHER','value':'1'}]}"));
                case 1 -> insert(spec, "initContainers", Dice.object("{'name':'istio-init','image':'i','inventedByOther':1}"));
                case 2 ->
                    ((ObjectNode) pod.path("metadata")).withObject("/annotations").put("other.io/done", "yes").put("own~/key", "changed");
                case 3 -> list(spec, "volumes").insert(0, Dice.json("{'name':'other','emptyDir':{}}")).add(Dice.json("{'name':'z'}"));
                case 4 -> everyContainer(spec, c -> list(c, "env").insert(0, Dice.json("{'name':'OTHER_HOST','value':'h'}")).add(
                        Dice.json("{'name':'OTHER_PORT','value':'1'}")));
                case 5 -> everyContainer(spec, c -> c.withObject("/securityContext").put("runAsNonRoot", true));
                case 6 -> list(spec, "imagePullSecrets").addObject().put("name", "other" + i);
                default -> ((ObjectNode) pod.path("metadata")).withObject("/labels").put("other.io/label", "l");
            }
        }
    }

    /** Additions that sidecars may take over: mounts, devices, resources, sub-path variables. */
    void addSources(ObjectNode pod) {
        ObjectNode spec = (ObjectNode) pod.path("spec");
        ObjectNode container = Dice
                .object("{'name':'istio','env':[{'name':'B','value':'1'}],'volumeDevices':[{'name':'d','devicePath':'/dd'}],"
                        + "'volumeMounts':[{'name':'m','mountPath':'/mm','subPathExpr':'$(B)'}],"
                        + "'resources':{'limits':{'cpu':'300m','memory':'1Mi'},'requests':{'cpu':'10m'}}}");
        insert(spec, "containers", container);
        if (dice.heads()) {
            everyContainer(spec, c -> list(c, "volumeMounts").add(Dice.json("{'name':'token','mountPath':'/token'}")));
        }
    }

    private void insert(ObjectNode spec, String member, ObjectNode container) {
        ArrayNode list = list(spec, member);
        if (list.valueStream().noneMatch(c -> Parts.name(c).equals(Parts.name(container)))) {
            list.insert(dice.one("front", "back", "middle").equals("front") ? 0 : dice.below(list.size() + 1), container);
        }
    }

    private static ArrayNode list(ObjectNode object, String member) {
        return object.path(member) instanceof ArrayNode array ? array : object.putArray(member);
    }

    private static void everyContainer(ObjectNode spec, java.util.function.Consumer<ObjectNode> change) {
        for (String member : List.of("containers", "initContainers")) {
            spec.path(member).forEach(c -> change.accept((ObjectNode) c));
        }
    }

    /** The pod as a server stores it: members it does not know and empty ones are gone, quantities canonical, defaults there. */
    static void store(ObjectNode pod) {
        encode(pod);
        ObjectNode spec = (ObjectNode) pod.path("spec");
        spec.put("dnsPolicy", "ClusterFirst");
        everyContainer(spec, c -> {
            c.put("terminationMessagePath", "/dev/termination-log").put("imagePullPolicy", "IfNotPresent");
            ObjectNode resources = c.withObject("/resources");
            if (resources.has("limits")) {
                resources.path("limits").properties().forEach(e -> {
                    if (!resources.path("requests").has(e.getKey())) {
                        resources.withObject("/requests").set(e.getKey(), e.getValue());
                    }
                });
            }
            c.path("env").forEach(e -> {
                if (e.path("valueFrom").path("fieldRef") instanceof ObjectNode ref) {
                    ref.put("apiVersion", "v1");
                }
                if (e.path("valueFrom").path("resourceFieldRef") instanceof ObjectNode ref) {
                    ref.put("divisor", "0");
                }
            });
        });
    }

    private static void encode(JsonNode node) {
        if (node instanceof ObjectNode object) {
            for (Map.Entry<String, JsonNode> member : new ArrayList<>(object.properties())) {
                if (member.getKey().startsWith("invented") || member.getValue().isNull()
                        || (OMITTED.contains(member.getKey()) && isZero(member.getValue()))) {
                    object.remove(member.getKey());
                } else if (List.of("limits", "requests").contains(member.getKey())) {
                    member.getValue().properties().forEach(
                            e -> e.setValue(
                                    Json.NODES.stringNode(CANONICAL.getOrDefault(e.getValue().asString(), e.getValue().asString()))));
                } else {
                    encode(member.getValue());
                }
            }
        }
        if (node.isArray()) {
            node.forEach(OtherInjectors::encode);
        }
    }

    private static boolean isZero(JsonNode value) {
        return (value.isContainer() && value.isEmpty()) || value.asString("x").isEmpty() || (value.isBoolean() && !value.booleanValue())
                || (value.isNumber() && value.asInt(1) == 0);
    }
}
