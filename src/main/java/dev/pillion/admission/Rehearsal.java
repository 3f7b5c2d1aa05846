package dev.pillion.admission;

import java.time.Instant;
import java.util.List;

import dev.pillion.admission.ReviewCodec.Decoded;
import dev.pillion.api.Json;
import dev.pillion.api.SidecarSet;
import dev.pillion.api.TypedReader;
import dev.pillion.api.Wire;
import dev.pillion.inject.InjectOptions;
import dev.pillion.inject.InjectRequest;
import dev.pillion.inject.Injection;
import dev.pillion.inject.Injector;
import dev.pillion.inject.Moment;
import dev.pillion.match.SetIndex;

import tools.jackson.databind.node.ObjectNode;

/**
 * Goes a Pod's whole way from bytes to bytes in memory, with a set that takes the Pod, which none of the cluster's need do. The classes of
 * reading, injecting and writing are loaded and first compiled by that, on the caller's thread instead of an event loop (FR-62).
 */
public final class Rehearsal {
    private static final String APP = "rehearsal";
    private static final Moment MOMENT = new Moment(Instant.EPOCH, .5, "bcdfg");

    private Rehearsal() {
    }

    /**
     * Injects so many times. Blocking; leaves nothing behind, not even a count.
     *
     * @return bytes of the last answer, 0 when the Pod was not patched
     */
    public static int run(int rounds, InjectOptions options) {
        SetIndex index = SetIndex.of(List.of(SidecarSet.of(set())), List.of());
        byte[] review = Warmup.review("", "v1", "Pod", "pods", pod());
        int length = 0;
        TypedReader reader = ReviewCodec.podReader();
        for (int round = 0; round < rounds; round++) {
            length = answer(review, reader, index, options);
            if (round % 2 == 1) {
                // So that every other review is of a Pod never seen before.
                reader = ReviewCodec.podReader();
            }
        }
        return length;
    }

    private static int answer(byte[] body, TypedReader reader, SetIndex index, InjectOptions options) {
        if (ReviewCodec.decodePod(body, reader) instanceof Decoded.Read(Review review) && review.object().isPresent()) {
            InjectRequest request = InjectRequest.create(review.namespace(), review.name(), review.object().get(), MOMENT);
            if (Injector.inject(request, index, options) instanceof Injection.Patch patch) {
                return ReviewCodec.encode(review, new Answer.Allow(patch.ops(), patch.warnings())).length;
            }
        }
        return 0;
    }

    private static ObjectNode pod() {
        ObjectNode pod = Json.object().put("apiVersion", "v1").put("kind", "Pod");
        pod.putObject("metadata").put("name", APP).put("namespace", "default").putObject("labels").put("app", APP);
        ObjectNode container = pod.putObject("spec").putArray("containers").addObject().put("name", "app").put("image", "app:1");
        container.putArray("env").addObject().put("name", "ONE").put("value", "1");
        container.putArray("volumeMounts").addObject().put("name", "data").put("mountPath", "/data");
        pod.withObjectProperty("spec").putArray("volumes").addObject().put("name", "data").putObject("emptyDir");
        return pod;
    }

    /** A bit of everything that sets usually have. */
    private static ObjectNode set() {
        ObjectNode set = Json.object().put("apiVersion", Wire.V1BETA1).put("kind", Wire.KIND);
        set.putObject("metadata").put("name", APP).putObject("annotations").put(Wire.HASH, "a").put(Wire.HASH_WITHOUT_IMAGE, "b");
        ObjectNode spec = set.putObject("spec");
        spec.putObject("selector").putObject("matchLabels").put("app", APP);
        ObjectNode sharing = spec.putArray("containers").addObject().put("name", "sharing").put("image", "sidecar:1");
        sharing.putObject("shareVolumePolicy").put("type", "enabled");
        sharing.putArray("transferEnv").addObject().put("sourceContainerName", "app").put("envName", "ONE");
        sharing.putArray("volumeMounts").addObject().put("name", "logs").put("mountPath", "/logs");
        spec.withArrayProperty("containers").addObject().put("name", "plain").put("image", "sidecar:1").put("podInjectPolicy",
                "BeforeAppContainer");
        spec.putArray("initContainers").addObject().put("name", "prepare").put("image", "sidecar:1");
        spec.putArray("volumes").addObject().put("name", "logs").putObject("emptyDir");
        spec.putArray("imagePullSecrets").addObject().put("name", APP);
        return set;
    }
}
