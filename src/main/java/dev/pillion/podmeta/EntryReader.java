package dev.pillion.podmeta;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

import dev.pillion.api.GoTime;

import tools.jackson.databind.JsonNode;

/**
 * Reads one entry of a hash annotation as the reference's decoder does: member names without regard to case, null leaves a member
 * alone, a member of a wrong kind is left empty and makes the entry unclean. One use only.
 */
final class EntryReader {
    private boolean clean = true;

    boolean isClean() {
        return clean;
    }

    HashAnnotation.Entry read(JsonNode value) {
        if (value.isNull()) {
            return HashAnnotation.Entry.EMPTY;
        }
        if (!value.isObject()) {
            clean = false;
            return HashAnnotation.Entry.EMPTY;
        }
        Optional<String> time = Optional.empty();
        String hash = "";
        String name = "";
        Optional<List<String>> list = Optional.empty();
        String revision = "";
        for (Map.Entry<String, JsonNode> member : value.properties()) {
            String key = member.getKey();
            JsonNode item = member.getValue();
            if (key.equalsIgnoreCase("updateTimestamp")) {
                time = time(item, time);
            } else if (key.equalsIgnoreCase("hash")) {
                hash = text(item, hash);
            } else if (key.equalsIgnoreCase("sidecarSetName")) {
                name = text(item, name);
            } else if (key.equalsIgnoreCase("sidecarList")) {
                list = list(item, list);
            } else if (key.equalsIgnoreCase("controllerRevision")) {
                revision = text(item, revision);
            }
        }
        return new HashAnnotation.Entry(time, hash, name, list, revision);
    }

    private String text(JsonNode item, String before) {
        if (item.isString()) {
            return item.stringValue();
        }
        clean &= item.isNull();
        return before;
    }

    private Optional<String> time(JsonNode item, Optional<String> before) {
        if (item.isNull()) {
            return Optional.empty();
        }
        Optional<Instant> moment = item.isString() ? GoTime.read(item.stringValue()) : Optional.empty();
        clean &= moment.isPresent();
        return moment.isEmpty() ? before : moment.filter(m -> !GoTime.isZero(m)).map(GoTime::write);
    }

    private Optional<List<String>> list(JsonNode item, Optional<List<String>> before) {
        if (item.isNull()) {
            return Optional.empty();
        }
        if (!item.isArray()) {
            clean = false;
            return before;
        }
        List<String> names = new ArrayList<>();
        item.forEach(n -> names.add(text(n, "")));
        return Optional.of(names);
    }
}
