package dev.pillion.rollout;

import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

import dev.pillion.api.ByteOrder;
import dev.pillion.api.GoTime;
import dev.pillion.podmeta.HashAnnotation;
import dev.pillion.podmeta.HashAnnotation.Entry;
import dev.pillion.podmeta.HashAnnotation.Form;

/**
 * The two hash annotations after an upgrade (rollout.md 9.3, 9.4).
 *
 * @param hash text of the hash annotation
 * @param withoutImage text of the hash-without-image annotation, when it changes its form
 */
record HashRewrite(String hash, Optional<String> withoutImage) {

    /**
     * @param own this set's new entry of the hash annotation
     */
    static HashRewrite of(String hashText, String withoutImageText, String setName, Entry own, RolloutOptions options, Instant now) {
        HashAnnotation hashes = HashAnnotation.of(hashText);
        HashAnnotation withoutImage = HashAnnotation.of(withoutImageText);
        boolean isForeign = hashes.form() != Form.PRESENT && (hashes.form() != Form.NULL || !options.fixesFaults());
        boolean isOld = withoutImage.form() == Form.OLD || isEmptyMap(withoutImage.form());
        return options.fixesFaults()
                ? mended(hashes, withoutImage, setName, own, isForeign && isOld, now)
                : asReference(hashes, withoutImage, setName, own, isForeign && isOld, now);
    }

    /** A text null passes for an old form without entries. */
    private static boolean isEmptyMap(Form form) {
        return form == Form.NULL;
    }

    private static HashRewrite asReference(HashAnnotation hashes, HashAnnotation withoutImage, String setName, Entry own,
            boolean rewrites, Instant now) {
        String time = GoTime.write(now);
        SortedMap<String, Entry> entries = new TreeMap<>(hashes.entries());
        if (hashes.form() == Form.OLD) {
            entries.replaceAll((_, e) -> e.withName(setName).withTime(time));
        }
        Optional<String> other = Optional.empty();
        if (rewrites) {
            SortedMap<String, Entry> filled = new TreeMap<>(ByteOrder.UTF8);
            withoutImage.entries().forEach((name, e) -> filled.put(name, e.withName(setName).withTime(time)));
            fill(hashes, filled, setName, time);
            other = Optional.of(HashAnnotation.present(filled).write());
        }
        return new HashRewrite(HashAnnotation.present(entries).with(setName, own).write(), other);
    }

    /** Compatible: names that the without-image map lacks get hashes of the other map (trap L, kept only in reference mode). */
    private static void fill(HashAnnotation hashes, Map<String, Entry> filled, String setName, String time) {
        hashes.entries().forEach((name, e) -> filled.putIfAbsent(name,
                Entry.ofHash(hashes.form() == Form.OLD ? e.hash() : hashes.texts().getOrDefault(name, "")).withName(setName)
                        .withTime(time)));
    }

    /** Trap L mended: every entry keeps its hash and is named by its key, and nothing crosses from one map to the other. */
    private static HashRewrite mended(HashAnnotation hashes, HashAnnotation withoutImage, String setName, Entry own, boolean rewrites,
            Instant now) {
        Optional<String> other = rewrites ? Optional.of(HashAnnotation.present(named(withoutImage, now)).write()) : Optional.empty();
        return new HashRewrite(HashAnnotation.present(named(hashes, now)).with(setName, own).write(), other);
    }

    private static SortedMap<String, Entry> named(HashAnnotation annotation, Instant now) {
        SortedMap<String, Entry> entries = new TreeMap<>(annotation.entries());
        annotation.texts().forEach((name, hash) -> entries.put(name, Entry.ofHash(hash).withName(name).withTime(GoTime.write(now))));
        return entries;
    }
}
