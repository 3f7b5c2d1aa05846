package dev.pillion.cli;

import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

import dev.pillion.api.IntOrString;
import dev.pillion.api.PodKey;
import dev.pillion.api.SidecarContainer;
import dev.pillion.api.SidecarSet;
import dev.pillion.explain.Waits;
import dev.pillion.rollout.Plan;
import dev.pillion.rollout.Standing;

/** Parts of sets and plans as lines of text. */
final class SetText {
    private SetText() {
    }

    /** {@code log-agent=registry.example/log-agent:1, setup=...}; init containers last. */
    static String images(SidecarSet set) {
        return String.join(", ", Stream.concat(set.containers().stream(), set.initContainers().stream()).map(SetText::image).toList());
    }

    private static String image(SidecarContainer container) {
        return container.name() + "=" + (container.image().isEmpty() ? "(none)" : container.image());
    }

    /** What steers the roll-out, defaults included. */
    static String strategy(SidecarSet set) {
        var strategy = set.updateStrategy();
        StringBuilder text = new StringBuilder(strategy.type().isEmpty() ? "RollingUpdate" : strategy.type());
        if (!strategy.isNotUpdate()) {
            text.append(", maxUnavailable ").append(value(strategy.maxUnavailable(), "1")).append(", partition ")
                    .append(value(strategy.partition(), "0"));
        }
        strategy.selector().ifPresent(_ -> text.append(", selected pods only"));
        text.append(strategy.paused() ? ", paused" : "").append(set.injectionStrategy().paused() ? ", injection paused" : "");
        return text.toString();
    }

    private static String value(Optional<IntOrString> given, String otherwise) {
        return given.map(v -> switch (v) {
            case IntOrString.Int(int number) -> Integer.toString(number);
            case IntOrString.Text(String text) -> text;
        }).orElse(otherwise);
    }

    /** The Pods that are not updated, by reason; each with its sentence and some names. Empty when there is none. */
    static String waiting(RolloutLook look, int limit, String indent) {
        TextTable table = new TextTable("REASON", "PODS", "BECAUSE");
        for (Plan.Waiting waiting : look.plan().waiting()) {
            table.row(waiting.reason().word(), Integer.toString(waiting.pods()), Waits.reason(waiting.reason()));
            table.row("", "", names(look.waitingFor(waiting.reason()).stream().map(Standing::pod).toList(), limit));
            if (!waiting.blockers().isEmpty()) {
                table.row("", "", "they wait for " + names(waiting.blockers(), limit));
            }
        }
        return table.isEmpty() ? "" : table.text(indent);
    }

    /** Where one Pod stands. */
    static String sentence(Standing standing) {
        return switch (standing.state()) {
            case UPDATED -> "runs the present version and is ready";
            case STARTING -> "was updated; it does not run the new version yet, or is not ready";
            case NEXT -> "is updated next";
            case WAITING -> standing.waits().map(Waits::reason).orElse("");
        };
    }

    /** Names up to a limit, and how many more there are. */
    static String names(List<PodKey> pods, int limit) {
        List<String> shown = pods.stream().limit(limit).map(PodKey::toString).toList();
        return String.join(", ", shown) + (pods.size() > shown.size() ? " and " + (pods.size() - shown.size()) + " more" : "");
    }
}
