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

import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;

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

    void readinessGates(JsonParser parser) {
        gated = false;
        if (!StreamJson.entersArray(parser)) {
            return;
        }
        for (JsonToken token = parser.nextToken(); token != JsonToken.END_ARRAY && token != null; token = parser.nextToken()) {
            if (token == JsonToken.START_OBJECT) {
                for (String member = parser.nextName(); member != null; member = parser.nextName()) {
                    if (member.equals("conditionType")) {
                        gated |= StreamJson.text(parser).equals(Wire.READY_GATE);
                    } else {
                        StreamJson.skip(parser);
                    }
                }
            } else {
                parser.skipChildren();
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
    static List<String> barrierKeys(JsonParser parser) {
        List<String> keys = List.of();
        if (!StreamJson.entersArray(parser)) {
            return keys;
        }
        for (JsonToken token = parser.nextToken(); token != JsonToken.END_ARRAY && token != null; token = parser.nextToken()) {
            if (token != JsonToken.START_OBJECT) {
                parser.skipChildren();
                continue;
            }
            boolean barrier = false;
            String key = "";
            for (String member = parser.nextName(); member != null; member = parser.nextName()) {
                switch (member) {
                    case "name" -> barrier = isBarrier(parser);
                    case "valueFrom" -> key = configMapKey(parser);
                    default -> StreamJson.skip(parser);
                }
            }
            if (barrier) {
                keys = keys.isEmpty() ? new ArrayList<>() : keys;
                keys.add(key);
            }
        }
        return keys;
    }

    private static boolean isBarrier(JsonParser parser) {
        boolean text = parser.nextToken() == JsonToken.VALUE_STRING;
        if (!text) {
            parser.skipChildren();
        }
        return text && parser.getStringLength() == Wire.LAUNCH_BARRIER.length() && parser.getString().equals(Wire.LAUNCH_BARRIER);
    }

    private static String configMapKey(JsonParser parser) {
        String key = "";
        if (StreamJson.entersObject(parser)) {
            for (String member = parser.nextName(); member != null; member = parser.nextName()) {
                if (member.equals("configMapKeyRef")) {
                    key = key(parser);
                } else {
                    StreamJson.skip(parser);
                }
            }
        }
        return key;
    }

    private static String key(JsonParser parser) {
        String key = "";
        if (StreamJson.entersObject(parser)) {
            for (String member = parser.nextName(); member != null; member = parser.nextName()) {
                if (member.equals("key")) {
                    key = StreamJson.text(parser);
                } else {
                    StreamJson.skip(parser);
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

    static State state(JsonParser parser) {
        boolean waits = false;
        boolean over = false;
        if (StreamJson.entersObject(parser)) {
            for (String member = parser.nextName(); member != null; member = parser.nextName()) {
                switch (member) {
                    case "waiting" -> waits = isUnconfigured(parser);
                    case "terminated" -> {
                        over = StreamJson.entersObject(parser);
                        if (over) {
                            parser.skipChildren();
                        }
                    }
                    default -> StreamJson.skip(parser);
                }
            }
        }
        return waits || over ? new State(waits, over) : RUNNING;
    }

    private static boolean isUnconfigured(JsonParser parser) {
        boolean waits = false;
        if (StreamJson.entersObject(parser)) {
            for (String member = parser.nextName(); member != null; member = parser.nextName()) {
                if (member.equals("reason")) {
                    waits = StreamJson.text(parser).equals(Wire.UNCONFIGURED);
                } else {
                    StreamJson.skip(parser);
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
