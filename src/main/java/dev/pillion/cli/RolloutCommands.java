package dev.pillion.cli;

import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;

import dev.pillion.api.SidecarSet;
import dev.pillion.kube.KubeClient;

import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** pillion rollout: small changes of a SidecarSet, each one guarded write. */
final class RolloutCommands {
    private static final String CODES = "0 done, or so already; 1 there is no such SidecarSet, or the write was refused; 64 wrong arguments; "
            + "69 the cluster does not answer.";

    private RolloutCommands() {
    }

    /** The group; says what it holds. */
    @Command(name = "rollout", description = "Pauses and resumes the roll-out of a SidecarSet, and sets its images.", synopsisSubcommandLabel = "(pause | resume | set-image)")
    static final class Group implements Callable<Integer> {
        @Spec
        private @Nullable CommandSpec spec;

        @Override
        public Integer call() {
            CommandLine command = Objects.requireNonNull(spec).commandLine();
            command.getErr().println("pillion: say what to do");
            command.usage(command.getErr());
            return Exit.USAGE;
        }
    }

    /** Whether updateStrategy.paused becomes true or false. */
    enum Paused {
        YES, NO
    }

    /** pause and resume. */
    @Command(footerHeading = "%nExit codes: ", footer = CODES)
    static final class Pause implements Callable<Integer> {
        @Parameters(paramLabel = "NAME", description = "The SidecarSet.")
        private String name = "";

        @Mixin
        private final ClusterAccess access;

        private final Paused paused;

        Pause(CommandSettings.Source settings, Paused paused) {
            this.access = new ClusterAccess(settings);
            this.paused = paused;
        }

        @Override
        public Integer call() {
            return access.runOn(name, (set, kube, _, out, _) -> {
                boolean wanted = paused == Paused.YES;
                String state = wanted ? "paused" : "not paused";
                if (set.updateStrategy().paused() == wanted) {
                    out.println("SidecarSet " + name + " is " + state + " already");
                    return Exit.OK;
                }
                SetChange.write(kube, set, s -> {
                    ObjectNode changed = s.raw().deepCopy();
                    changed.withObjectProperty("spec").withObjectProperty("updateStrategy").put("paused", wanted);
                    return changed;
                });
                out.println("SidecarSet " + name + " is " + state + " now");
                return Exit.OK;
            });
        }
    }

    /** set-image. */
    @Command(name = "set-image", description = "Sets images of a SidecarSet; running pods follow by its update strategy.", footerHeading = "%nExit codes: ", footer = CODES)
    static final class SetImage implements Callable<Integer> {
        @Parameters(index = "0", paramLabel = "NAME", description = "The SidecarSet.")
        private String name = "";

        @Parameters(index = "1..*", arity = "1..*", paramLabel = "CONTAINER=IMAGE", description = "A container or init container of the set, and its new image.")
        private Map<String, String> images = Map.of();

        @Mixin
        private final ClusterAccess access;

        SetImage(CommandSettings.Source settings) {
            this.access = new ClusterAccess(settings);
        }

        @Override
        public Integer call() {
            return access.runOn(name, (set, kube, _, out, err) -> write(kube, set, out, err));
        }

        private int write(KubeClient kube, SidecarSet set, PrintWriter out, PrintWriter err) {
            List<String> missing = new ArrayList<>(images.keySet());
            Stream.concat(set.containers().stream(), set.initContainers().stream()).forEach(c -> missing.remove(c.name()));
            if (!missing.isEmpty()) {
                err.println("pillion: SidecarSet " + name + " has no container " + String.join(", ", missing) + "; it has "
                        + SetText.images(set));
                return Exit.REFUSED;
            }
            if (changed(set).equals(set.raw())) {
                out.println("SidecarSet " + name + " has these images already: " + SetText.images(set));
                return Exit.OK;
            }
            out.println("SidecarSet " + name + " has new images: " + SetText.images(SetChange.write(kube, set, this::changed)));
            return Exit.OK;
        }

        private ObjectNode changed(SidecarSet set) {
            ObjectNode changed = set.raw().deepCopy();
            for (String list : List.of("containers", "initContainers")) {
                for (JsonNode container : changed.path("spec").path(list)) {
                    String image = images.get(container.path("name").asString(""));
                    if (image != null && container instanceof ObjectNode object) {
                        object.put("image", image);
                    }
                }
            }
            return changed;
        }
    }
}
