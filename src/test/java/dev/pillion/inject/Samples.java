package dev.pillion.inject;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;

import dev.pillion.api.Json;
import dev.pillion.api.SidecarSet;
import dev.pillion.inject.Injection.Patch;
import dev.pillion.inject.Injection.Refuse;
import dev.pillion.match.NamespaceView;
import dev.pillion.match.SetIndex;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** Small pods and sets for the tests of this package; texts use single quotes. */
final class Samples {
    static final Moment MOMENT = new Moment(InjectCase.NOW, 0.5, "abcde");
    static final NamespaceView NAMESPACE = new NamespaceView("n", java.util.Map.of("kubernetes.io/metadata.name", "n"));

    private Samples() {
    }

    static ObjectNode json(String text) {
        return (ObjectNode) Json.read(text.replace('\'', '"'));
    }

    /** A set with hashes that selects app=x. */
    static SidecarSet set(String name, String spec) {
        ObjectNode set = json("{'metadata':{'annotations':{'kruise.io/sidecarset-hash':'h','kruise.io/sidecarset-hash-without-image':'w'}},"
                + "'spec':{'selector':{'matchLabels':{'app':'x'}}},'status':{'latestRevision':'r'}}");
        ((ObjectNode) set.path("metadata")).put("name", name);
        ((ObjectNode) set.path("spec")).setAll(json(spec));
        return SidecarSet.of(set);
    }

    static SetIndex index(SidecarSet... sets) {
        return SetIndex.of(List.of(sets), List.of(NAMESPACE));
    }

    /** A pod p in namespace n with label app=x. */
    static ObjectNode pod(String spec) {
        ObjectNode pod = json("{'metadata':{'name':'p','namespace':'n','labels':{'app':'x'}}}");
        pod.set("spec", json(spec));
        return pod;
    }

    static Injection inject(ObjectNode pod, SetIndex index) {
        return inject(pod, index, InjectOptions.PILLION);
    }

    static Injection inject(ObjectNode pod, SetIndex index, InjectOptions options) {
        return Injector.inject(InjectRequest.create("n", "", pod, MOMENT), index, options);
    }

    /** The pod after a patch that must be one; the given pod must come out as it went in. */
    static ObjectNode injected(ObjectNode pod, SetIndex index, InjectOptions options) {
        JsonNode before = pod.deepCopy();
        Injection injection = inject(pod, index, options);
        assertThat(injection).isInstanceOf(Patch.class);
        assertThat((JsonNode) pod).isEqualTo(before);
        return (ObjectNode) InjectCase.apply(injection, pod);
    }

    static ObjectNode injected(ObjectNode pod, SetIndex index) {
        return injected(pod, index, InjectOptions.PILLION);
    }

    static Refuse refused(Injection injection) {
        assertThat(injection).isInstanceOf(Refuse.class);
        return (Refuse) injection;
    }

    static List<String> names(JsonNode pod, String list) {
        return pod.path("spec").path(list).valueStream().map(Parts::name).toList();
    }
}
