package dev.pillion.validate;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

import dev.pillion.api.Json;
import dev.pillion.api.SetKey;
import dev.pillion.api.SidecarContainer;
import dev.pillion.api.SidecarSet;
import dev.pillion.api.SidecarSet.PatchPodMetadata;
import dev.pillion.match.SetIndex;
import dev.pillion.validate.ValidationRequest.Operation;

import tools.jackson.databind.JsonNode;

/** The validating webhook for SidecarSets (validation.md 4): all faults at once; other sets are looked at only when there is none. */
public final class SetValidator {
    /** No container can have this name (trap 30). */
    private static final String PLACEHOLDER = "-";
    private static final String REFERENCE_PLACEHOLDER = "test";

    private final ValidationRequest request;
    private final SetIndex index;
    private final ValidateOptions options;
    private final Faults faults = new Faults();
    private final SidecarSet set;
    private final Optional<SidecarSet> old;

    private SetValidator(ValidationRequest request, SetIndex index, ValidateOptions options) {
        this.request = request;
        this.index = index;
        this.options = options;
        this.set = SidecarSet.of(request.object());
        this.old = request.old().map(SidecarSet::of);
    }

    public static Validation validate(ValidationRequest request, SetIndex index, ValidateOptions options) {
        SetValidator validator = new SetValidator(request, index, options);
        validator.run();
        List<Fault> faults = validator.faults.list();
        return new Validation(faults, faults.isEmpty() ? new Warnings(options).of(validator.set, validator.old, index) : List.of());
    }

    private void run() {
        new MetadataRules(faults).check(request.object().path("metadata"));
        new CanaryRules(faults).check(set, old,
                name -> index.set(new SetKey(name)).or(() -> request.base().filter(b -> b.name().equals(name))));
        spec(request.object().path("spec"));
        if (request.operation() == Operation.UPDATE) {
            old.ifPresent(this::compare);
        }
        if (faults.size() == 0) {
            faults.addAll(Conflicts.of(set, index, options));
        }
    }

    private void spec(JsonNode spec) {
        StrategyRules strategy = new StrategyRules(faults, options);
        set.initContainers().stream().filter(SidecarContainer::isNative).filter(_ -> set.updateStrategy().type().equals("RollingUpdate"))
                .forEach(c -> faults.required("spec.updateStrategy", "native sidecar " + Faults.quoted(c.name())
                        + " cannot be updated in place: use type NotUpdate"));
        if (Node.isSet(spec, "selector")) {
            strategy.selector(spec.path("selector"), "spec.selector");
        } else {
            faults.required("spec.selector", "name the pods that get the sidecars, by at least one label");
        }
        if (Node.isSet(spec, "namespaceSelector")) {
            strategy.selector(spec.path("namespaceSelector"), "spec.namespaceSelector");
        }
        revision();
        customVersion();
        Optional<JsonNode> before = request.old().map(o -> o.path("spec").path("updateStrategy"));
        boolean asksFirst = isPartial(set) && !old.filter(SetValidator::isPartial).isPresent();
        strategy.check(spec.path("updateStrategy"), before, asksFirst ? Optional.empty() : before);
        if (set.containers().isEmpty() && set.initContainers().isEmpty()) {
            faults.required("spec", "needs at least one container or init container");
        }
        containers(spec);
        new PodMetadataRules(faults, options).check(Node.items(spec, "patchPodMetadata"), set.labels(), request.configMap(),
                request.configNamespace(),
                old.stream().flatMap(o -> o.patchPodMetadata().stream()).map(PatchPodMetadata::patchPolicy).collect(Collectors.toSet()));
    }

    /** Compatible: bare paths (trap 8). */
    private void revision() {
        set.injectionStrategy().pin().ifPresent(pin -> {
            if (pin.revisionName().isEmpty() && pin.customVersion().isEmpty()) {
                faults.invalid("revision", "spec.injectionStrategy.revision needs revisionName or customVersion");
            } else {
                pinned(pin.revisionName().map(n -> ".revisionName names " + Faults.quoted(n))
                        .orElse(".customVersion names " + Faults.quoted(pin.customVersion().orElse(""))));
            }
            if (!pin.policy().isEmpty() && !pin.policy().equals("Always") && !pin.policy().equals("Partial")) {
                faults.invalid("revision.policy", Faults.quoted(pin.policy()) + " is unknown: use Always or Partial");
            }
        });
    }

    private static boolean isPartial(SidecarSet set) {
        return set.injectionStrategy().pin().filter(p -> p.policy().equals("Partial")).isPresent();
    }

    private void pinned(String named) {
        String pin = "spec.injectionStrategy.revision" + named;
        switch (request.pinned()) {
            case FOUND -> {
            }
            case NOT_FOUND -> faults.invalid("revision", pin + ", which no ControllerRevision of this set has: name an existing one,"
                    + " or leave it out");
            case NOT_RESTORABLE -> faults.invalid("revision", pin + ", but that ControllerRevision holds no readable spec: name another");
            case OF_ANOTHER_SET -> {
                if (options.fixes() && old.filter(o -> o.injectionStrategy().pin().equals(set.injectionStrategy().pin())).isEmpty()) {
                    faults.invalid("revision", pin + ", but that ControllerRevision belongs to another set: name one of this set");
                }
            }
        }
    }

    /** api.md trap 14: the custom version becomes a label of the ControllerRevision. */
    private void customVersion() {
        if (options.fixes() && old.filter(o -> o.customVersion().equals(set.customVersion())).isEmpty()) {
            Formats.labelValue(set.customVersion())
                    .forEach(p -> faults.invalid("spec.customVersion", p + ", since it becomes a label of the ControllerRevision"));
        }
    }

    /** The container of the same name before the update; missing when there was none. */
    private JsonNode earlier(String list, JsonNode container) {
        String name = Node.text(container, "name");
        return request.old().stream().flatMap(o -> Node.items(o.path("spec"), list).stream()).filter(c -> Node.text(c, "name").equals(name))
                .findFirst().orElse(Json.NODES.missingNode());
    }

    private void containers(JsonNode spec) {
        SidecarRules sidecars = new SidecarRules(faults, options);
        List<JsonNode> inits = Node.items(spec, "initContainers");
        for (int i = 0; i < inits.size(); i++) {
            sidecars.init(inits.get(i), earlier("initContainers", inits.get(i)), i);
        }
        List<JsonNode> regular = Node.items(spec, "containers");
        for (int i = 0; i < regular.size(); i++) {
            sidecars.regular(regular.get(i), earlier("containers", regular.get(i)), i);
        }
        if (options.fixes()) {
            List<Fault> before = old.map(HotUpgradeRules::check).orElse(List.of());
            faults.addAll(HotUpgradeRules.check(set).stream().filter(f -> !before.contains(f)).toList());
        }
        JsonNode checked = options.fixes() ? MissingDefaults.defaulted(spec) : spec;
        faults.addAll(CoreRules.check(checked, options.fixes() ? PLACEHOLDER : REFERENCE_PLACEHOLDER));
    }

    /** Section 9: regular containers may go, but none may come or be renamed. */
    private void compare(SidecarSet before) {
        Map<String, SidecarContainer> known = before.containers().stream()
                .collect(Collectors.toMap(SidecarContainer::name, c -> c, (_, last) -> last));
        for (SidecarContainer container : set.containers()) {
            SidecarContainer earlier = known.get(container.name());
            if (earlier == null) {
                faults.invalid("spec.containers.name", "container " + Faults.quoted(container.name())
                        + " cannot be added to or renamed in an existing set: create another SidecarSet for it");
            } else if (!earlier.upgradeType().isEmpty() && !earlier.upgradeType().equals(container.upgradeType())) {
                faults.invalid("spec.containers.upgradeStrategy.upgradeType", "container " + Faults.quoted(container.name()) + " is "
                        + earlier.upgradeType() + " in running pods and cannot change: create another SidecarSet");
            }
        }
    }
}
