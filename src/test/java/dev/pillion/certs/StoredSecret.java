package dev.pillion.certs;

import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

import dev.pillion.kube.KubeException;
import dev.pillion.kube.SharedSecret;

/** One Secret for several keepers, with the preconditions of the API server. */
final class StoredSecret implements SharedSecret {
    private Optional<Stored> stored = Optional.empty();
    private int version;
    private int writes;

    @Override
    public Optional<Stored> read() {
        return stored;
    }

    @Override
    public void create(Map<String, String> data) {
        if (stored.isPresent()) {
            throw new KubeException(409, "AlreadyExists", false, "there is one");
        }
        put("uid-" + version, data);
    }

    @Override
    public void replace(Stored known, Map<String, String> data) {
        Stored now = stored.orElseThrow(() -> new KubeException(404, "NotFound", false, "there is none"));
        if (!now.version().equals(known.version())) {
            throw new KubeException(409, "Conflict", false, "changed meanwhile");
        }
        put(now.uid(), data);
    }

    private void put(String uid, Map<String, String> data) {
        version++;
        writes++;
        stored = Optional.of(new Stored(uid, String.valueOf(version), data));
    }

    /** What somebody else writes over it. */
    void overwrite(String key, String text) {
        Map<String, String> data = new HashMap<>(stored.orElseThrow().data());
        data.put(key, text);
        put(stored.orElseThrow().uid(), data);
    }

    void delete() {
        stored = Optional.empty();
    }

    int writes() {
        return writes;
    }

    CertState state() {
        return CertState.read(stored.orElseThrow().data());
    }
}
