package dev.pillion.startup;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Optional;
import java.util.Set;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import dev.pillion.api.Json;
import dev.pillion.api.PodView;
import dev.pillion.kube.BarrierMap;
import dev.pillion.podmeta.PodViews;
import dev.pillion.startup.LaunchPlan.Step;

/** Which keys are released when, and what is done about the ConfigMap (neighbours.md 1.4, 1.6). */
final class LaunchPlanTest {
    /** Containers a to d with the numbers of the measured example: b and d 5, a 0, c -1. */
    private static LaunchPlan plan(String ready, String... annotations) {
        StringBuilder statuses = new StringBuilder();
        for (String name : List.of("a", "b", "c", "d")) {
            statuses.append(statuses.isEmpty() ? "" : ",")
                    .append("{'name':'%s','ready':%s,'state':{'waiting':{'reason':'CreateContainerConfigError'}}}".formatted(name,
                            ready.contains(name)));
        }
        String completed = annotations.length == 0 ? "" : ",'annotations':{'apps.kruise.io/container-launch-priority-completed':'true'}";
        PodView pod = PodViews.of(Json.read("""
                {'metadata':{'name':'web-0','namespace':'n','uid':'u'%s},'spec':{'containers':[%s,%s,%s,%s]},
                 'status':{'containerStatuses':[%s]}}"""
                .formatted(completed, container("a", "p_0"), container("b", "p_5"), container("c", "p_-1"), container("d", "p_5"), statuses)
                .replace('\'', '"')));
        return LaunchPlan.of(pod, pod.startup().launch().orElseThrow());
    }

    private static String container(String name, String key) {
        return """
                {'name':'%s','env':[{'name':'KRUISE_CONTAINER_BARRIER',
                 'valueFrom':{'configMapKeyRef':{'name':'web-0-barrier','key':'%s'}}}]}""".formatted(name, key);
    }

    private static BarrierMap map(String owner, String... keys) {
        List<BarrierMap.Owner> owners = owner.isEmpty() ? List.of() : List.of(new BarrierMap.Owner("Pod", owner));
        return new BarrierMap("n", "web-0-barrier", "m", Set.of(keys), owners, false);
    }

    private static Step next(LaunchPlan plan, BarrierMap map) {
        return plan.next(Optional.of(map));
    }

    /** The measured run, and what is there already at each point. */
    @ParameterizedTest
    @CsvSource(delimiter = '|', value = {"'' | '' | p_5", "b | p_5 | ''", "d | p_5 | ''", "bd | p_5 | p_0", "ad | p_0 p_5 | ''",
            "bda | p_0 p_5 | p_-1", "bac | p_5 | ''", "abcd | p_0 p_5 | p_-1", "abcd | p_0 | p_-1 p_5"})
    void releasesAGroupWhenAllGreaterOnesAreReady(String ready, String there, String added) {
        String[] keys = there.isEmpty() ? new String[0] : there.split(" ");
        Step step = next(plan(ready), map("u", keys));

        if (added.isEmpty()) {
            assertThat(step).isInstanceOf(Step.Await.class);
        } else {
            assertThat(step).isInstanceOfSatisfying(Step.Add.class, a -> assertThat(a.keys()).containsExactlyInAnyOrder(added.split(" ")));
        }
    }

    @Test
    void createsTheConfigMapWithTheFirstGroup() {
        assertThat(plan("").next(Optional.empty())).isEqualTo(new Step.Create(Set.of("p_5")));
        assertThat(plan("bd").next(Optional.empty())).isEqualTo(new Step.Create(Set.of("p_5", "p_0")));
    }

    /** A key of a greater group that somebody removed comes back: its containers would hang at their next start. */
    @Test
    void keysFromTheNextNumberUpAreDue() {
        assertThat(next(plan("bd"), map("u"))).isInstanceOfSatisfying(Step.Add.class,
                a -> assertThat(a.keys()).containsExactlyInAnyOrder("p_5", "p_0"));
    }

    /** Trap 3: not by the smallest key alone. */
    @Test
    void isCompleteOnlyWithAllKeys() {
        assertThat(next(plan(""), map("u", "p_-1"))).isInstanceOf(Step.Add.class);
        assertThat(next(plan(""), map("u", "p_5", "p_-1"))).isInstanceOf(Step.Await.class);
        assertThat(next(plan(""), map("u", "p_5", "p_0", "p_-1"))).isInstanceOf(Step.Complete.class);
        assertThat(next(plan("abcd"), map("u", "p_5", "p_0", "p_-1"))).isInstanceOf(Step.Complete.class);
    }

    /** Trap 2. */
    @Test
    void aPredecessorsConfigMapIsDeletedWhateverItHolds() {
        for (BarrierMap old : List.of(map("other", "p_5", "p_0", "p_-1"), map("other"), map("other", "p_5"))) {
            assertThat(next(plan(""), old)).isEqualTo(new Step.Delete(old));
            assertThat(next(plan("", "completed"), old)).isEqualTo(new Step.Delete(old));
        }
        BarrierMap shared = new BarrierMap("n", "web-0-barrier", "m", Set.of("p_5"),
                List.of(new BarrierMap.Owner("Pod", "other"), new BarrierMap.Owner("Pod", "u")), false);
        assertThat(next(plan(""), shared)).isInstanceOf(Step.Await.class);
    }

    /** Not a predecessor's: something of the user's that happens to have the name. It is filled, but never deleted. */
    @Test
    void aConfigMapOfAnotherKindOfOwnerIsLeft() {
        BarrierMap theirs = new BarrierMap("n", "web-0-barrier", "m", Set.of("mine"), List.of(new BarrierMap.Owner("Deployment", "x")),
                false);
        assertThat(next(plan(""), theirs)).isEqualTo(new Step.Add(theirs, Set.of("p_5")));
    }

    @Test
    void oneWithoutOwnerIsAdoptedUnlessItHoldsMore() {
        BarrierMap bare = map("", "p_5");
        BarrierMap users = map("", "p_5", "setting");
        assertThat(next(plan(""), bare)).isEqualTo(new Step.Adopt(bare, Set.of()));
        assertThat(next(plan("bd"), bare)).isEqualTo(new Step.Adopt(bare, Set.of("p_0")));
        assertThat(next(plan(""), users)).isInstanceOf(Step.Await.class);
        assertThat(next(plan("bd"), users)).isEqualTo(new Step.Add(users, Set.of("p_0")));
    }

    @Test
    void nothingIsWrittenIntoOneThatVanishes() {
        BarrierMap going = new BarrierMap("n", "web-0-barrier", "m", Set.of("p_5", "p_0", "p_-1"),
                List.of(new BarrierMap.Owner("Pod", "u")), true);
        assertThat(next(plan(""), going)).isInstanceOf(Step.Vanishing.class);
    }

    /** Trap 5. */
    @Test
    void aCompletedPodGetsAllKeysAgain() {
        LaunchPlan plan = plan("", "completed");
        assertThat(plan.next(Optional.empty())).isEqualTo(new Step.Create(Set.of("p_5", "p_0", "p_-1")));
        assertThat(next(plan, map("u", "p_5", "p_0", "p_-1"))).isInstanceOf(Step.Done.class);
        assertThat(plan.held()).isEmpty();
    }

    @Test
    void namesWhoWaitsForWhom() {
        LaunchPlan plan = plan("d");
        assertThat(plan.blockers()).containsExactly("b");
        assertThat(plan.held()).containsExactly("a", "c");
        assertThat(plan.missesKey()).isTrue();
    }

    /** The container asks for exactly this text; another way to write the number would not help it. */
    @ParameterizedTest
    @ValueSource(strings = {"p_007", "p_-0", "p_00"})
    void theKeyIsTheOneTheContainerAsksFor(String key) {
        PodView pod = PodViews.of(Json.read("{'metadata':{'name':'web-0','uid':'u'},'spec':{'containers':[%s]}}"
                .formatted(container("a", key)).replace('\'', '"')));
        assertThat(LaunchPlan.of(pod, pod.startup().launch().orElseThrow()).next(Optional.empty())).isEqualTo(new Step.Create(Set.of(key)));
    }
}
