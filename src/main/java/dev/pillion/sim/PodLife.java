package dev.pillion.sim;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Stream;

import dev.pillion.sim.SimPod.Condition;
import dev.pillion.sim.SimPod.ConfigKey;
import dev.pillion.sim.SimPod.Run;
import dev.pillion.sim.SimPod.State;
import dev.pillion.sim.SimPod.Unit;

/**
 * What a node does next with a Pod, from nothing but the Pod itself, so that a restarted simulator goes on where it was. Pure.
 * <ol>
 * <li>Being deleted: it is removed.</li>
 * <li>On no node: it is bound.</li>
 * <li>Without any container state: all containers start.</li>
 * <li>A running container whose image is not the one it should be: it is stopped; the status keeps telling of the old image, as a real node does.
 * Conditions that do not follow from the rest (a readiness gate opened) are corrected in the same way, at once.</li>
 * <li>A stopped container: the new image starts with one restart more, or waits for ever when it cannot be pulled.</li>
 * <li>A container that needs a key of a ConfigMap which is not there waits, and is tried again and again.</li>
 * </ol>
 */
final class PodLife {
    static final String PULL = "ImagePullBackOff";
    static final String CONFIG = "CreateContainerConfigError";
    static final String DONE = "Completed";
    private static final String STOPPED = "Stopped";

    /** The kinds of steps; each has its own delay. */
    enum Step {
        REMOVE, BIND, START, STOP, RESTART
    }

    private final Predicate<String> canPull;

    PodLife(Predicate<String> canPull) {
        this.canPull = canPull;
    }

    Optional<Step> next(SimPod pod) {
        if (pod.deleting()) {
            return Optional.of(Step.REMOVE);
        }
        if (pod.phase().equals("Succeeded") || pod.phase().equals("Failed")) {
            return Optional.empty();
        }
        if (pod.node().isEmpty()) {
            return Optional.of(Step.BIND);
        }
        if (pod.states().isEmpty()) {
            return Optional.of(Step.START);
        }
        for (Step step : List.of(Step.STOP, Step.RESTART)) {
            if (changes(pod, after(pod, step, "", _ -> true))) {
                return Optional.of(step);
            }
        }
        return Optional.empty();
    }

    /** The keys that a step asks for: those of the containers it would start. */
    static Set<ConfigKey> needs(SimPod pod) {
        Set<ConfigKey> needs = new HashSet<>();
        Stream.concat(pod.init().stream(), pod.containers().stream()).filter(u -> !isRunning(pod.states(), u))
                .forEach(u -> needs.addAll(u.needs()));
        return needs;
    }

    /**
     * The Pod's status after a step other than REMOVE and BIND.
     *
     * @param configured whether a key of {@link #needs} is there
     */
    SimPod after(SimPod pod, Step step, String now, Predicate<ConfigKey> configured) {
        Map<String, State> states = new LinkedHashMap<>();
        Moment moment = new Moment(step, now, configured);
        for (Unit unit : pod.init()) {
            states.put(unit.name(), state(pod, unit, moment));
        }
        for (Unit unit : pod.containers()) {
            states.put(unit.name(), state(pod, unit, moment));
        }
        boolean running = pod.containers().stream().anyMatch(u -> isRunning(states, u)) || pod.phase().equals("Running");
        String phase = running ? "Running" : "Pending";
        String start = pod.startTime().isEmpty() ? now : pod.startTime();
        boolean ready = pod.containers().stream().allMatch(u -> isRunning(states, u))
                && pod.init().stream().filter(Unit::keepsRunning).allMatch(u -> isRunning(states, u));
        boolean open = pod.gates().stream().allMatch(g -> pod.conditions().getOrDefault(g, new Condition("", "")).status().equals("True"));
        Map<String, Condition> conditions = new LinkedHashMap<>();
        condition(pod, conditions, "PodScheduled", true, now);
        condition(pod, conditions, "Initialized", true, now);
        condition(pod, conditions, "ContainersReady", ready, now);
        condition(pod, conditions, "Ready", ready && open, now);
        return new SimPod(pod.namespace(), pod.name(), pod.uid(), pod.version(), pod.node(), pod.deleting(), phase, start, pod.init(),
                pod.containers(), pod.gates(), states, conditions);
    }

    static boolean changes(SimPod before, SimPod after) {
        return !before.phase().equals(after.phase()) || !before.states().equals(after.states())
                || after.conditions().entrySet().stream().anyMatch(
                        e -> !before.conditions().getOrDefault(e.getKey(), new Condition("", "")).status().equals(e.getValue().status()));
    }

    private record Moment(Step step, String now, Predicate<ConfigKey> configured) {
        boolean starts() {
            return step == Step.START || step == Step.RESTART;
        }
    }

    private State state(SimPod pod, Unit unit, Moment moment) {
        State is = pod.states().get(unit.name());
        if (is == null) {
            return moment.starts()
                    ? launch(unit, new State(Run.WAITING, "", "", "", 0, ""), moment)
                    : new State(Run.WAITING, "ContainerCreating", unit.image(), "", 0, "");
        }
        if (!unit.keepsRunning() && is.run() == Run.ENDED) {
            return is;
        }
        if (moment.step == Step.STOP && is.run() == Run.RUNNING && !is.image().equals(unit.image())) {
            return new State(Run.ENDED, STOPPED, is.image(), is.imageId(), is.restarts(), "");
        }
        return moment.starts() && is.run() != Run.RUNNING ? launch(unit, is, moment) : is;
    }

    private State launch(Unit unit, State before, Moment moment) {
        boolean pulled = canPull.test(unit.image());
        if (!pulled || !unit.needs().stream().allMatch(moment.configured)) {
            // A real node goes on telling of the image that ran last.
            String image = before.imageId().isEmpty() ? unit.image() : before.image();
            return new State(Run.WAITING, pulled ? CONFIG : PULL, image, before.imageId(), before.restarts(), "");
        }
        int restarts = before.imageId().isEmpty() ? before.restarts() : before.restarts() + 1;
        return unit.keepsRunning()
                ? new State(Run.RUNNING, "", unit.image(), imageId(unit.image()), restarts, moment.now)
                : new State(Run.ENDED, DONE, unit.image(), imageId(unit.image()), restarts, "");
    }

    private static boolean isRunning(Map<String, State> states, Unit unit) {
        State state = states.get(unit.name());
        return state != null && state.run() == Run.RUNNING;
    }

    private static void condition(SimPod pod, Map<String, Condition> conditions, String type, boolean holds, String now) {
        Condition before = pod.conditions().getOrDefault(type, new Condition("", ""));
        String status = holds ? "True" : "False";
        conditions.put(type, before.status().equals(status) ? before : new Condition(status, now));
    }

    /** The repository with a digest: the one the image names, else one made from its text. */
    static String imageId(String image) {
        int at = image.indexOf('@');
        if (at >= 0) {
            return repository(image.substring(0, at)) + image.substring(at);
        }
        return repository(image) + "@sha256:" + sha256(image);
    }

    private static String repository(String image) {
        int colon = image.indexOf(':', image.lastIndexOf('/') + 1);
        return colon < 0 ? image : image.substring(0, colon);
    }

    static String sha256(String text) {
        try {
            return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8)));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java has SHA-256", e);
        }
    }
}
