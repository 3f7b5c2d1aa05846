package dev.pillion.kube;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

import org.junit.jupiter.api.Test;

import dev.pillion.kube.EventSeries.Occurrence;
import dev.pillion.kube.EventSeries.Subject;
import dev.pillion.kube.EventSeries.Write;

class EventSeriesTest {
    private static final Subject POD = new Subject("v1", "Pod", "n", "web-1", "u1");

    private final AtomicInteger ids = new AtomicInteger();
    private final EventSeries series = new EventSeries(() -> "x" + ids.incrementAndGet());
    private Instant now = Instant.parse("2026-01-01T00:00:00Z");

    private static Occurrence of(String note) {
        return new Occurrence(POD, EventSink.Type.NORMAL, "Waiting", note);
    }

    private List<Write> take(String note) {
        return series.take(of(note), now).stream().toList();
    }

    private void pass(Duration time) {
        now = now.plus(time);
    }

    @Test
    void theFirstOccurrenceIsCreated() {
        assertThat(take("a")).containsExactly(new Write.Create("web-1.x1", of("a"), now));
    }

    @Test
    void repeatsAreCountedAndWrittenAtMostEveryFiveSeconds() {
        take("a");
        assertThat(take("a")).isEmpty();
        assertThat(take("a")).isEmpty();
        assertThat(series.overdue(now)).isEmpty();
        Instant last = now;
        pass(Duration.ofSeconds(5));

        assertThat(series.overdue(now)).containsExactly(new Write.Count("web-1.x1", of("a"), 3, last));
        assertThat(series.overdue(now)).isEmpty();
    }

    @Test
    void anOldSeriesIsNotContinued() {
        take("a");
        pass(Duration.ofMinutes(6));

        assertThat(take("a")).singleElement().isInstanceOf(Write.Create.class);
    }

    @Test
    void manyNotesOfOneReasonAreCombined() {
        List<Write> writes = new ArrayList<>();
        for (int i = 0; i < 30; i++) {
            writes.addAll(take("pods: " + i));
            pass(Duration.ofSeconds(5));
        }

        assertThat(writes.stream().filter(Write.Create.class::isInstance)).hasSize(11);
        assertThat(writes.getLast()).isInstanceOfSatisfying(Write.Count.class, c -> assertThat(c.count()).isEqualTo(20));
    }

    @Test
    void floodsAreDroppedAndCounted() {
        int created = 0;
        for (int i = 0; i < 200; i++) {
            Subject other = new Subject("v1", "Pod", "n", "web-" + i, "u" + i);
            created += series.take(new Occurrence(other, EventSink.Type.WARNING, "Failed", "x"), now).isPresent() ? 1 : 0;
        }
        assertThat(created).isEqualTo(50);
        assertThat(series.dropped()).isEqualTo(150);

        pass(Duration.ofSeconds(1));
        assertThat(take("later")).hasSize(1);
    }

    @Test
    void aForgottenSeriesIsCreatedAnew() {
        Write first = take("a").getFirst();
        series.forget(first);

        assertThat(take("a")).singleElement().isInstanceOf(Write.Create.class);
    }

    @Test
    void notesAreCutToTheApisBytesOnACharacter() {
        String cut = EventRecorder.cut("é".repeat(600));

        assertThat(cut.getBytes(StandardCharsets.UTF_8)).hasSizeLessThanOrEqualTo(1024);
        assertThat(cut).matches("é+\\.\\.\\.");
        assertThat(EventRecorder.cut("short")).isEqualTo("short");
    }
}
