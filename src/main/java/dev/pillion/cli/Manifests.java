package dev.pillion.cli;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

import dev.pillion.api.Json;

import tools.jackson.core.JacksonException;
import tools.jackson.core.exc.JacksonIOException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.MappingIterator;
import tools.jackson.databind.node.ObjectNode;
import tools.jackson.dataformat.yaml.YAMLMapper;

/** Reads manifests as users keep them: YAML or JSON, one object or many in a file, also as a List. */
public final class Manifests {
    private static final YAMLMapper YAML = YAMLMapper.builder().build();

    private Manifests() {
    }

    /**
     * Reads one file.
     *
     * @throws IOException naming the file, when it cannot be read, is no YAML, or holds something that is no Kubernetes object
     */
    public static List<ObjectNode> read(Path file) throws IOException {
        try (InputStream in = Files.newInputStream(file)) {
            return read(in, file.toString());
        } catch (NoSuchFileException e) {
            throw new IOException(file + ": no such file", e);
        } catch (AccessDeniedException e) {
            throw new IOException(file + ": no permission to read it", e);
        }
    }

    /** Reads a stream; origin is what to call it in messages. */
    public static List<ObjectNode> read(InputStream in, String origin) throws IOException {
        List<ObjectNode> objects = new ArrayList<>();
        try (MappingIterator<JsonNode> documents = YAML.readerFor(JsonNode.class).readValues(in)) {
            while (documents.hasNextValue()) {
                add(documents.nextValue(), origin, objects);
            }
        } catch (JacksonIOException e) {
            throw new IOException(origin + ": cannot be read: " + e.getOriginalMessage(), e);
        } catch (JacksonException e) {
            throw new IOException(origin + ": not readable as YAML: " + oneLine(e.getOriginalMessage()), e);
        }
        return objects;
    }

    /** The parser draws the place over several lines; a reason is one. */
    private static String oneLine(String drawn) {
        return drawn.lines().map(String::strip).filter(l -> !l.isEmpty() && !l.equals("^")).collect(Collectors.joining(" "));
    }

    private static void add(JsonNode document, String origin, List<ObjectNode> objects) throws IOException {
        if (document.isNull() || document.isMissingNode()) {
            return;
        }
        if (!(document instanceof ObjectNode object) || Json.text(object, "kind").isEmpty() || Json.text(object, "apiVersion").isEmpty()) {
            throw new IOException(origin + ": document " + (objects.size() + 1) + " is no Kubernetes object: it needs apiVersion and kind");
        }
        if (object.path("items").isArray() && Json.text(object, "kind").endsWith("List")) {
            for (JsonNode item : object.path("items")) {
                add(item, origin, objects);
            }
        } else {
            objects.add(object);
        }
    }
}
