package dev.pillion.startup;

import java.util.function.Predicate;
import java.util.function.Supplier;

import dev.pillion.api.PodKey;
import dev.pillion.kube.KubeException;
import dev.pillion.metrics.StartupMeters;

/** The one way to the API server's writes: asks before each whether this instance is still the one to act, and counts how it ended. */
final class Writer {
    private final Predicate<PodKey> mayWrite;
    private final StartupMeters meters;

    Writer(Predicate<PodKey> mayWrite, StartupMeters meters) {
        this.mayWrite = mayWrite;
        this.meters = meters;
    }

    /** @throws KubeException of the write, or one without code when another instance is responsible now */
    <T> T write(String what, PodKey pod, Supplier<T> request) {
        if (!mayWrite.test(pod)) {
            throw new KubeException(0, "NotResponsible", false, "another instance is responsible for Pod " + pod + " now");
        }
        try {
            T answer = request.get();
            meters.write(what, "ok");
            return answer;
        } catch (KubeException e) {
            meters.write(what, word(e));
            throw e;
        }
    }

    /** The stable word of a failure for metrics and outcomes. */
    static String word(KubeException e) {
        if (e.isGone()) {
            return "gone";
        }
        if (e.isConflict() || e.isAlreadyExists()) {
            return "conflict";
        }
        return e.isUnavailable() ? "unavailable" : "refused";
    }
}
