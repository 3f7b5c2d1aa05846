package dev.pillion.check;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

import dev.pillion.api.Json;
import dev.pillion.api.PodKey;
import dev.pillion.api.Revision;
import dev.pillion.api.SidecarSet;
import dev.pillion.certs.CertMaker;
import dev.pillion.certs.Credentials;
import dev.pillion.check.CheckOptions.Certificates;
import dev.pillion.check.CheckOptions.Served;
import dev.pillion.check.ClusterFacts.AskedRights;
import dev.pillion.check.ClusterFacts.HeldLease;
import dev.pillion.check.ClusterFacts.ServiceName;
import dev.pillion.cli.Manifests;

import tools.jackson.databind.node.ObjectNode;

/** The facts of a cluster with the shipped manifests and a running controller; tests spoil one thing each. */
final class CleanCluster {
    static final Instant NOW = Instant.parse("2026-11-30T12:00:00Z");
    private static final Path K8S = Path.of("k8s");

    final ObjectNode definition = manifest("crd/apps.kruise.io_sidecarsets.yaml", "CustomResourceDefinition");
    final ObjectNode mutating = manifest("controller/webhooks.yaml", "MutatingWebhookConfiguration");
    final ObjectNode validating = manifest("controller/webhooks.yaml", "ValidatingWebhookConfiguration");
    final List<ObjectNode> moreMutating = new ArrayList<>();
    final List<ObjectNode> moreValidating = new ArrayList<>();
    final Map<ServiceName, Known<Boolean>> services = new HashMap<>();
    final Map<String, String> secret = new HashMap<>();
    final List<HeldLease> leases = new ArrayList<>(
            List.of(new HeldLease("pillion-slot-0", "pillion-a", Optional.of(NOW.minusSeconds(3)), 15)));
    final List<Right> missing = new ArrayList<>();
    final List<SidecarSet> sets = new ArrayList<>();
    final List<Revision> revisions = new ArrayList<>();
    final List<PodFacts> pods = new ArrayList<>();
    final Map<PodKey, Known<Boolean>> barriers = new HashMap<>();
    final Map<OtherKind, Known<List<String>>> others = new HashMap<>();
    CheckOptions options = new CheckOptions(NOW, "kruise-system", Duration.ofSeconds(8), Certificates.OWN, Served.YES, Served.YES);
    Optional<Known.Hidden<Optional<Map<String, String>>>> hiddenSecret = Optional.empty();

    CleanCluster() {
        secret(NOW.minus(Duration.ofDays(1)));
        services.put(new ServiceName("kruise-system", "pillion-webhook-service"), Known.seen(true));
        definition.putObject("status").putArray("storedVersions").add("v1beta1");
    }

    /** A certificate made at that time, and its CA everywhere. */
    void secret(Instant made) {
        Credentials credentials = certificate(made, "pillion-webhook-service.kruise-system.svc");
        secret.put("ca.crt", credentials.authority().certificatePem());
        secret.put("tls.crt", credentials.serving().certificatePem());
        trust(credentials);
    }

    static Credentials certificate(Instant made, String name) {
        return new CertMaker(new SecureRandom(), List.of(name)).fresh(made);
    }

    void trust(Credentials credentials) {
        String bundle = Base64.getEncoder().encodeToString(credentials.authority().certificatePem().getBytes(StandardCharsets.US_ASCII));
        Stream.of(mutating, validating).flatMap(c -> c.path("webhooks").valueStream())
                .forEach(w -> ((ObjectNode) w.path("clientConfig")).put("caBundle", bundle));
        conversion().put("caBundle", bundle);
    }

    ObjectNode conversion() {
        return (ObjectNode) definition.at("/spec/conversion/webhook/clientConfig");
    }

    /** The webhook that changes Pods. */
    ObjectNode podWebhook() {
        return (ObjectNode) mutating.at("/webhooks/0");
    }

    void pod(String json) {
        pods.add(PodFacts.of((ObjectNode) Json.read(json)).orElseThrow());
    }

    void set(String json) {
        sets.add(SidecarSet.of((ObjectNode) Json.read(json)));
    }

    ClusterFacts facts() {
        List<ObjectNode> allMutating = Stream.concat(Stream.of(mutating), moreMutating.stream()).toList();
        List<ObjectNode> allValidating = Stream.concat(Stream.of(validating), moreValidating.stream()).toList();
        Known<Optional<Map<String, String>>> certificates = hiddenSecret.<Known<Optional<Map<String, String>>>>map(h -> h)
                .orElseGet(() -> Known.seen(secret.isEmpty() ? Optional.empty() : Optional.of(secret)));
        return new ClusterFacts(
                new ClusterFacts.Front(Known.seen(definition.isEmpty() ? Optional.empty() : Optional.of(definition)),
                        Known.seen(allMutating),
                        Known.seen(allValidating), services, Known.seen(Map.of("kubernetes.io/metadata.name", "kruise-system"))),
                new ClusterFacts.Own(certificates, Known.seen(leases),
                        Known.seen(new AskedRights("system:serviceaccount:kruise-system:pillion", missing))),
                new ClusterFacts.Contents(Known.seen(sets), Known.seen(revisions), Known.seen(pods), barriers, others));
    }

    /** Without the words that a clean cluster has, too. */
    List<Finding> findings() {
        return Checkup.of(facts(), options).stream().filter(f -> f.rule() != Rule.RIGHTS_ASKED).toList();
    }

    static ObjectNode manifest(String file, String kind) {
        try {
            return Manifests.read(K8S.resolve(file)).stream().filter(o -> Json.text(o, "kind").equals(kind)).findFirst().orElseThrow();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
