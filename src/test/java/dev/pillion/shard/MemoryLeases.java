package dev.pillion.shard;

import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;

import dev.pillion.kube.KubeException;
import dev.pillion.kube.LeaseRecord;
import dev.pillion.kube.LeaseSpec;
import dev.pillion.kube.Leases;

/** Leases that answer as the API server does, with a hook for faults it gives on no demand. */
final class MemoryLeases implements Leases {
    private final Map<String, LeaseRecord> stored = new HashMap<>();
    private int versions;

    /** Called with read, create or change before it happens; throws or changes things. */
    volatile Consumer<String> before = _ -> {
    };

    @Override
    public Optional<LeaseRecord> read(String name) {
        before.accept("read");
        return get(name);
    }

    private synchronized Optional<LeaseRecord> get(String name) {
        return Optional.ofNullable(stored.get(name));
    }

    @Override
    public LeaseRecord create(String name, LeaseSpec spec) {
        before.accept("create");
        if (get(name).isPresent()) {
            throw new KubeException(409, "AlreadyExists", false, name);
        }
        return put(name, "uid-" + versions, spec);
    }

    @Override
    public LeaseRecord change(LeaseRecord known, LeaseSpec spec) {
        before.accept("change");
        LeaseRecord now = get(known.name()).orElseThrow(() -> new KubeException(404, "NotFound", false, known.name()));
        if (!now.uid().equals(known.uid()) || !now.version().equals(known.version())) {
            throw new KubeException(409, "Conflict", false, known.name());
        }
        return put(known.name(), known.uid(), spec);
    }

    private synchronized LeaseRecord put(String name, String uid, LeaseSpec spec) {
        LeaseRecord record = new LeaseRecord(name, uid, Integer.toString(++versions), spec);
        stored.put(name, record);
        return record;
    }
}
