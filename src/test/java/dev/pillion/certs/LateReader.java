package dev.pillion.certs;

import java.util.Map;
import java.util.Optional;

import dev.pillion.kube.SharedSecret;

/** Reads once what was there before, then what is there; writes always meet what is there. */
final class LateReader implements SharedSecret {
    private final SharedSecret now;
    private SharedSecret next;

    LateReader(SharedSecret before, SharedSecret now) {
        this.next = before;
        this.now = now;
    }

    @Override
    public Optional<Stored> read() {
        Optional<Stored> read = next.read();
        next = now;
        return read;
    }

    @Override
    public void create(Map<String, String> data) {
        now.create(data);
    }

    @Override
    public void replace(Stored known, Map<String, String> data) {
        now.replace(known, data);
    }
}
