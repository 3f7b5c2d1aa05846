package dev.pillion.check;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

import dev.pillion.api.ByteOrder;

/** Webhook configurations of others that do what Pillion's do: a second injector. */
final class OtherWebhookRules {
    private static final String REMOVE = "run OpenKruise's manager with --feature-gates=PodWebhook=false, or delete the webhook; see takeover.md";

    private OtherWebhookRules() {
    }

    static List<Finding> judge(ClusterFacts facts) {
        List<Finding> found = new ArrayList<>();
        List<Configured> others = Stream.concat(facts.front().mutating().orElse(List.of()).stream(),
                facts.front().validating().orElse(List.of()).stream()).flatMap(Configured::all).filter(w -> !w.isOurs()).toList();
        for (Configured other : others) {
            if (other.injects()) {
                injector(other, others, found);
            }
            if (other.asksSets()) {
                WebhookRules.add(found, Rule.SECOND_SET_WEBHOOK, other, "judges or changes SidecarSets beside Pillion's",
                        "delete this webhook once OpenKruise no longer serves SidecarSets");
            }
            ClusterFacts.service(other.entry()).filter(s -> other.concernsSidecars() && WebhookRules.isMissing(facts, s))
                    .ifPresent(s -> WebhookRules.add(found, Rule.WEBHOOK_DEAD, other, "asks Service " + s + ", which does not exist: "
                            + (other.entry().raw().path("failurePolicy").asString("Fail").equals("Fail")
                                    ? "what it is asked about is refused"
                                    : "its work is left out"),
                            "delete the webhook, its product is gone"));
        }
        return found;
    }

    private static void injector(Configured other, List<Configured> others, List<Finding> found) {
        boolean knowsSets = others.stream().anyMatch(o -> o.name().equals(other.name()) && o.asksSets());
        if (!other.isOpenKruise() && !knowsSets) {
            WebhookRules.add(found, Rule.SAME_PATH, other, "changes new Pods at the path of SidecarSet webhooks",
                    "nothing is needed unless it injects SidecarSets");
            return;
        }
        WebhookRules.add(found, Rule.SECOND_INJECTOR, other, "injects SidecarSets, too: each Pod is changed twice", REMOVE);
        if (ByteOrder.UTF8.compare(CheckOptions.MUTATING_NAME, other.name()) < 0) {
            WebhookRules.add(found, Rule.WEBHOOK_ORDER, other,
                    "is asked after Pillion's, by the order of the configurations' names: what it finds it may replace, barriers of launch priority are doubled",
                    "give that configuration a name before " + CheckOptions.MUTATING_NAME + ", or remove it");
        }
    }
}
