package dev.pillion.podmeta;

import java.util.List;
import java.util.Map;

import dev.pillion.api.GoTime;
import dev.pillion.api.Json;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Brings one entry of the in-place annotation into its stored spelling: member names without regard to case, members of a wrong kind
 * left empty (and the entry unclean), unknown members kept. One use only.
 */
final class StateReader {
    static final String LAST = "lastContainerStatuses";
    static final String ID = "imageID";
    static final List<String> FIXED = List.of("revision", "updateTimestamp", LAST);

    private boolean clean = true;

    boolean isClean() {
        return clean;
    }

    ObjectNode read(JsonNode state) {
        clean &= state.isObject();
        ObjectNode result = Json.object();
        result.put("revision", "").putNull("updateTimestamp").putNull(LAST);
        for (Map.Entry<String, JsonNode> member : state.properties()) {
            String key = FIXED.stream().filter(member.getKey()::equalsIgnoreCase).findFirst().orElse(member.getKey());
            JsonNode value = member.getValue();
            switch (key) {
                case "revision" -> text(result, key, value);
                case "updateTimestamp" -> time(result, key, value);
                case LAST -> last(result, value);
                default -> result.set(key, value);
            }
        }
        return result;
    }

    private void text(ObjectNode result, String key, JsonNode value) {
        if (value.isString()) {
            result.set(key, value);
        } else {
            clean &= value.isNull();
        }
    }

    private void time(ObjectNode result, String key, JsonNode value) {
        if (value.isString()) {
            var moment = GoTime.read(value.stringValue());
            clean &= moment.isPresent();
            moment.filter(m -> !GoTime.isZero(m)).ifPresent(m -> result.put(key, GoTime.write(m)));
        } else {
            clean &= value.isNull();
        }
    }

    private void last(ObjectNode result, JsonNode value) {
        if (!value.isObject()) {
            clean &= value.isNull();
            return;
        }
        ObjectNode last = result.putObject(LAST);
        for (Map.Entry<String, JsonNode> container : value.properties()) {
            ObjectNode status = last.putObject(container.getKey());
            JsonNode item = container.getValue();
            clean &= item.isObject() || item.isNull();
            for (Map.Entry<String, JsonNode> member : item.properties()) {
                if (member.getKey().equalsIgnoreCase(ID)) {
                    if (member.getValue().isString() && !member.getValue().stringValue().isEmpty()) {
                        status.set(ID, member.getValue());
                    } else {
                        clean &= member.getValue().isString() || member.getValue().isNull();
                    }
                }
            }
        }
    }
}
