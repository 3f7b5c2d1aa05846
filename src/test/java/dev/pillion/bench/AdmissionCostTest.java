package dev.pillion.bench;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;

import org.junit.jupiter.api.Test;

import dev.pillion.api.Json;
import dev.pillion.api.PatchOp;
import dev.pillion.bench.CallCost.Effort;
import dev.pillion.inject.InjectOptions;
import dev.pillion.inject.InjectRequest;
import dev.pillion.inject.Injection;
import dev.pillion.inject.Injector;
import dev.pillion.inject.Moment;
import dev.pillion.match.SetIndex;

import tools.jackson.databind.node.ObjectNode;

/** What one injection costs, in counts that do not depend on the machine. */
final class AdmissionCostTest {
    private static final Effort SHORT = new Effort(Duration.ofMillis(50), Duration.ofMillis(10), 3);
    private static final Moment MOMENT = new Moment(Instant.EPOCH, .5, "bcdfg");

    private static Injection inject(int variables, SetIndex index) {
        ObjectNode pod = (ObjectNode) SamplePods.review(variables).path("request").path("object");
        return inject(pod, index);
    }

    private static Injection inject(ObjectNode pod, SetIndex index) {
        return Injector.inject(InjectRequest.create(SamplePods.NAMESPACE, "", pod, MOMENT), index, InjectOptions.PILLION);
    }

    /** A patch by construction does not depend on what the pod brings along. */
    @Test
    void thePatchOfAPodWithManyVariablesIsNoLarger() {
        SetIndex index = SetIndex.of(SampleSets.admitting(5));

        Injection.Patch few = (Injection.Patch) inject(10, index);
        Injection.Patch many = (Injection.Patch) inject(1500, index);

        assertThat(many.ops()).hasSameSizeAs(few.ops());
        assertThat(Json.bytes(PatchOp.toJson(many.ops()))).hasSameSizeAs(Json.bytes(PatchOp.toJson(few.ops())));
    }

    /** What a revision restores is worked out once, not for each Pod. */
    @Test
    void aPinnedRevisionCostsLittleMore() {
        ObjectNode pod = (ObjectNode) SamplePods.review().path("request").path("object");
        SetIndex latest = SetIndex.of(SampleSets.admitting(5));
        SetIndex pinned = SetIndex.of(SampleSets.pinned(SampleSets.admitting(5)));

        long plain = CallCost.of(() -> inject(pod, latest), SHORT).bytes();
        long restored = CallCost.of(() -> inject(pod, pinned), SHORT).bytes();

        assertThat(restored).isLessThan(plain + plain / 5);
    }

    /** FR-56: only candidates are looked at, and memory tells that nothing else grows with the sets. */
    @Test
    void theCostDoesNotGrowWithTheSets() {
        ObjectNode pod = (ObjectNode) SamplePods.review().path("request").path("object");
        SetIndex few = SetIndex.of(SampleSets.admitting(10));
        SetIndex many = SetIndex.of(SampleSets.admitting(5000));

        long small = CallCost.of(() -> inject(pod, few), SHORT).bytes();
        long large = CallCost.of(() -> inject(pod, many), SHORT).bytes();

        assertThat(((Injection.Patch) inject(pod, many)).verdicts()).hasSize(SampleSets.MATCHING);
        assertThat(large).isBetween(small / 2, small + small / 10);
    }
}
