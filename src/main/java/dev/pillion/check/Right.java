package dev.pillion.check;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/**
 * One right that the controller needs.
 *
 * @param group "" for the core group
 * @param resource with its sub-resource, as in "pods/status"
 * @param name "" for all objects
 */
public record Right(Where where, String verb, String group, String resource, String name) {
    private static final String CORE = "";
    private static final String SETS = "apps.kruise.io";

    /** Where it must hold. */
    public enum Where {
        EVERYWHERE, OWN_NAMESPACE
    }

    /** For a part of the controller that may be left out. */
    public enum Part {
        ALWAYS, LAUNCH_PRIORITY, OUTSIDE
    }

    /** What the manifests give for a part; a test compares both. */
    public static List<Right> of(Part part) {
        return switch (part) {
            case ALWAYS -> always();
            case LAUNCH_PRIORITY -> everywhere(CORE, "configmaps", "", "get", "create", "patch", "delete").toList();
            case OUTSIDE -> Stream.of("mutatingwebhookconfigurations", "validatingwebhookconfigurations")
                    .flatMap(r -> everywhere("admissionregistration.k8s.io", r, "", "create")).toList();
        };
    }

    private static List<Right> always() {
        List<Right> rights = new ArrayList<>();
        Stream.of(everywhere(CORE, "pods", "", "get", "list", "watch", "patch"), everywhere(CORE, "pods/status", "", "patch"),
                everywhere(CORE, "namespaces", "", "get", "list", "watch"), everywhere(SETS, "sidecarsets", "", "get", "list", "watch"),
                everywhere(SETS, "sidecarsets/status", "", "patch"), everywhere(SETS, "sidecarsets/finalizers", "", "update"),
                everywhere("events.k8s.io", "events", "", "create", "patch"),
                everywhere("admissionregistration.k8s.io", "mutatingwebhookconfigurations", CheckOptions.MUTATING_NAME, "get", "patch"),
                everywhere("admissionregistration.k8s.io", "validatingwebhookconfigurations", CheckOptions.VALIDATING_NAME, "get", "patch"),
                everywhere("apiextensions.k8s.io", "customresourcedefinitions", DefinitionRules.NAME, "get", "patch"),
                own("apps", "controllerrevisions", "", "get", "list", "watch", "create", "patch", "delete"),
                own(CORE, "configmaps", "kruise-configuration", "list", "watch"),
                own("coordination.k8s.io", "leases", "", "get", "create", "patch"),
                own(CORE, "secrets", CheckOptions.SECRET, "get", "patch"), own(CORE, "secrets", "", "create"))
                .forEach(some -> some.forEach(rights::add));
        return List.copyOf(rights);
    }

    private static Stream<Right> everywhere(String group, String resource, String name, String... verbs) {
        return Stream.of(verbs).map(v -> new Right(Where.EVERYWHERE, v, group, resource, name));
    }

    private static Stream<Right> own(String group, String resource, String name, String... verbs) {
        return Stream.of(verbs).map(v -> new Right(Where.OWN_NAMESPACE, v, group, resource, name));
    }

    @Override
    public String toString() {
        return verb + " " + resource + (group.isEmpty() ? "" : "." + group) + (name.isEmpty() ? "" : " " + name);
    }
}
