package dev.pillion.cli;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

import dev.pillion.api.Json;
import dev.pillion.check.CheckOptions;
import dev.pillion.check.ClusterFacts;
import dev.pillion.check.ClusterFacts.AskedRights;
import dev.pillion.check.Right;
import dev.pillion.kube.KubeException;
import dev.pillion.kube.Objects;

import tools.jackson.databind.node.ObjectNode;

/**
 * Asks the authorizer for what the controller needs.
 * <ol>
 * <li>The reader is the service account of the manifests, or there is none: the reader's own rights.
 * <li>Else those of the account, which needs the right to ask about others. Whoever may not, or may not see whether there is one, learns
 * nothing: the reader's own rights tell nothing of the controller's.
 * </ol>
 */
final class RightsLook {
    private static final String API = "authorization.k8s.io/v1";
    private static final String ACCOUNT = "pillion";
    private static final int FORBIDDEN = 403;

    private final Objects objects;
    private final CheckOptions options;

    RightsLook(Objects objects, CheckOptions options) {
        this.objects = objects;
        this.options = options;
    }

    /** @throws dev.pillion.kube.KubeException with code 403 when the reader may not ask */
    AskedRights ask(ClusterFacts.Front front) {
        List<Right> needed = needed(front);
        String account = "system:serviceaccount:" + options.namespace() + ":" + ACCOUNT;
        String self = self();
        if (self.equals(account) || objects.get("v1", "ServiceAccount", options.namespace(), ACCOUNT).isEmpty()) {
            return new AskedRights(self, missing(needed, Optional.empty()));
        }
        return new AskedRights(account, missing(needed, Optional.of(account)));
    }

    private List<Right> needed(ClusterFacts.Front front) {
        List<Right> needed = new ArrayList<>(Right.of(Right.Part.ALWAYS));
        if (options.launchPriority() == CheckOptions.Served.YES) {
            needed.addAll(Right.of(Right.Part.LAUNCH_PRIORITY));
        }
        if (front.isServedOutside()) {
            needed.addAll(Right.of(Right.Part.OUTSIDE));
        }
        return needed;
    }

    private List<Right> missing(List<Right> needed, Optional<String> account) {
        return needed.stream().filter(right -> !isAllowed(right, account)).toList();
    }

    private boolean isAllowed(Right right, Optional<String> account) {
        ObjectNode review = Json.object().put("apiVersion", API).put("kind",
                account.isPresent() ? "SubjectAccessReview" : "SelfSubjectAccessReview");
        ObjectNode spec = review.putObject("spec");
        account.ifPresent(user -> {
            spec.put("user", user);
            Stream.of("system:serviceaccounts", "system:serviceaccounts:" + options.namespace(), "system:authenticated")
                    .forEach(spec.putArray("groups")::add);
        });
        String[] resource = right.resource().split("/", 2);
        ObjectNode attributes = spec.putObject("resourceAttributes").put("verb", right.verb()).put("group", right.group())
                .put("resource", resource[0]).put("subresource", resource.length > 1 ? resource[1] : "").put("name", right.name());
        switch (right.where()) {
            case EVERYWHERE -> attributes.put("namespace", "");
            case OWN_NAMESPACE -> attributes.put("namespace", options.namespace());
        }
        return objects.apply(review).path("status").path("allowed").asBoolean(false);
    }

    /** The reader's own name, as the API server knows it. */
    private String self() {
        try {
            ObjectNode review = Json.object().put("apiVersion", "authentication.k8s.io/v1").put("kind", "SelfSubjectReview");
            String name = Json.text(objects.apply(review).path("status").path("userInfo"), "username");
            return name.isEmpty() ? "of this command" : name;
        } catch (KubeException e) {
            // Clusters before 1.28 do not tell, and some refuse.
            if (e.code() != FORBIDDEN && e.code() != 404) {
                throw e;
            }
            return "of this command";
        }
    }
}
