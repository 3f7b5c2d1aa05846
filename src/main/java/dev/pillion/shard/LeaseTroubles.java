package dev.pillion.shard;

import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Consumer;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import dev.pillion.bus.BusMessage.Health;
import dev.pillion.bus.HealthParts;

/** What is wrong with Leases at the moment: told in log and health when it changes, not with each try. Not safe for threads. */
final class LeaseTroubles {
    private static final Logger LOG = LoggerFactory.getLogger(LeaseTroubles.class);

    private final Consumer<Health> listener;
    private final Map<String, String> reasons = new TreeMap<>();

    LeaseTroubles(Consumer<Health> listener) {
        this.listener = listener;
    }

    /** Takes the outcome of a request in. */
    void take(String lease, Answer answer) {
        take(lease, switch (answer) {
            case Answer.Unknown unknown -> Optional.of(unknown.reason());
            case Answer.Refused refused -> Optional.of(refused.reason());
            case Answer.Found _,Answer.Absent _,Answer.Stored _,Answer.Conflict _ -> Optional.empty();
        });
    }

    /** @param reason empty: all is well with this Lease */
    void take(String lease, Optional<String> reason) {
        Optional<String> before = Optional.ofNullable(reason.isPresent() ? reasons.put(lease, reason.get()) : reasons.remove(lease));
        if (!before.equals(reason)) {
            String text = String.join("; ", reasons.entrySet().stream().map(e -> "Lease " + e.getKey() + ": " + e.getValue()).toList());
            if (text.isEmpty()) {
                LOG.atInfo().log("Leases are well again");
            } else {
                LOG.atWarn().addKeyValue("reason", text).log("Trouble with Leases");
            }
            listener.accept(new Health(HealthParts.SHARD, text.isEmpty(), text));
        }
    }
}
