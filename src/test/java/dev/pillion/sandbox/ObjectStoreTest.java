package dev.pillion.sandbox;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicLong;

import org.junit.jupiter.api.Test;

import tools.jackson.databind.node.ObjectNode;

class ObjectStoreTest {
    private static final long SECOND = Duration.ofSeconds(1).toNanos();
    private final AtomicLong nanos = new AtomicLong();
    private final ObjectStore store = new ObjectStore(100, nanos::get);

    private static ObjectNode object(String name, int value) {
        ObjectNode object = Trees.object().put("kind", "Thing").put("value", value);
        Trees.metadata(object).put("name", name);
        return object;
    }

    private Stored create(String key, int value) {
        return store.create("things", key, object(key, value)).orElseThrow();
    }

    @Test
    void numbersAllWritesWithOneCounter() {
        Stored first = create("a/x", 1);
        Stored other = store.create("others", "a/y", object("y", 1)).orElseThrow();
        Stored second = store.update("things", first, object("x", 2)).orElseThrow();

        assertThat(List.of(first.revision(), other.revision(), second.revision())).isSorted().doesNotHaveDuplicates();
        assertThat(Trees.text(second.tree(), "metadata", "resourceVersion")).isEqualTo(Long.toString(second.revision()));
    }

    @Test
    void refusesAWriteOnAnOldState() {
        Stored first = create("a/x", 1);
        assertThat(store.update("things", first, object("x", 2))).isPresent();

        assertThat(store.update("things", first, object("x", 3))).isEmpty();
        assertThat(store.delete("things", first, object("x", 3))).isEmpty();
        assertThat(store.create("things", "a/x", object("x", 3))).isEmpty();
    }

    @Test
    void watchSeesChangesInOrderAndThenWaits() throws Exception {
        long start = store.revision();
        Stored first = create("a/x", 1);
        Stored second = store.update("things", first, object("x", 2)).orElseThrow();
        assertThat(store.delete("things", second, second.tree())).isPresent();
        Watch watch = store.watch("things", start);

        Watch.Batch batch = watch.next(0, 0);
        Watch.Batch after = watch.next(0, 0);

        assertThat(batch.changes()).extracting(Change::kind).containsExactly(Change.Kind.ADDED, Change.Kind.MODIFIED, Change.Kind.DELETED);
        assertThat(after.changes()).isEmpty();
        assertThat(after.caughtUp()).isEqualTo(store.revision());
    }

    @Test
    void holdsBackChangesThatAreTooYoung() throws Exception {
        Watch watch = store.watch("things", store.revision());
        create("a/x", 1);
        nanos.addAndGet(2 * SECOND);
        create("a/y", 1);

        assertThat(watch.next(SECOND, 0).changes()).extracting(change -> change.object().key()).containsExactly("a/x");
        assertThat(watch.next(SECOND, 0).changes()).isEmpty();
        nanos.addAndGet(SECOND);
        assertThat(watch.next(SECOND, 0).changes()).extracting(change -> change.object().key()).containsExactly("a/y");
    }

    @Test
    void tellsAWatchThatFellOutOfTheWindow() {
        long start = store.revision();
        for (int i = 0; i < 101; i++) {
            create("a/x" + i, i);
        }

        assertThatThrownBy(() -> store.watch("things", start).next(0, 0)).isInstanceOf(ObjectStore.TooOld.class);
    }

    @Test
    void forgettingHistoryExpiresOldWatchesButNotNewOnes() throws Exception {
        create("a/x", 1);
        long before = store.revision() - 1;
        store.forgetHistory("things");

        assertThatThrownBy(() -> store.watch("things", before).next(0, 0)).isInstanceOf(ObjectStore.TooOld.class);
        assertThat(store.watch("things", store.revision()).next(0, 0).changes()).isEmpty();
    }

    @Test
    void namespacesDoNotRunIntoEachOther() {
        create("a/x", 1);
        create("a-b/x", 1);
        create("ab/x", 1);

        assertThat(store.list("things", "a/").objects()).extracting(Stored::key).containsExactly("a/x");
        assertThat(store.list("things", "").objects()).hasSize(3);
    }

    /** Random writes; every page of every remembered moment must show exactly what was there at that moment. */
    @Test
    void pagesShowOneMomentWhateverHappensSince() throws Exception {
        long seed = Long.getLong("pillion.seed", System.nanoTime());
        Random random = new Random(seed);
        ObjectStore large = new ObjectStore(10_000, nanos::get);
        Map<Long, Map<String, Integer>> moments = new TreeMap<>();
        Map<String, Integer> model = new TreeMap<>();
        for (int i = 0; i < 400; i++) {
            String key = "n" + random.nextInt(3) + "/o" + random.nextInt(20);
            java.util.Optional<Stored> there = large.get("things", key);
            if (there.isEmpty()) {
                assertThat(large.create("things", key, object(key, i))).isPresent();
                model.put(key, i);
            } else if (random.nextInt(3) == 0) {
                assertThat(large.delete("things", there.get(), there.get().tree())).isPresent();
                model.remove(key);
            } else {
                assertThat(large.update("things", there.get(), object(key, i))).isPresent();
                model.put(key, i);
            }
            moments.put(large.revision(), new TreeMap<>(model));
        }
        for (Map.Entry<Long, Map<String, Integer>> moment : moments.entrySet()) {
            int limit = 1 + random.nextInt(15);
            List<String> seen = new ArrayList<>();
            String after = "";
            boolean more = true;
            while (more) {
                ObjectStore.Listing page = large.page("things", "", moment.getKey(), after, limit);
                for (Stored stored : page.objects()) {
                    seen.add(stored.key() + "=" + stored.tree().path("value").intValue());
                    after = stored.key();
                }
                assertThat(page.remaining()).as("seed %d", seed).isEqualTo(moment.getValue().size() - seen.size());
                more = page.more();
            }
            assertThat(seen).as("seed %d, revision %d", seed, moment.getKey())
                    .containsExactlyElementsOf(moment.getValue().entrySet().stream().map(e -> e.getKey() + "=" + e.getValue()).toList());
        }
    }
}
