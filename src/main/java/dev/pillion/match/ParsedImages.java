package dev.pillion.match;

import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Image references by their texts. The Pods of a set have few different images, and each is asked for again with every change of every
 * Pod; the grammar costs ten times the rest of such a question. Bounded; safe for threads.
 */
final class ParsedImages {
    private static final int MOST = 256;

    private record Parsed(Optional<ImageReference> written, Optional<ImageReference> normalized) {
    }

    private final Map<String, Parsed> known = new ConcurrentHashMap<>();

    /** As {@link ImageReference#of}. */
    Optional<ImageReference> written(String text) {
        return parsed(text).written;
    }

    /** As {@link ImageReference#of}, normalized. */
    Optional<ImageReference> normalized(String text) {
        return parsed(text).normalized;
    }

    /** Whether the text is a reference with a digest. Most images have none, which a look for '@' tells. */
    boolean isDigestReference(String text) {
        return text.indexOf('@') >= 0 && written(text).filter(r -> !r.digest().isEmpty()).isPresent();
    }

    private Parsed parsed(String text) {
        Parsed found = known.get(text);
        if (found != null) {
            return found;
        }
        Optional<ImageReference> reference = ImageReference.of(text);
        Parsed made = new Parsed(reference, reference.map(ImageReference::normalized));
        if (known.size() >= MOST) {
            known.clear();
        }
        known.put(text, made);
        return made;
    }
}
