package dev.pillion.kube;

import java.util.Map;
import java.util.Optional;

/**
 * One Secret in the own namespace that all replicas read and write. Blocking, with a deadline; never retried here. All throw
 * {@link KubeException}, whose message names the Secret but never its content.
 */
public interface SharedSecret {
    /** What is stored: every entry whose value is text in base 64, decoded. */
    record Stored(String uid, String version, Map<String, String> data) {
        public Stored {
            data = Map.copyOf(data);
        }

        /** Without the data, which must never reach a log. */
        @Override
        public String toString() {
            return "Stored[version=" + version + "]";
        }
    }

    /** Reads the Secret live; empty when there is none. */
    Optional<Stored> read();

    /** Creates it; 409 AlreadyExists when there is one. */
    void create(Map<String, String> data);

    /** Makes the named entries these and removes those that are known but not named, if the Secret is still the known version: else 409. */
    void replace(Stored known, Map<String, String> data);
}
