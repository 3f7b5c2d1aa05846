package dev.pillion.cli;

import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

import dev.pillion.api.Json;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** Reads manifests as users keep them: YAML or JSON, one object or many in a file, also as a List. */
public final class Manifests {
    private static final char BYTE_ORDER_MARK = '\uFEFF';

    private Manifests() {
    }

    /**
     * Reads one file.
     *
     * @throws IOException naming the file and the place, when it cannot be read, is no YAML, or holds what is no Kubernetes object
     */
    public static List<ObjectNode> read(Path file) throws IOException {
        return objects(readFile(file));
    }

    /** Reads a stream; origin is what to call it in messages. */
    public static List<ObjectNode> read(InputStream in, String origin) throws IOException {
        return objects(readStream(in, origin));
    }

    private static List<ObjectNode> objects(List<Manifest> manifests) {
        return manifests.stream().map(Manifest::object).toList();
    }

    static List<Manifest> readFile(Path file) throws IOException {
        try (InputStream in = Files.newInputStream(file)) {
            return readStream(in, file.toString());
        } catch (NoSuchFileException e) {
            throw new InputFault(file + ": no such file", e);
        } catch (AccessDeniedException e) {
            throw new InputFault(file + ": no permission to read it", e);
        } catch (InputFault e) {
            throw e;
        } catch (IOException e) {
            throw new InputFault(file + ": cannot be read: " + e.getMessage(), e);
        }
    }

    static List<Manifest> readStream(InputStream in, String origin) throws IOException {
        String text = text(in.readAllBytes(), origin);
        List<Manifest> manifests = new ArrayList<>();
        int number = 0;
        for (JsonNode document : YamlDocuments.read(text, origin)) {
            number++;
            if (document.isObject() && document.path("items").isArray() && Json.text(document, "kind").endsWith("List")) {
                int item = 0;
                for (JsonNode entry : document.path("items")) {
                    manifests.add(manifest(entry, origin, number, ++item));
                }
            } else if (!document.isNull()) {
                manifests.add(manifest(document, origin, number, 0));
            }
        }
        return manifests;
    }

    private static String text(byte[] bytes, String origin) throws InputFault {
        try {
            String text = StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes)).toString();
            return !text.isEmpty() && text.charAt(0) == BYTE_ORDER_MARK ? text.substring(1) : text;
        } catch (CharacterCodingException e) {
            throw new InputFault(origin + ": is no text in UTF-8", e);
        }
    }

    private static Manifest manifest(JsonNode node, String origin, int document, int item) throws InputFault {
        String place = origin + ": document " + document + (item == 0 ? "" : ", item " + item);
        if (!(node instanceof ObjectNode object) || Json.text(object, "kind").isEmpty() || Json.text(object, "apiVersion").isEmpty()) {
            throw new InputFault(place + " is no Kubernetes object: it needs apiVersion and kind");
        }
        JsonNode metadata = object.path("metadata");
        if (!metadata.isObject() && !metadata.isMissingNode() && !metadata.isNull()) {
            throw new InputFault(place + ": metadata must be an object");
        }
        return new Manifest(origin, document, item, object);
    }
}
