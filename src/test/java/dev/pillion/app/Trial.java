package dev.pillion.app;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Predicate;

import dev.pillion.api.Json;
import dev.pillion.api.PodView;
import dev.pillion.api.SidecarSet;
import dev.pillion.demo.AuditLog;
import dev.pillion.demo.Judge;
import dev.pillion.it.Eventually;
import dev.pillion.it.RawHttp;
import dev.pillion.podmeta.PodViews;
import dev.pillion.rollout.Availability;
import dev.pillion.rollout.RolloutOptions.Budget;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** One set, the Pods it works on, and the node they are on, which the test plays: nothing runs until it says so. */
final class Trial {
    static final String SETS = "/apis/apps.kruise.io/v1beta1/sidecarsets";
    private static final Duration GRACE = Duration.ofSeconds(1);

    private final RunningCluster cluster;
    private final RawHttp http;
    private final String name;
    private final String namespace;

    Trial(RunningCluster cluster, String name, String namespace) {
        this.cluster = cluster;
        this.http = cluster.http();
        this.name = name;
        this.namespace = namespace;
    }

    String name() {
        return name;
    }

    String namespace() {
        return namespace;
    }

    // The set

    /** One cold container "agent" at a tag, and an update strategy. */
    static String agent(String tag, String strategy) {
        return "\"containers\":[{\"name\":\"agent\",\"image\":\"" + image(tag) + "\"}],\"updateStrategy\":" + strategy;
    }

    static String image(String tag) {
        return "registry.example/agent:" + tag;
    }

    /** Creates the set and waits until the controller knows it. members: of the spec, without the selector. */
    void create(String members) {
        create("{}", "{\"app\":\"" + name + "\"}", members);
    }

    /** With annotations, and the labels it selects by. */
    void create(String annotations, String labels, String members) {
        post(annotations, labels, members);
        settle();
    }

    /** Creates the set and waits for nothing. */
    void post(String annotations, String labels, String members) {
        cluster.post(SETS, """
                {"apiVersion":"apps.kruise.io/v1beta1","kind":"SidecarSet","metadata":{"name":"%s","annotations":%s},
                 "spec":{"selector":{"matchLabels":%s},%s}}""".formatted(name, annotations, labels, members));
    }

    String latestRevision() {
        return Json.text(set().path("status"), "latestRevision");
    }

    /** Another set over the same namespace. */
    Trial beside(String other) {
        return new Trial(cluster, other, namespace);
    }

    void deleteSet() {
        assertThat(http.delete(SETS + "/" + name).code()).isEqualTo(200);
        Eventually.until("set " + name + " is gone", () -> http.get(SETS + "/" + name).code() == 404);
    }

    RawHttp.Answer patchSet(String operations) {
        return http.send("PATCH", SETS + "/" + name, "application/json-patch+json", operations);
    }

    /** Changes one member of the set by a JSON pointer; the answer must be 200. */
    void change(String pointer, String value) {
        RawHttp.Answer answer = patchSet("[{\"op\":\"add\",\"path\":\"" + pointer + "\",\"value\":" + value + "}]");
        assertThat(answer.code()).as(answer.message()).isEqualTo(200);
    }

    /** Another tag for the first container. */
    void roll(String tag) {
        change("/spec/containers/0/image", "\"" + image(tag) + "\"");
    }

    void strategy(String strategy) {
        change("/spec/updateStrategy", strategy);
    }

    ObjectNode set() {
        return (ObjectNode) http.get(SETS + "/" + name).body();
    }

    /** Waits until the controller has written its status for the set as it is now. */
    void settle() {
        Eventually.until("the controller knows set " + name, this::set,
                s -> s.at("/status/observedGeneration").equals(s.at("/metadata/generation")) && s.at("/status/latestRevision").isString());
    }

    /** Waits for counts "matched/updated/ready/updatedReady". */
    void awaitStatus(String counts) {
        Eventually.until("the status of " + name + " is " + counts, this::counts, counts::equals);
    }

    String counts() {
        JsonNode status = set().path("status");
        return "%d/%d/%d/%d".formatted(status.path("matchedPods").asInt(0), status.path("updatedPods").asInt(0),
                status.path("readyPods").asInt(0), status.path("updatedReadyPods").asInt(0));
    }

    // Its Pods

    private String pods() {
        return "/api/v1/namespaces/" + namespace + "/pods";
    }

    String path(String pod) {
        return pods() + "/" + pod;
    }

    /** Creates Pods that run at once. */
    void pods(String... names) {
        for (String pod : names) {
            pod(pod, "{}");
        }
    }

    /** Creates one with more labels, and runs it. */
    void pod(String pod, String labels) {
        create(pod, labels);
        node().run(pod);
    }

    /** Creates a Pod that nothing runs yet; answers what was stored. */
    ObjectNode create(String pod, String labels) {
        ObjectNode body = (ObjectNode) Json.read("""
                {"apiVersion":"v1","kind":"Pod","metadata":{"name":"%s","labels":%s},
                 "spec":{"automountServiceAccountToken":false,"terminationGracePeriodSeconds":0,
                  "containers":[{"name":"app","image":"registry.example/app:1"}]}}""".formatted(pod, labels));
        body.withObject("/metadata/labels").put("app", name);
        return (ObjectNode) cluster.post(pods(), Json.write(body)).body();
    }

    ObjectNode read(String pod) {
        RawHttp.Answer answer = http.get(path(pod));
        assertThat(answer.code()).as(answer.message()).isEqualTo(200);
        return (ObjectNode) answer.body();
    }

    /** A merge patch of a Pod; the answer must be 200. */
    void patch(String pod, String body) {
        RawHttp.Answer answer = http.merge(path(pod), body);
        assertThat(answer.code()).as(answer.message()).isEqualTo(200);
    }

    void delete(String pod) {
        assertThat(http.delete(path(pod)).code()).isEqualTo(200);
    }

    void annotate(String pod, String key, String value) {
        ObjectNode body = Json.object();
        body.putObject("metadata").putObject("annotations").put(key, value);
        patch(pod, Json.write(body));
    }

    /** A marking of a Pod as it is stored. */
    String annotation(String pod, String key) {
        return read(pod).path("metadata").path("annotations").path(key).asString("");
    }

    String image(String pod, String container) {
        return PodViews.of(read(pod)).containers().stream().filter(c -> c.name().equals(container)).findFirst().orElseThrow().image();
    }

    /** The words a set's condition message has for a Pod, with its status; "" without condition. */
    String mark(String pod) {
        return PodViews.of(read(pod)).upgradable().map(c -> c.status() + " " + c.message()).orElse("");
    }

    HandNode node() {
        return new HandNode(http, this);
    }

    List<ObjectNode> list() {
        List<ObjectNode> found = new ArrayList<>();
        http.get(pods()).body().path("items").forEach(p -> found.add((ObjectNode) p));
        return found;
    }

    // The roll-out

    /** Names of Pods that record the set's present version. */
    Set<String> updated() {
        String hash = SidecarSet.of(set()).hash();
        return names(p -> p.marks().hash(name).filter(e -> e.hash().equals(hash)).isPresent());
    }

    private Set<String> names(Predicate<PodView> which) {
        Set<String> names = new TreeSet<>();
        list().stream().map(PodViews::of).filter(which).forEach(p -> names.add(p.key().name()));
        return names;
    }

    void awaitUpdated(String... pods) {
        Eventually.until("updated are " + List.of(pods), this::updated, Set.of(pods)::equals);
    }

    /** Runs whatever Pods ask for, as a quick node would, until exactly these are updated, and the status says so. */
    void finish(String... pods) {
        finish(Set.of(pods));
    }

    void finish(Set<String> pods) {
        Eventually.until("updated and sound are " + pods, () -> {
            play(_ -> true);
            Availability rules = Availability.of(SidecarSet.of(set()));
            Set<String> updated = updated();
            updated.retainAll(names(p -> rules.counts(p) && rules.isSound(p)));
            return updated;
        }, pods::equals);
        Eventually.until("the status counts " + pods, this::set,
                s -> s.at("/status/observedGeneration").equals(s.at("/metadata/generation"))
                        && s.at("/status/updatedReadyPods").asInt(0) == pods.size());
    }

    /** Whether the node has nothing to do for the Pod. */
    boolean runs(String pod) {
        return node().runs(PodViews.of(read(pod)));
    }

    /** Lets the node run what the Pods ask for that it shall care for. */
    void play(Predicate<PodView> which) {
        list().stream().map(PodViews::of).filter(p -> !node().runs(p) && which.test(p)).forEach(p -> node().run(p.key().name()));
    }

    /** Notes of the events about the set, as "reason: note (count)". */
    List<String> events() {
        return EventsOf.set(http, name);
    }

    /** Notes of the events about a Pod. */
    List<String> events(String pod) {
        return EventsOf.pod(http, namespace, pod);
    }

    List<AuditLog.Write> writes() {
        return AuditLog.writes(cluster.cluster().auditLines().stream().map(JsonNode::toString));
    }

    /** Pods in the order in which Pillion wrote them; flips count, conditions do not. */
    List<String> written() {
        return writes().stream().filter(w -> w.isOn("pods") && w.namespace().equals(namespace) && w.subresource().isEmpty()
                && w.verb().equals("patch") && Judge.isOurs(w)).map(AuditLog.Write::name).toList();
    }

    void awaitWritten(String... inOrder) {
        Eventually.until("the audit log has " + List.of(inOrder), this::written, List.of(inOrder)::equals);
    }

    Judge.Verdict verdict() {
        return Judge.judge(writes(), name, GRACE);
    }

    void assertLimitKept() {
        assertLimitKept(GRACE, Budget.COMPATIBLE);
    }

    /** The judge of rollout.md 16.3. */
    void assertLimitKept(Duration grace, Budget budget) {
        assertThat(Judge.judge(writes(), name, grace, budget).violations()).isEmpty();
    }
}
