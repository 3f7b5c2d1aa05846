package dev.pillion.check;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

import dev.pillion.check.ClusterFacts.HeldLease;

/** Who works, and with which rights. */
final class ControllerRules {
    private static final String KIND = "Lease";

    private ControllerRules() {
    }

    static List<Finding> judge(ClusterFacts facts, CheckOptions options) {
        List<Finding> found = new ArrayList<>();
        facts.own().leases().map(leases -> found.addAll(leases(leases, options)));
        facts.own().rights().map(rights -> found.addAll(rights(rights, options)));
        return found;
    }

    private static List<Finding> leases(List<HeldLease> leases, CheckOptions options) {
        List<Finding> found = new ArrayList<>();
        List<HeldLease> slots = leases.stream().filter(l -> l.name().startsWith(CheckOptions.SLOT)).toList();
        List<HeldLease> idle = slots.stream().filter(l -> !isHeld(l, options)).toList();
        boolean works = slots.size() > idle.size();
        if (slots.isEmpty()) {
            found.add(Finding.of(Rule.NO_CONTROLLER, KIND, options.namespace() + "/" + CheckOptions.SLOT + "0",
                    "does not exist: no Pillion controller has run with this namespace",
                    "start it, or name its namespace with --controller-namespace"));
        } else if (!idle.isEmpty()) {
            found.add(new Finding(Rule.NO_CONTROLLER, KIND, idle.stream().map(l -> options.namespace() + "/" + l.name()).toList(),
                    "nobody holds it: its SidecarSets are not rolled out", "look whether the controller's replicas run and are ready"));
        }
        leases.stream().filter(l -> l.name().equals(CheckOptions.OTHER_MANAGER) && isHeld(l, options)).forEach(l -> {
            if (works) {
                found.add(Finding.of(Rule.TWO_CONTROLLERS, KIND, CheckOptions.OTHER_MANAGER,
                        "OpenKruise's manager runs (" + l.holder() + ") beside Pillion: both write the same SidecarSets and Pods",
                        "stop one of them, or take SidecarSets away from the manager; see takeover.md"));
            } else {
                found.add(Finding.of(Rule.OTHER_CONTROLLER, KIND, CheckOptions.OTHER_MANAGER,
                        "OpenKruise's manager runs (" + l.holder() + ")",
                        "stop it before Pillion starts, or take SidecarSets away from it; see takeover.md"));
            }
        });
        return found;
    }

    /** Compared with the local clock, which may be wrong by some seconds; hence twice the Lease's time. */
    private static boolean isHeld(HeldLease lease, CheckOptions options) {
        Duration patience = Duration.ofSeconds(Math.max(1, lease.seconds())).multipliedBy(2);
        return !lease.holder().isEmpty() && lease.renewed().filter(r -> r.plus(patience).isAfter(options.now())).isPresent();
    }

    private static List<Finding> rights(ClusterFacts.AskedRights rights, CheckOptions options) {
        List<Finding> found = new ArrayList<>();
        if (!rights.missing().isEmpty()) {
            String missing = rights.missing().stream()
                    .map(r -> r + (r.where() == Right.Where.OWN_NAMESPACE ? " in " + options.namespace() : ""))
                    .collect(Collectors.joining("; "));
            found.add(Finding.of(Rule.RIGHT_MISSING, "User", rights.user(), "lacks rights that the controller needs: " + missing,
                    "apply k8s/controller/rbac.yaml (and rbac-launch-priority.yaml), or give the rights to the user the controller runs as"));
        }
        found.add(Finding.of(Rule.RIGHTS_ASKED, "User", rights.user(), "the rights of this user were asked for",
                "nothing is needed if the controller runs as this user"));
        return found;
    }
}
