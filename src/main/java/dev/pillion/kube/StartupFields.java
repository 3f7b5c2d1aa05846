package dev.pillion.kube;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

import dev.pillion.api.PodStartup;
import dev.pillion.api.PodStartup.Barrier;
import dev.pillion.api.PodStartup.Launch;
import dev.pillion.api.PodStartup.ReadyGate;
import dev.pillion.api.Wire;

/**
 * Collects the PodStartup of one Pod while its members stream by, in whatever order. A Pod without gate and barriers costs no object; of
 * its env no text is made.
 */
final class StartupFields {
    static final State RUNNING = new State(false, false);

    /** What a container's status says of its start. */
    record State(boolean unconfigured, boolean ended) {
    }

    private boolean gated;
    private Optional<ReadyGate> condition = Optional.empty();
    private boolean completed;
    private List<Barrier> barriers = List.of();
    private Set<String> unconfigured = Set.of();
    private Set<String> ended = Set.of();

    PodStartup startup() {
        ReadyGate gate = gated ? condition.orElseGet(ReadyGate.Unset::new) : new ReadyGate.Settled();
        return PodStartup.of(gate, barriers.isEmpty() ? Optional.empty() : Launch.of(barriers, completed, unconfigured, ended));
    }

    void completed(String annotation) {
        completed = annotation.equals("true");
    }

    void readinessGates(JsonCursor json) {
        gated = false;
        if (!json.entersArray()) {
            return;
        }
        while (json.nextItem()) {
            if (json.entersObject()) {
                for (String member = json.nextName(); member != null; member = json.nextName()) {
                    if (member.equals("conditionType")) {
                        gated |= json.text().equals(Wire.READY_GATE);
                    } else {
                        json.skip();
                    }
                }
            }
        }
    }

    void noConditions() {
        condition = Optional.empty();
    }

    /** Only the first condition of the type counts. */
    void condition(String status, String since, String message) {
        if (condition.isEmpty()) {
            condition = Optional.of(status.equals("True") ? new ReadyGate.Settled() : new ReadyGate.Closed(since, message));
        }
    }

    /** The key of each barrier env, "" where it has none. */
    static List<String> barrierKeys(JsonCursor json) {
        List<String> keys = List.of();
        if (!json.entersArray()) {
            return keys;
        }
        while (json.nextItem()) {
            if (!json.entersObject()) {
                continue;
            }
            boolean barrier = false;
            String key = "";
            for (String member = json.nextName(); member != null; member = json.nextName()) {
                switch (member) {
                    case "name" -> barrier = isBarrier(json);
                    case "valueFrom" -> key = configMapKey(json);
                    default -> json.skip();
                }
            }
            if (barrier) {
                keys = keys.isEmpty() ? new ArrayList<>() : keys;
                keys.add(key);
            }
        }
        return keys;
    }

    private static boolean isBarrier(JsonCursor json) {
        return json.isText(Wire.LAUNCH_BARRIER);
    }

    private static String configMapKey(JsonCursor json) {
        String key = "";
        if (json.entersObject()) {
            for (String member = json.nextName(); member != null; member = json.nextName()) {
                if (member.equals("configMapKeyRef")) {
                    key = key(json);
                } else {
                    json.skip();
                }
            }
        }
        return key;
    }

    private static String key(JsonCursor json) {
        String key = "";
        if (json.entersObject()) {
            for (String member = json.nextName(); member != null; member = json.nextName()) {
                if (member.equals("key")) {
                    key = json.text();
                } else {
                    json.skip();
                }
            }
        }
        return key;
    }

    void noContainers() {
        barriers = List.of();
    }

    /** The first usable key counts; any other is as if it were not there (neighbours.md 1.6, trap 1). */
    void container(String name, List<String> barrierKeys) {
        Optional<Barrier> first = barrierKeys.stream().flatMap(key -> Barrier.of(name, key).stream()).findFirst();
        if (first.isPresent()) {
            barriers = barriers.isEmpty() ? new ArrayList<>() : barriers;
            barriers.add(first.get());
        }
    }

    void noStatuses() {
        unconfigured = Set.of();
        ended = Set.of();
    }

    static State state(JsonCursor json) {
        boolean waits = false;
        boolean over = false;
        if (json.entersObject()) {
            for (String member = json.nextName(); member != null; member = json.nextName()) {
                switch (member) {
                    case "waiting" -> waits = isUnconfigured(json);
                    case "terminated" -> {
                        over = json.atObject();
                        json.skip();
                    }
                    default -> json.skip();
                }
            }
        }
        return waits || over ? new State(waits, over) : RUNNING;
    }

    private static boolean isUnconfigured(JsonCursor json) {
        boolean waits = false;
        if (json.entersObject()) {
            for (String member = json.nextName(); member != null; member = json.nextName()) {
                if (member.equals("reason")) {
                    waits = json.text().equals(Wire.UNCONFIGURED);
                } else {
                    json.skip();
                }
            }
        }
        return waits;
    }

    void status(String container, State state) {
        if (state.unconfigured) {
            unconfigured = unconfigured.isEmpty() ? new HashSet<>() : unconfigured;
            unconfigured.add(container);
        }
        if (state.ended) {
            ended = ended.isEmpty() ? new HashSet<>() : ended;
            ended.add(container);
        }
    }
}
