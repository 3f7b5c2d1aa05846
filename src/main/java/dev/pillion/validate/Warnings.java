package dev.pillion.validate;

import java.math.BigInteger;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Pattern;

import dev.pillion.api.IntOrString;
import dev.pillion.api.Json;
import dev.pillion.api.SidecarContainer;
import dev.pillion.api.SidecarSet;
import dev.pillion.api.SidecarSet.PatchPodMetadata;
import dev.pillion.match.SetIndex;

import tools.jackson.databind.JsonNode;

/** Accepted but risky input, told to whoever writes the set. */
final class Warnings {
    private static final BigInteger ALL_PODS = BigInteger.valueOf(100);
    private static final Set<String> KNOWN_SHARING = Set.of("", "enabled", "disabled");
    private static final Pattern PERCENT = Pattern.compile("[0-9]{1,99}%");

    private final ValidateOptions options;

    Warnings(ValidateOptions options) {
        this.options = options;
    }

    List<String> of(SidecarSet set, Optional<SidecarSet> old, SetIndex index) {
        List<String> warnings = new ArrayList<>();
        for (SidecarContainer container : set.containers()) {
            container(container, warnings);
        }
        for (SidecarContainer container : set.initContainers()) {
            if (container.isNative()) {
                container(container, warnings);
            } else {
                resources(container, warnings);
            }
        }
        for (PatchPodMetadata patch : set.patchPodMetadata()) {
            if (patch.patchPolicy().equals("MergePatchJson")) {
                new TreeMap<>(patch.annotations()).forEach((key, text) -> merged(key, text, warnings));
            }
        }
        // With a selector the pin counts for the pods outside it, whatever the partition.
        set.injectionStrategy().pin().filter(p -> p.policy().equals("Partial") && set.updateStrategy().selector().isEmpty())
                .flatMap(_ -> set.updateStrategy().partition()).filter(IntOrString.Int.class::isInstance)
                .ifPresent(_ -> warnings.add("spec.updateStrategy.partition: an integer has no effect on injection with policy Partial,"
                        + " every new pod gets the latest version: use a percentage"));
        set.updateStrategy().maxUnavailable().map(Warnings::percent).ifPresent(p -> {
            if (p.signum() == 0) {
                warnings.add("spec.updateStrategy.maxUnavailable: 0 stops the roll-out for all ready pods");
            } else if (p.bitLength() >= Integer.SIZE) {
                // rollout.md trap c: what cannot be read is 0.
                warnings.add("spec.updateStrategy.maxUnavailable: " + p + "% is too large to be read, counts as 0 and stops the roll-out");
            } else if (p.compareTo(ALL_PODS) > 0) {
                warnings.add("spec.updateStrategy.maxUnavailable: " + p + "% is more than all pods");
            }
        });
        old.ifPresent(before -> change(before, set, warnings));
        Conflicts.overlooked(set, index, options)
                .forEach(f -> warnings.add(f.field() + ": " + f.text() + " (validation.overlap: strict refuses this)"));
        return warnings;
    }

    /** Compatible: stored; where the pod lacks the annotation the text is set as it is (injection.md 8). */
    private static void merged(String key, String text, List<String> warnings) {
        if (Json.tryRead(text).filter(patch -> patch.isObject() || patch.isArray()).isEmpty()) {
            warnings.add("spec.patchPodMetadata: the text for annotation " + Faults.quoted(key)
                    + " is no JSON object or list, so MergePatchJson refuses every pod that has the annotation already: correct it");
        }
    }

    /** The digits of a percentage; a whole number is 0 or stands for 1, since only nothing and too much are told apart. */
    private static BigInteger percent(IntOrString amount) {
        return switch (amount) {
            case IntOrString.Int(int value) -> value == 0 ? BigInteger.ZERO : BigInteger.ONE;
            case IntOrString.Text(String text) when PERCENT.matcher(text).matches() -> new BigInteger(text.substring(0, text.length() - 1));
            case IntOrString.Text _ -> BigInteger.ONE;
        };
    }

    private static void container(SidecarContainer container, List<String> warnings) {
        resources(container, warnings);
        String name = Faults.quoted(container.name());
        if (!container.upgradeType().isEmpty() && !container.isHot() && !container.upgradeType().equals("ColdUpgrade")) {
            warnings.add("container " + name + ": upgradeType " + Faults.quoted(container.upgradeType())
                    + " is unknown and counts as ColdUpgrade; in a regular container it cannot be changed later");
        }
        if (!KNOWN_SHARING.contains(container.shareVolumeDeviceType())) {
            warnings.add("container " + name + ": shareVolumeDevicePolicy.type " + Faults.quoted(container.shareVolumeDeviceType())
                    + " is unknown and counts as disabled");
        }
        if (container.isHot() && container.hotUpgradeEmptyImage().isEmpty()) {
            warnings.add("container " + name + " with HotUpgrade has no hotUpgradeEmptyImage: pods with it are refused");
        }
        JsonNode expressions = container.raw().path("resourcesPolicy").path("resourcesExpr");
        for (String resource : List.of("cpu", "memory")) {
            String limit = Node.text(expressions.path("limits"), resource);
            String request = Node.text(expressions.path("requests"), resource);
            if (!limit.isEmpty() && !request.isEmpty() && !limit.equals(request)) {
                warnings.add("container " + name + ": its computed request for " + resource
                        + " can exceed its computed limit, such pods are refused");
            }
        }
    }

    /** FR-19: a quota asks every container for resources, also init containers that end. */
    private static void resources(SidecarContainer container, List<String> warnings) {
        JsonNode raw = container.raw();
        // What is declared beside a policy is replaced by what it computes.
        JsonNode given = Node.isSet(raw, "resourcesPolicy") ? raw.path("resourcesPolicy").path("resourcesExpr") : raw.path("resources");
        if (given.path("limits").isEmpty() && given.path("requests").isEmpty()) {
            warnings.add("container " + Faults.quoted(container.name())
                    + " sets no resources: pods in namespaces with a quota may be refused");
        }
    }

    private static void change(SidecarSet before, SidecarSet now, List<String> warnings) {
        if (!before.hash().equals(now.hash()) && !before.hashWithoutImage().equals(now.hashWithoutImage())) {
            warnings.add("this change is more than an image: running pods keep the old sidecars until they are created anew");
        } else if (before.hash().equals(now.hash())
                && (!before.initContainers().equals(now.initContainers()) || !before.volumes().equals(now.volumes())
                        || !before.imagePullSecrets().equals(now.imagePullSecrets())
                        || !before.patchPodMetadata().equals(now.patchPodMetadata()))) {
            warnings.add("this change reaches new pods only: running pods already count as updated");
        }
    }
}
