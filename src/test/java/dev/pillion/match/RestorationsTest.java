package dev.pillion.match;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import java.util.Optional;

import org.junit.jupiter.api.Test;

import dev.pillion.api.Json;
import dev.pillion.api.Revision;
import dev.pillion.api.SetKey;
import dev.pillion.api.SidecarSet;

import tools.jackson.databind.node.ObjectNode;

/** A restored set counts as long as set and revision are the same instances, over changes of the index. */
final class RestorationsTest {
    private static final SetKey KEY = new SetKey("s");

    private static SidecarSet set() {
        return SidecarSet.of((ObjectNode) Json.read("{\"metadata\":{\"name\":\"s\"},\"spec\":{}}"));
    }

    private static Revision revision() {
        return new Revision("s-1", "u", "1", 1, "", Map.of(), Map.of(), "{}", Optional.empty());
    }

    private static SetIndex.Content content(List<SidecarSet> sets, Revision revision) {
        return new SetIndex.Content(sets, List.of(), List.of(revision), Optional.empty());
    }

    @Test
    void keepsWhatWasMadeOfTheSameSetAndRevision() {
        SidecarSet set = set();
        Revision revision = revision();
        SetIndex index = SetIndex.of(content(List.of(set), revision));
        CompiledSet compiled = index.compiled(KEY).orElseThrow();
        CompiledSet made = CompiledSet.of(set());
        index.restorations().keep(compiled, revision, made);

        SetIndex unchanged = index.next(content(List.of(set), revision));
        SetIndex otherSet = index.next(content(List.of(set()), revision));

        assertThat(unchanged.restorations().find(compiled, revision)).containsSame(made);
        assertThat(unchanged.restorations().find(compiled, revision())).isEmpty();
        assertThat(otherSet.restorations().find(otherSet.compiled(KEY).orElseThrow(), revision)).isEmpty();
    }

    @Test
    void forgetsASetThatIsGone() {
        SidecarSet set = set();
        SetIndex index = SetIndex.of(content(List.of(set), revision()));
        CompiledSet compiled = index.compiled(KEY).orElseThrow();
        Revision revision = index.content().revisions().iterator().next();
        index.restorations().keep(compiled, revision, compiled);

        index.next(content(List.of(), revision));

        assertThat(index.restorations().find(compiled, revision)).isEmpty();
    }
}
