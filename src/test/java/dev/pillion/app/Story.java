package dev.pillion.app;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;

import dev.pillion.api.Json;
import dev.pillion.demo.AuditLog;
import dev.pillion.it.Cluster;

import tools.jackson.databind.JsonNode;

/** What the audit log tells when all is over. Reading it costs seconds, so each test does it once. */
final class Story {
    private static final String LEASE = "pillion-slot-0";
    private static final Set<String> RECONCILED = Set.of("pods", "sidecarsets", "controllerrevisions");

    private final List<AuditLog.Write> writes;
    private final String own;

    Story(Cluster cluster, String own) {
        this.writes = AuditLog.writes(cluster.auditLines().stream().map(JsonNode::toString));
        this.own = own;
    }

    private List<AuditLog.Write> ofLease() {
        return writes.stream().filter(this::isOfLease).toList();
    }

    private boolean isOfLease(AuditLog.Write write) {
        return write.isOn("leases") && write.name().equals(LEASE) && write.namespace().equals(own);
    }

    /** The write with which the replica took the Lease for the n-th time, 0 being the first. */
    AuditLog.Write take(Replica replica, int nth) {
        List<AuditLog.Write> takes = new ArrayList<>();
        String before = "";
        for (AuditLog.Write write : ofLease()) {
            String holder = Json.text(write.response().path("spec"), "holderIdentity");
            if (holder.equals(replica.identity()) && !holder.equals(before)) {
                takes.add(write);
            }
            before = holder;
        }
        return takes.get(nth);
    }

    AuditLog.Write lastOfLeaseBefore(AuditLog.Write other) {
        return ofLease().stream().filter(w -> w.version() < other.version()).toList().getLast();
    }

    /** Accepted writes of reconciles by that replica between two versions of the store. */
    List<String> reconciles(Replica by, long after, long before) {
        return writes.stream().filter(w -> w.version() > after && w.version() < before && w.userAgent().equals(agent(by)))
                .filter(w -> RECONCILED.contains(w.resource())).map(w -> w.verb() + " " + w.resource() + "/" + w.name()).toList();
    }

    void assertHandedOver(Replica from, Replica to) {
        long taken = take(to, 0).version();
        assertThat(reconciles(from, 0, taken)).as("the leader before did work").isNotEmpty();
        assertThat(reconciles(from, taken, Long.MAX_VALUE)).as("and no more").isEmpty();
        assertThat(reconciles(to, 0, taken)).as("the next leader did nothing before").isEmpty();
        assertThat(reconciles(to, taken, Long.MAX_VALUE)).as("and went on").isNotEmpty();
    }

    /** Accepted writes of this set and its Pods by a controller that did not hold the Lease at that moment of the store. */
    List<String> byNoLeader(Trial trial) {
        List<String> found = new ArrayList<>();
        String holder = "";
        for (AuditLog.Write write : writes) {
            if (isOfLease(write)) {
                holder = Json.text(write.response().path("spec"), "holderIdentity");
            } else if ((write.namespace().equals(trial.namespace()) || write.name().equals(trial.name()))
                    && write.userAgent().startsWith("pillion/")
                    && !write.userAgent().equals(agent(holder))) {
                found.add(write.userAgent() + " " + write.verb() + " " + write.resource() + "/" + write.name() + " while \"" + holder
                        + "\" held");
            }
        }
        return found;
    }

    private static String agent(Replica replica) {
        return agent(replica.identity());
    }

    private static String agent(String identity) {
        return "pillion/v1beta1 (" + identity + ")";
    }
}
