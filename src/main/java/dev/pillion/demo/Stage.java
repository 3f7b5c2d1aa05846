package dev.pillion.demo;

import java.io.Console;
import java.io.PrintStream;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;

import dev.pillion.api.Json;
import dev.pillion.api.SidecarSet;
import dev.pillion.api.Wire;
import dev.pillion.kube.Objects;

import tools.jackson.databind.node.ObjectNode;

/** The cluster as the demo sees it: applies objects, looks at the pods again and again, and draws what it sees. */
final class Stage {
    private static final long LOOK_EVERY_MILLIS = 250;

    private final Objects objects;
    private final PrintStream out;
    private final LiveTable table;
    private final CountDownLatch stopped;

    @SuppressWarnings("SystemConsoleNull") // null-checked for the null rules; isTerminal decides
    Stage(Objects objects, PrintStream out, CountDownLatch stopped) {
        this.objects = objects;
        this.out = out;
        this.stopped = stopped;
        Console console = System.console();
        this.table = new LiveTable(out, console != null && console.isTerminal() ? LiveTable.Target.TERMINAL : LiveTable.Target.FILE);
    }

    void title(String text) {
        table.close();
        out.println();
        out.println(text);
    }

    /** Applies the objects in their order and returns the answers. */
    List<ObjectNode> apply(List<ObjectNode> wanted) {
        List<ObjectNode> answers = new ArrayList<>();
        wanted.forEach(o -> answers.add(objects.apply(o)));
        return answers;
    }

    Progress progress(List<ObjectNode> sets) {
        List<SidecarSet> stored = new ArrayList<>();
        for (ObjectNode set : sets) {
            objects.get(Wire.V1BETA1, Wire.KIND, "", Json.text(set.path("metadata"), "name")).ifPresent(s -> stored.add(SidecarSet.of(s)));
        }
        return Progress.of(stored, objects.list("v1", "Pod", ""));
    }

    /** Waits until that many pods exist and all of them are ready; empty when they are, else what is wrong. */
    Optional<String> awaitPods(int wanted, List<ObjectNode> sets, Duration deadline) throws InterruptedException {
        Optional<Progress> last = until(sets, s -> s.total() >= wanted && s.unready() == 0, deadline);
        return last.map(s -> s.total() + " of " + wanted + " pods exist, " + s.unready() + " of them are not ready").or(() -> {
            Progress now = progress(sets);
            return now.pods() > 0
                    ? Optional.empty()
                    : Optional.of("no pod got a sidecar: do the selectors of the SidecarSets match the pods' labels?");
        });
    }

    /** Waits until the controller has looked at the sets: pods created earlier might miss their sidecars. Empty when it has. */
    Optional<String> awaitKnown(List<ObjectNode> sets, Duration deadline) throws InterruptedException {
        long end = System.nanoTime() + deadline.toNanos();
        while (!sets.stream().allMatch(this::isKnown)) {
            if (System.nanoTime() > end || stopped.await(LOOK_EVERY_MILLIS, TimeUnit.MILLISECONDS)) {
                return Optional.of("the controller did not look at the SidecarSets in time");
            }
        }
        return Optional.empty();
    }

    private boolean isKnown(ObjectNode set) {
        return objects.get(Wire.V1BETA1, Wire.KIND, "", Json.text(set.path("metadata"), "name"))
                .filter(s -> s.at("/status/observedGeneration").equals(s.at("/metadata/generation"))).isPresent();
    }

    Optional<String> awaitRollout(List<ObjectNode> sets, Duration deadline) throws InterruptedException {
        return until(sets, Progress::isComplete, deadline)
                .map(s -> "the roll-out did not end in time: " + s.line()
                        + (s.movingPods().isEmpty() ? "" : "; waiting for " + some(s.movingPods())));
    }

    /** Waits until some pods are on their way and nothing has moved for that long, and says why. */
    Optional<String> awaitStandstill(List<ObjectNode> sets, Duration standstill, Duration deadline) throws InterruptedException {
        long[] since = {System.nanoTime()};
        Progress[] before = {progress(sets)};
        Optional<Progress> last = until(sets, now -> {
            if (!now.equals(before[0]) || now.moving() == 0) {
                before[0] = now;
                since[0] = System.nanoTime();
            }
            return System.nanoTime() - since[0] >= standstill.toNanos();
        }, deadline);
        if (last.isPresent()) {
            return Optional.of("the roll-out of the bad image did not stop: " + last.get().line());
        }
        Progress now = before[0];
        out.println("  stopped at the limit: " + now.moving() + " of " + now.pods() + " pods are unavailable (" + some(now.movingPods())
                + "), and maxUnavailable allows no more");
        reasons(sets).forEach(r -> out.println("  the controller says: " + r));
        return Optional.empty();
    }

    /** Notes of the events about the sets, newest last. */
    private List<String> reasons(List<ObjectNode> sets) {
        List<String> names = sets.stream().map(s -> Json.text(s.path("metadata"), "name")).toList();
        return objects.list("events.k8s.io/v1", "Event", "default").stream()
                .filter(e -> Json.text(e.path("regarding"), "kind").equals(Wire.KIND)
                        && names.contains(Json.text(e.path("regarding"), "name")))
                .map(e -> Json.text(e, "reason") + ": " + Json.text(e, "note")).toList();
    }

    /** Empty when the condition came true; else what was seen last. */
    private Optional<Progress> until(List<ObjectNode> sets, Function<Progress, Boolean> condition, Duration deadline)
            throws InterruptedException {
        long end = System.nanoTime() + deadline.toNanos();
        Progress now = progress(sets);
        table.draw(now.rows(), now.line());
        while (!condition.apply(now)) {
            if (System.nanoTime() > end || stopped.await(LOOK_EVERY_MILLIS, TimeUnit.MILLISECONDS)) {
                return Optional.of(now);
            }
            now = progress(sets);
            table.draw(now.rows(), now.line());
        }
        return Optional.empty();
    }

    private static String some(List<String> pods) {
        int shown = 3;
        return String.join(", ", pods.subList(0, Math.min(shown, pods.size())))
                + (pods.size() > shown ? " and " + (pods.size() - shown) + " more" : "");
    }
}
