package dev.pillion.bus;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

import org.junit.jupiter.api.Test;

import dev.pillion.api.PodChange;
import dev.pillion.api.PodKey;
import dev.pillion.api.PodMarks;
import dev.pillion.api.PodStartup;
import dev.pillion.api.PodView;
import dev.pillion.api.SetKey;

class InboxesTest {
    private static final SetKey A = new SetKey("a");
    private final Set<SetKey> foreign = new HashSet<>();
    private final Inboxes inboxes = new Inboxes(set -> !foreign.contains(set));

    @Test
    void keepsOnlyTheLastChangeOfAPod() {
        inboxes.append(A, seen("p", "1", "10"));
        inboxes.append(A, seen("q", "2", "11"));
        inboxes.append(A, seen("p", "1", "12"));
        inboxes.append(A, gone("q", "2"));
        inboxes.append(A, seen("q", "3", "13"));

        assertThat(inboxes.drain(A)).containsExactly(seen("p", "1", "12"), gone("q", "2"), seen("q", "3", "13"));
        assertThat(inboxes.drain(A)).isEmpty();
    }

    @Test
    void turnsIntoOneRebuildWhenTooManyPodsChange() {
        inboxes.podCount(A, 100);
        for (int i = 0; i < 400; i++) {
            inboxes.append(A, seen("p" + i, "u" + i, "1"));
        }
        inboxes.append(A, seen("p0", "u0", "2"));
        inboxes.append(A, seen("one-too-many", "u", "1"));
        inboxes.append(A, seen("p1", "u1", "2"));

        assertThat(inboxes.drain(A)).containsExactly(new PodChange.Rebuild());
        inboxes.append(A, seen("p1", "u1", "2"));
        assertThat(inboxes.drain(A)).hasSize(1);
    }

    @Test
    void forgetsASetThatIsGone() {
        inboxes.append(A, seen("p", "1", "10"));
        inboxes.drop(A);

        assertThat(inboxes.drain(A)).isEmpty();
    }

    @Test
    void keepsNothingForSetsThatOthersWorkOn() {
        inboxes.append(A, seen("p", "1", "10"));
        inboxes.podCount(A, 100);
        foreign.add(A);
        inboxes.append(A, seen("q", "2", "11"));
        inboxes.dropIf(foreign::contains);
        inboxes.append(A, seen("r", "3", "12"));
        assertThat(inboxes.drain(A)).isEmpty();

        foreign.clear();
        for (int i = 0; i < 65; i++) {
            inboxes.append(A, seen("p" + i, "u" + i, "1"));
        }
        assertThat(inboxes.drain(A)).as("the old bound is forgotten too").containsExactly(new PodChange.Rebuild());
    }

    private static PodChange gone(String name, String uid) {
        return new PodChange.Gone(new PodKey("n", name), uid);
    }

    private static PodChange seen(String name, String uid, String version) {
        return new PodChange.Seen(new PodView(new PodKey("n", name), uid, version, Map.of(), "", "", false, Optional.empty(),
                Optional.empty(), List.of(), List.of(), List.of(), List.of(), Optional.empty(), PodMarks.NONE, PodStartup.NONE));
    }
}
