package dev.pillion.kube;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

import org.junit.jupiter.api.Test;

import dev.pillion.api.Json;
import dev.pillion.api.PodKey;
import dev.pillion.api.PodView;
import dev.pillion.api.SetKey;
import dev.pillion.kube.Sink.History;
import dev.pillion.podmeta.PodViews;

import tools.jackson.databind.node.ObjectNode;

class PodStoreTest {
    private final List<String> told = new ArrayList<>();
    private final PodStore store = new PodStore((old, now) -> told.add(text(old) + " -> " + text(now)));

    private static String text(Optional<PodView> pod) {
        return pod.map(p -> p.key().name() + "/" + p.uid() + "@" + p.resourceVersion()).orElse("none");
    }

    private static PodView pod(String name, String uid, int version, String sets, String phase) {
        ObjectNode pod = Json.object();
        ObjectNode metadata = pod.putObject("metadata").put("name", name).put("namespace", "n").put("uid", uid);
        metadata.put("resourceVersion", String.valueOf(version));
        metadata.putObject("annotations").put("kruise.io/sidecarset-injected-list", sets);
        pod.putObject("status").put("phase", phase);
        return PodViews.of(pod);
    }

    private static PodView pod(String name, String uid, int version) {
        return pod(name, uid, version, "one", "Running");
    }

    private static ObjectReader.Item<PodView> item(PodView pod) {
        return new ObjectReader.Item<>(pod.key().toString(), pod.resourceVersion(), Optional.of(pod));
    }

    private List<String> naming(String set) {
        return store.naming(new SetKey(set)).stream().map(p -> p.key().name()).sorted().toList();
    }

    @Test
    void findsPodsByTheSetsTheirInjectedListNames() {
        store.seen(item(pod("a", "1", 1, "one,two", "Running")));
        store.seen(item(pod("b", "2", 2, "two", "Running")));
        store.seen(item(pod("a", "1", 3, "two", "Running")));

        assertThat(naming("one")).isEmpty();
        assertThat(naming("two")).containsExactly("a", "b");
    }

    @Test
    void ownWritesAreSeenAtOnceAndOutliveOlderEvents() {
        store.seen(item(pod("a", "1", 5)));
        store.applyOwnWrite(pod("a", "1", 9));
        store.seen(item(pod("a", "1", 7)));

        assertThat(store.get(new PodKey("n", "a"))).map(PodView::resourceVersion).hasValue("9");
        assertThat(told).containsExactly("none -> a/1@5");
    }

    @Test
    void listenersAreToldTheStepFromWhatTheyWereToldLast() {
        store.seen(item(pod("a", "1", 5)));
        store.applyOwnWrite(pod("a", "1", 9));
        store.seen(item(pod("a", "1", 9)));

        assertThat(told).containsExactly("none -> a/1@5", "a/1@5 -> a/1@9");
    }

    @Test
    void anOwnWriteDoesNotBringADeletedPodBack() {
        store.seen(item(pod("a", "1", 5)));
        store.gone(item(pod("a", "1", 6)));
        store.applyOwnWrite(pod("a", "1", 5));
        store.seen(item(pod("a", "2", 8)));
        store.applyOwnWrite(pod("a", "1", 20));

        assertThat(store.get(new PodKey("n", "a"))).map(PodView::uid).hasValue("2");
    }

    @Test
    void aReplacedPodIsGoneFirst() {
        store.seen(item(pod("a", "1", 5)));
        store.seen(item(pod("a", "2", 8)));

        assertThat(told).containsExactly("none -> a/1@5", "a/1@5 -> none", "none -> a/2@8");
    }

    @Test
    void aLateDeletionOfTheForerunnerIsIgnored() {
        store.seen(item(pod("a", "2", 8)));
        store.gone(item(pod("a", "1", 7)));

        assertThat(naming("one")).containsExactly("a");
    }

    @Test
    void whatAListDoesNotNameIsGone() {
        store.seen(item(pod("a", "1", 1)));
        store.seen(item(pod("b", "2", 2)));
        told.clear();

        store.listBegins(History.CONTINUED);
        store.listed(item(pod("b", "2", 2)));
        store.listEnds();

        assertThat(naming("one")).containsExactly("b");
        assertThat(told).containsExactly("b/2@2 -> b/2@2", "a/1@1 -> none");
    }

    @Test
    void anUnfinishedListRemovesNothing() {
        store.seen(item(pod("a", "1", 1)));
        store.listBegins(History.CONTINUED);
        store.listBegins(History.CONTINUED);
        store.listed(item(pod("a", "1", 1)));
        store.listEnds();

        assertThat(naming("one")).containsExactly("a");
    }

    @Test
    void aServerThatWasSetBackIsBelieved() {
        store.seen(item(pod("a", "1", 50)));
        store.listBegins(History.LOST);
        store.listed(item(pod("a", "1", 9)));
        store.listEnds();

        assertThat(store.get(new PodKey("n", "a"))).map(PodView::resourceVersion).hasValue("9");
    }

    @Test
    void finishedPodsAreToldOnceAndNotKept() {
        store.seen(item(pod("done", "0", 1, "one", "Succeeded")));
        store.seen(item(pod("a", "1", 2)));
        store.seen(item(pod("a", "1", 3, "one", "Failed")));
        store.seen(item(pod("a", "1", 4, "one", "Failed")));
        store.gone(item(pod("a", "1", 5, "one", "Failed")));

        assertThat(naming("one")).isEmpty();
        assertThat(store.size()).isZero();
        assertThat(told).containsExactly("none -> a/1@2", "a/1@2 -> a/1@3");
    }
}
