package dev.pillion.check;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

import org.junit.jupiter.api.Test;

import dev.pillion.api.Json;
import dev.pillion.certs.Credentials;
import dev.pillion.check.CheckOptions.Certificates;
import dev.pillion.check.CheckOptions.Served;
import dev.pillion.check.ClusterFacts.HeldLease;
import dev.pillion.check.ClusterFacts.ServiceName;

import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** Each thing that can be wrong with the API server's side, and with controllers, in a cluster where all else is well. */
final class CheckupTest {
    private final CleanCluster cluster = new CleanCluster();

    @Test
    void findsNothingInACleanCluster() {
        assertThat(cluster.findings()).isEmpty();
        assertThat(Checkup.of(cluster.facts(), cluster.options)).extracting(Finding::rule).containsExactly(Rule.RIGHTS_ASKED);
    }

    @Test
    void missesTheDefinition() {
        cluster.definition.removeAll();

        assertThat(only(Rule.CRD_MISSING).wayOut()).contains("k8s/crd");
    }

    @Test
    void judgesVersionsOfTheDefinition() {
        ArrayNode versions = (ArrayNode) cluster.definition.at("/spec/versions");
        ((ObjectNode) versions.get(0)).put("served", false).put("storage", true);
        ((ObjectNode) versions.get(1)).put("storage", false);
        ((ArrayNode) cluster.definition.at("/status/storedVersions")).insert(0, "v1alpha1");

        assertThat(cluster.findings()).extracting(Finding::rule).containsExactly(Rule.CRD_VERSION, Rule.CRD_STORAGE, Rule.CRD_STORED);
        assertThat(cluster.findings().getFirst().what()).contains("v1alpha1 is not served");
        assertThat(cluster.findings().getLast().what()).contains("v1alpha1, v1beta1");
    }

    @Test
    void aDefinitionWhoseNamesAreTakenIsNotEstablished() {
        ((ObjectNode) cluster.definition.path("status")).putArray("conditions").addObject().put("type", "NamesAccepted")
                .put("status", "False")
                .put("message", "kind SidecarSet is taken");

        assertThat(only(Rule.CRD_NOT_ESTABLISHED).what()).contains("NamesAccepted").contains("kind SidecarSet is taken");
    }

    @Test
    void judgesTheConversion() {
        cluster.conversion().put("caBundle", "");
        assertThat(only(Rule.CRD_CONVERSION).what()).contains("no caBundle");

        ((ObjectNode) cluster.conversion().path("service")).put("name", "kruise-webhook-service");
        assertThat(only(Rule.CRD_ELSEWHERE).what()).contains("kruise-system/kruise-webhook-service");

        ((ObjectNode) cluster.definition.path("spec")).putObject("conversion").put("strategy", "None");
        assertThat(only(Rule.CRD_CONVERSION).what()).contains("lost");
    }

    @Test
    void missesWebhooks() {
        ((ArrayNode) cluster.mutating.path("webhooks")).remove(0);
        ((ObjectNode) cluster.validating.path("metadata")).put("name", "somebody-elses");

        assertThat(cluster.findings()).extracting(Finding::rule).containsExactly(Rule.WEBHOOK_MISSING, Rule.WEBHOOK_MISSING,
                Rule.SECOND_SET_WEBHOOK);
        assertThat(cluster.findings().getFirst().what()).contains("it has no webhook that changes new Pods");
        assertThat(cluster.findings().get(1).what()).contains("does not exist: SidecarSets that are wrong are taken");
    }

    @Test
    void judgesCaBundles() {
        ((ObjectNode) cluster.podWebhook().path("clientConfig")).remove("caBundle");
        assertThat(only(Rule.WEBHOOK_CA).what()).contains("webhook mpod.kb.io has no caBundle");

        ((ObjectNode) cluster.podWebhook().path("clientConfig")).put("caBundle", "bm8gY2VydGlmaWNhdGU=");
        assertThat(only(Rule.WEBHOOK_CA).what()).contains("holds no certificate");

        cluster.trust(CleanCluster.certificate(CleanCluster.NOW, "x"));
        assertThat(cluster.findings()).hasSize(4).allSatisfy(f -> {
            assertThat(f.rule()).isIn(Rule.WEBHOOK_CA, Rule.CRD_CONVERSION);
            assertThat(f.what()).contains("without the CA of the certificate that is served");
        });
    }

    @Test
    void ofExternalCertificatesOnlyTheBundlesCanBeJudged() {
        cluster.options = options(Certificates.EXTERNAL, Served.YES);
        cluster.secret.clear();
        cluster.trust(CleanCluster.certificate(CleanCluster.NOW, "x"));
        assertThat(only(Rule.CERTIFICATE_EXTERNAL).what()).contains("certs.external");

        cluster.trust(CleanCluster.certificate(Instant.parse("2001-01-01T00:00:00Z"), "x"));
        assertThat(cluster.findings()).extracting(Finding::rule).containsOnly(Rule.WEBHOOK_CA, Rule.CRD_CONVERSION,
                Rule.CERTIFICATE_EXTERNAL);
        assertThat(cluster.findings().getFirst().what()).contains("all expired");
    }

    @Test
    void judgesPolicyTimeoutAndNamespacesOfWebhooks() {
        cluster.podWebhook().put("failurePolicy", "Ignore");
        assertThat(only(Rule.WEBHOOK_IGNORES).what()).contains("mpod.kb.io");

        cluster.podWebhook().put("failurePolicy", "Fail").put("timeoutSeconds", 8);
        assertThat(only(Rule.WEBHOOK_TIMEOUT).what()).contains("timeoutSeconds 8").contains("8000 ms");

        cluster.podWebhook().put("timeoutSeconds", 9).remove("namespaceSelector");
        assertThat(cluster.findings()).extracting(Finding::rule).containsExactly(Rule.WEBHOOK_OWN_NAMESPACE, Rule.WEBHOOK_OWN_NAMESPACE);
        assertThat(cluster.findings()).extracting(Finding::what).anyMatch(w -> w.contains("namespace kruise-system"))
                .anyMatch(w -> w.contains("namespace kube-system"));
    }

    @Test
    void aWebhookWhoseServiceIsGoneIsDead() {
        cluster.services.put(new ServiceName("kruise-system", "pillion-webhook-service"), Known.seen(false));

        assertThat(cluster.findings()).extracting(Finding::rule).containsOnly(Rule.WEBHOOK_DEAD).hasSize(3);
    }

    @Test
    void aWebhookOutsideTheClusterIsTold() {
        ((ObjectNode) cluster.podWebhook().path("clientConfig"))
                .put("url", "https://pillion-webhook-service.kruise-system.svc:9/mutate-pod").remove("service");

        assertThat(only(Rule.WEBHOOK_OUTSIDE).what()).contains("https://pillion-webhook-service.kruise-system.svc:9,");
        assertThat(cluster.facts().front().isServedOutside()).isTrue();
    }

    @Test
    void tellsASecondInjector() {
        cluster.moreMutating
                .add(kruise("kruise-mutating-webhook-configuration", "MutatingWebhookConfiguration", "/mutate-pod", "pods", ""));
        assertThat(only(Rule.SECOND_INJECTOR).what()).contains("twice");

        cluster.moreMutating.set(0, kruise("zz-webhooks", "MutatingWebhookConfiguration", "/mutate-pod", "pods", ""));
        assertThat(cluster.findings()).extracting(Finding::rule).containsExactly(Rule.SECOND_INJECTOR, Rule.WEBHOOK_ORDER);

        cluster.moreMutating.clear();
        cluster.moreValidating.add(kruise("kruise-validating-webhook-configuration", "ValidatingWebhookConfiguration",
                "/validate-apps-kruise-io-sidecarset", "sidecarsets", "apps.kruise.io"));
        assertThat(only(Rule.SECOND_SET_WEBHOOK).kind()).isEqualTo("ValidatingWebhookConfiguration");
    }

    @Test
    void anotherProductsPathIsNotTakenForAnInjector() {
        ObjectNode other = kruise("other-product", "MutatingWebhookConfiguration", "/mutate-pod", "pods", "");
        ((ObjectNode) other.at("/webhooks/0/clientConfig/service")).put("name", "other").put("namespace", "other");
        cluster.moreMutating.add(other);
        assertThat(only(Rule.SAME_PATH).objects()).containsExactly("other-product");

        ((ObjectNode) other.at("/webhooks/0/clientConfig/service")).put("path", "/inject");
        assertThat(cluster.findings()).isEmpty();
    }

    @Test
    void aLeftOverOfOpenKruiseIsDead() {
        ObjectNode left = kruise("kruise-validating-webhook-configuration", "ValidatingWebhookConfiguration", "/validate-pod", "pods", "");
        cluster.moreValidating.add(left);
        cluster.services.put(new ServiceName("kruise-system", "kruise-webhook-service"), Known.seen(false));
        assertThat(only(Rule.WEBHOOK_DEAD).what()).contains("kruise-system/kruise-webhook-service").contains("refused");

        ((ObjectNode) left.at("/webhooks/0")).put("failurePolicy", "Ignore");
        assertThat(only(Rule.WEBHOOK_DEAD).what()).contains("left out");
    }

    @Test
    void judgesTheCertificate() {
        cluster.secret(CleanCluster.NOW.minus(Duration.ofDays(80)));
        assertThat(only(Rule.CERTIFICATE_LATE).what()).contains("tls.crt expires at ");

        cluster.secret(CleanCluster.NOW.minus(Duration.ofDays(100)));
        assertThat(only(Rule.CERTIFICATE_EXPIRED).what()).contains("tls.crt has expired at ");

        Credentials other = CleanCluster.certificate(CleanCluster.NOW.minusSeconds(60), "elsewhere.example");
        cluster.secret.put("tls.crt", other.serving().certificatePem());
        cluster.secret.put("ca.crt", other.authority().certificatePem());
        cluster.trust(other);
        assertThat(only(Rule.CERTIFICATE_NAMES).what()).contains("pillion-webhook-service.kruise-system.svc");

        cluster.secret.put("tls.crt", "-----BEGIN CERTIFICATE-----\nnone\n-----END CERTIFICATE-----\n");
        assertThat(only(Rule.CERTIFICATE_UNUSABLE).what()).contains("tls.crt");

        cluster.secret.clear();
        assertThat(only(Rule.CERTIFICATE_MISSING).objects()).containsExactly("kruise-system/pillion-webhook-certs");
    }

    @Test
    void tellsMissingRightsAndWhoseTheyAre() {
        cluster.missing.addAll(Right.of(Right.Part.ALWAYS).stream()
                .filter(r -> r.resource().equals("pods/status") || (r.resource().equals("leases") && r.verb().equals("create"))).toList());

        Finding finding = only(Rule.RIGHT_MISSING);

        assertThat(finding.objects()).containsExactly("system:serviceaccount:kruise-system:pillion");
        assertThat(finding.what()).endsWith("patch pods/status; create leases.coordination.k8s.io in kruise-system");
    }

    @Test
    void tellsWhoWorks() {
        HeldLease other = new HeldLease("kruise-manager", "manager-1", Optional.of(CleanCluster.NOW.minusSeconds(5)), 15);
        cluster.leases.add(other);
        assertThat(only(Rule.TWO_CONTROLLERS).what()).contains("manager-1");

        cluster.leases.removeFirst();
        assertThat(cluster.findings()).extracting(Finding::rule).containsExactly(Rule.NO_CONTROLLER, Rule.OTHER_CONTROLLER);

        cluster.leases.clear();
        cluster.leases.add(new HeldLease("pillion-slot-0", "a", Optional.of(CleanCluster.NOW.minusSeconds(40)), 15));
        cluster.leases.add(new HeldLease("kruise-manager", "", Optional.of(CleanCluster.NOW), 15));
        assertThat(only(Rule.NO_CONTROLLER).what()).contains("nobody holds it");
    }

    @Test
    void whatMayNotBeSeenIsTold() {
        cluster.hiddenSecret = Optional.of(new Known.Hidden<>("the shared certificate", "get secrets", "secrets is forbidden"));

        Finding finding = only(Rule.NOT_CHECKED);

        assertThat(finding.objects()).containsExactly("the shared certificate");
        assertThat(finding.what()).isEqualTo("not checked: secrets is forbidden");
        assertThat(finding.wayOut()).isEqualTo("ask again as a user who may get secrets");
    }

    private Finding only(Rule rule) {
        List<Finding> findings = cluster.findings();
        assertThat(findings).as(findings.toString()).extracting(Finding::rule).containsExactly(rule);
        return findings.getFirst();
    }

    private static CheckOptions options(Certificates certificates, Served served) {
        return new CheckOptions(CleanCluster.NOW, "kruise-system", Duration.ofSeconds(8), certificates, served, served);
    }

    private static ObjectNode kruise(String name, String kind, String path, String resource, String group) {
        return (ObjectNode) Json.read("""
                {"kind":"%s","metadata":{"name":"%s"},"webhooks":[{"name":"w","failurePolicy":"Fail",
                 "clientConfig":{"service":{"namespace":"kruise-system","name":"kruise-webhook-service","path":"%s"}},
                 "rules":[{"operations":["CREATE"],"apiGroups":["%s"],"apiVersions":["*"],"resources":["%s"]}]}]}"""
                .formatted(kind, name, path, group, resource));
    }
}
