package dev.pillion.match;

import java.util.Set;

import dev.pillion.api.SidecarContainer;

import tools.jackson.databind.node.ObjectNode;

/**
 * A container of a set with the part that goes into pods.
 *
 * @param core the entry without the members that only a SidecarSet has (injection.md 7, step 10); unknown members go along. Never changed
 */
public record CompiledContainer(SidecarContainer written, ObjectNode core) {
    private static final Set<String> SET_MEMBERS = Set.of("podInjectPolicy", "upgradeStrategy", "shareVolumePolicy",
            "shareVolumeDevicePolicy", "transferEnv", "resourcesPolicy");

    static CompiledContainer of(SidecarContainer written) {
        ObjectNode core = written.raw().objectNode();
        written.raw().properties().forEach(member -> {
            if (!SET_MEMBERS.contains(member.getKey())) {
                core.set(member.getKey(), member.getValue());
            }
        });
        return new CompiledContainer(written, core);
    }

    public String name() {
        return written.name();
    }
}
