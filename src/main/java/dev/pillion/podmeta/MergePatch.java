package dev.pillion.podmeta;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

import dev.pillion.api.ByteOrder;
import dev.pillion.api.Json;
import dev.pillion.podmeta.RawJson.Doc;
import dev.pillion.podmeta.RawJson.Items;

/**
 * JSON merge patch (RFC 7386) on texts, with the bytes the reference writes (injection.md 8):
 * <ol>
 * <li>null members of the patch remove; a member the document has as an object too is merged;
 * <li>any other member is put in, nulls inside its objects pruned, nulls inside lists kept;
 * <li>a document that is no object is replaced by the pruned patch, and by the patch itself when that is a list.
 * </ol>
 */
final class MergePatch {
    private MergePatch() {
    }

    /** The merged text; empty when the document or the patch cannot take part. */
    static Optional<String> merge(String document, String patch) {
        if (Json.tryRead(document).isEmpty() || Json.tryRead(patch).isEmpty()) {
            return Optional.empty();
        }
        Optional<RawJson> target = RawJson.of(document);
        Optional<RawJson> change = RawJson.of(patch);
        if (target.isEmpty() || change.isEmpty()) {
            return Optional.empty();
        }
        Optional<Doc> targetDoc = RawJson.asDoc(target.get());
        Optional<Doc> changeDoc = RawJson.asDoc(change.get());
        StringBuilder out = new StringBuilder(document.length() + patch.length());
        if (targetDoc.isPresent() && changeDoc.isPresent()) {
            RawJson.write(out, Optional.of(merged(targetDoc.get(), changeDoc.get())));
        } else if (changeDoc.isPresent() || RawJson.asItems(change.get()).isPresent()) {
            RawJson.write(out, Optional.of(pruned(change.get())));
        } else {
            return Optional.empty();
        }
        return Optional.of(out.toString());
    }

    private static Doc merged(Doc target, Doc change) {
        SortedMap<String, Optional<RawJson>> members = new TreeMap<>(ByteOrder.UTF8);
        members.putAll(target.members());
        for (Map.Entry<String, Optional<RawJson>> member : change.members().entrySet()) {
            if (member.getValue().isEmpty()) {
                members.remove(member.getKey());
            } else {
                RawJson value = member.getValue().get();
                Optional<RawJson> current = members.getOrDefault(member.getKey(), Optional.empty());
                members.put(member.getKey(), Optional.of(current.isEmpty() ? pruned(value) : merged(current.get(), value)));
            }
        }
        return new Doc(members);
    }

    private static RawJson merged(RawJson current, RawJson change) {
        Optional<Doc> currentDoc = RawJson.asDoc(current);
        if (currentDoc.isEmpty()) {
            return pruned(change);
        }
        Optional<Doc> changeDoc = RawJson.asDoc(change);
        // Compatible: a list that takes an object's place keeps the nulls of its objects.
        return changeDoc.isEmpty() ? change : merged(currentDoc.get(), changeDoc.get());
    }

    private static RawJson pruned(RawJson value) {
        Optional<Doc> doc = RawJson.asDoc(value);
        if (doc.isPresent()) {
            SortedMap<String, Optional<RawJson>> members = new TreeMap<>(ByteOrder.UTF8);
            doc.get().members().forEach((key, member) -> member.ifPresent(m -> members.put(key, Optional.of(pruned(m)))));
            return new Doc(members);
        }
        Optional<Items> items = RawJson.asItems(value);
        if (items.isEmpty()) {
            return value;
        }
        List<Optional<RawJson>> kept = new ArrayList<>();
        items.get().items().forEach(item -> kept.add(item.map(MergePatch::pruned)));
        return new Items(kept);
    }
}
