package dev.pillion.check;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

import dev.pillion.check.ClusterFacts.Contents;
import dev.pillion.check.ClusterFacts.Front;
import dev.pillion.check.ClusterFacts.Own;

/**
 * All findings about a cluster, the gravest first.
 * <ol>
 * <li>The definition of SidecarSets, webhook configurations, the certificate: whether the API server can ask Pillion, and only Pillion.
 * <li>Leases and rights: whether a controller works, and only one.
 * <li>Pods and SidecarSets: what another controller left behind, and what nobody serves.
 * <li>Kinds that Pillion does not offer.
 * <li>What the reader was not allowed to see.
 * </ol>
 */
public final class Checkup {
    private Checkup() {
    }

    public static List<Finding> of(ClusterFacts facts, CheckOptions options) {
        List<Finding> found = new ArrayList<>();
        found.addAll(DefinitionRules.judge(facts, options));
        found.addAll(WebhookRules.judge(facts, options));
        found.addAll(OtherWebhookRules.judge(facts));
        found.addAll(CertificateRules.judge(facts, options));
        found.addAll(ControllerRules.judge(facts, options));
        found.addAll(PodRules.judge(facts, options));
        found.addAll(ContentRules.judge(facts));
        hidden(facts).distinct().forEach(found::add);
        found.sort(Comparator.comparing(f -> f.rule().severity()));
        return List.copyOf(found);
    }

    private static Stream<Finding> hidden(ClusterFacts facts) {
        Front front = facts.front();
        Own own = facts.own();
        Contents contents = facts.contents();
        Stream<Known<?>> single = Stream.of(front.definition(), front.mutating(), front.validating(), front.namespaceLabels(),
                own.certificates(), own.leases(), own.rights(), contents.sets(), contents.revisions(), contents.pods());
        Stream<Known<?>> many = Stream.of(front.services(), contents.barriers(), contents.others()).map(Map::values)
                .flatMap(values -> values.stream().map(v -> v));
        return Stream.concat(single, many).flatMap(known -> switch (known) {
            case Known.Seen<?> _ -> Stream.empty();
            case Known.Hidden<?>(String what, String right, String why) -> Stream.of(Finding.of(Rule.NOT_CHECKED, "Check", what,
                    "not checked: " + why, "ask again as a user who may " + right));
        });
    }
}
