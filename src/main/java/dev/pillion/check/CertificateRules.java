package dev.pillion.check;

import java.security.cert.CertificateParsingException;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;

import dev.pillion.explain.WebhookEntry;

/** The certificate that all replicas share. */
final class CertificateRules {
    private static final String AUTHORITY = "ca.crt";
    /** Renewal is due when a third of the life is left; later than this it has failed for long. */
    private static final int LATE = 4;

    private final ClusterFacts facts;
    private final CheckOptions options;
    private final List<Finding> found = new ArrayList<>();

    private CertificateRules(ClusterFacts facts, CheckOptions options) {
        this.facts = facts;
        this.options = options;
    }

    static List<Finding> judge(ClusterFacts facts, CheckOptions options) {
        CertificateRules rules = new CertificateRules(facts, options);
        switch (options.certificates()) {
            case EXTERNAL -> rules.add(Rule.CERTIFICATE_EXTERNAL,
                    "is not used: certs.external is on, so the certificate is in files that are not seen from here",
                    "ask the tool that makes it, and the metric of its end");
            case OWN -> facts.own().certificates().map(secret -> {
                secret.ifPresentOrElse(rules::secret, () -> rules.add(Rule.CERTIFICATE_MISSING, "does not exist",
                        "a controller that starts makes it: look at its log and its rights"));
                return secret;
            });
        }
        return rules.found;
    }

    private void secret(Map<String, String> secret) {
        for (String key : List.of(AUTHORITY, Trust.SERVING)) {
            Trust.read(secret.getOrDefault(key, "")).stream().findFirst().ifPresentOrElse(c -> life(key, c),
                    () -> add(Rule.CERTIFICATE_UNUSABLE, "has no certificate in " + key,
                            "delete the Secret: the controller makes a new one within a minute"));
        }
        Trust.read(secret.getOrDefault(Trust.SERVING, "")).stream().findFirst().ifPresent(this::names);
    }

    private void life(String key, X509Certificate certificate) {
        Instant end = certificate.getNotAfter().toInstant();
        Duration life = Duration.between(certificate.getNotBefore().toInstant(), end);
        String renewed = "a running controller renews it when a third of its life is left: look at its log";
        if (end.isBefore(options.now())) {
            add(Rule.CERTIFICATE_EXPIRED, key + " has expired at " + end, renewed);
        } else if (key.equals(Trust.SERVING) && end.minus(life.dividedBy(LATE)).isBefore(options.now())) {
            add(Rule.CERTIFICATE_LATE, key + " expires at " + end + " and should have been renewed", renewed);
        }
    }

    /** Every host that the API server asks must be in it. */
    private void names(X509Certificate certificate) {
        Set<String> missing = new TreeSet<>(hosts().toList());
        missing.removeAll(namesOf(certificate));
        if (!missing.isEmpty()) {
            add(Rule.CERTIFICATE_NAMES, Trust.SERVING + " is not for " + String.join(", ", missing) + ", where webhooks are asked",
                    "let the webhooks name the place where the controller is: its Service, or --webhook-url");
        }
    }

    private Stream<String> hosts() {
        Stream<WebhookEntry> conversion = facts.front().definition().orElse(Optional.empty())
                .flatMap(d -> DefinitionRules.ours(d, options)).stream();
        Stream<WebhookEntry> webhooks = Stream
                .concat(facts.front().mutating().orElse(List.of()).stream(), facts.front().validating().orElse(List.of()).stream())
                .flatMap(Configured::all).filter(Configured::isOurs).map(Configured::entry);
        return Stream.concat(conversion, webhooks).map(CertificateRules::host).filter(h -> !h.isEmpty());
    }

    private static String host(WebhookEntry entry) {
        String host = entry.uri().flatMap(u -> Optional.ofNullable(u.getHost())).orElse("");
        return entry.serviceName().isEmpty()
                ? host.replaceAll("^\\[|]$", "")
                : entry.serviceName() + "." + entry.serviceNamespace() + ".svc";
    }

    private static Set<String> namesOf(X509Certificate certificate) {
        Set<String> names = new TreeSet<>();
        try {
            Collection<List<?>> alternatives = certificate.getSubjectAlternativeNames();
            if (alternatives != null) {
                alternatives.forEach(a -> names.add(String.valueOf(a.get(1))));
            }
            return names;
        } catch (CertificateParsingException _) {
            return names;
        }
    }

    private void add(Rule rule, String what, String wayOut) {
        found.add(Finding.of(rule, "Secret", options.namespace() + "/" + CheckOptions.SECRET, what, wayOut));
    }
}
