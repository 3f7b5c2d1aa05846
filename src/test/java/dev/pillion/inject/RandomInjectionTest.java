package dev.pillion.inject;

import static java.util.Collections.disjoint;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.function.Consumer;
import java.util.regex.Pattern;

import org.junit.jupiter.api.Test;

import dev.pillion.api.Json;
import dev.pillion.api.Wire;
import dev.pillion.inject.InjectOptions.LaunchPriority;
import dev.pillion.inject.InjectOptions.ReadinessGate;
import dev.pillion.inject.InjectOptions.SameName;
import dev.pillion.inject.InjectOptions.Sort;
import dev.pillion.naive.NaivePod;
import dev.pillion.naive.NaivePod.Circumstances;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Random pods and sets: the patch applies and makes the pod of a naive model (FR-03); a second call does nothing (FR-20). First seed:
 * -Dpillion.seed, number of seeds: -Dpillion.rounds.
 */
final class RandomInjectionTest {
    private static final long FIRST = Long.getLong("pillion.seed", 0);
    private static final int ROUNDS = Integer.getInteger("pillion.rounds", 300);

    private static final List<String> LISTS = List.of("initContainers", "containers");
    private static final Pattern BARRIER_PATH = Pattern.compile("^(/spec/containers/[0-9]+/env(/[-0-9]+)?|/metadata/name)$");

    /** A case and what the model makes of it. */
    private record Round(long seed, ObjectNode input, InjectCase asked, Circumstances circumstances) {
        static Round of(long seed) {
            return of(seed, _ -> {
            });
        }

        /** @param server what becomes of the submitted pod before the first call */
        static Round of(long seed, Consumer<ObjectNode> server) {
            Random random = new Random(seed);
            Set<String> switches = new HashSet<>();
            for (String each : List.of("sort-by-name", "readiness-gate-all", "refuse-same-name")) {
                if (random.nextInt(3) == 0) {
                    switches.add(each);
                }
            }
            ObjectNode input = RandomSets.input(random);
            server.accept((ObjectNode) input.path("request").path("pod"));
            InjectCase plain = InjectCase.of(input, InjectOptions.PILLION);
            InjectOptions options = plain.options().with(
                    switches.contains("refuse-same-name") ? SameName.REFUSE : SameName.REPLACE,
                    switches.contains("sort-by-name") ? Sort.BY_NAME : Sort.AS_WRITTEN,
                    switches.contains("readiness-gate-all") ? ReadinessGate.ALL : ReadinessGate.OWNED, LaunchPriority.ON);
            return new Round(seed, input, new InjectCase(plain.request(), plain.index(), options),
                    new Circumstances(InjectCase.NOW.toString(), 0.5, "abcde", switches));
        }

        /** The same sets later: other images, so other hashes. */
        Round withNewImages() {
            ObjectNode changed = (ObjectNode) Json.read(input.toString().replaceAll("\"image\":\"(i:[0-9])\"", "\"image\":\"$1-new\"")
                    .replaceAll("(\"kruise.io/sidecarset-hash(-without-image)?\":\"(h|old)[-0-9w]+)\"", "$1-new\""));
            changed.withObject("/request").set("pod", submitted());
            InjectCase plain = InjectCase.of(changed, InjectOptions.PILLION);
            return new Round(seed, changed, new InjectCase(plain.request(), plain.index(), asked.options()), circumstances);
        }

        NaivePod.Wanted model(JsonNode pod) {
            ObjectNode changed = input.deepCopy();
            changed.withObject("/request").set("pod", pod);
            return NaivePod.of(changed, circumstances);
        }

        JsonNode submitted() {
            return input.path("request").path("pod");
        }
    }

    @Test
    void makesThePodOfTheModel() {
        int patched = 0;
        int refused = 0;
        for (long seed = FIRST; seed < FIRST + ROUNDS; seed++) {
            Round round = Round.of(seed);
            JsonNode before = round.submitted().deepCopy();

            NaivePod.Wanted wanted = round.model(before);

            Injection injection = round.asked().run();

            assertThat(round.submitted()).as("seed %d: the request stays as it is", seed).isEqualTo(before);
            if (injection instanceof Injection.Refuse refuse) {
                refused++;
                assertThat(wanted.refusal().orElse("none")).as("seed %d: %s", seed, refuse).endsWith(refuse.reason());
                continue;
            }
            assertThat(wanted.refusal()).as("seed %d: %s", seed, injection).isEmpty();
            patched += injection instanceof Injection.Patch ? 1 : 0;
            JsonNode result = InjectCase.apply(injection, before);
            if (!result.equals(wanted.pod())) {
                assertThat(InjectCase.differences(wanted.pod(), result, "")).as("seed %d", seed).isEmpty();
            }
        }
        System.out.printf("random injections from seed %d: %d, patched %d, refused %d%n", FIRST, ROUNDS, patched, refused);
        assertThat(patched).isGreaterThan(ROUNDS / 2);
        assertThat(refused).isGreaterThan(ROUNDS / 50).isLessThan(ROUNDS / 3);
    }

    /**
     * The pod of the first call, when that patched it. Not those with containers of one name in two sets, which no server takes, and not
     * those where a sidecar took the place of a container: what others took over from it can not be told afterwards.
     */
    private static Optional<ObjectNode> injected(Round round) {
        return round.asked().run() instanceof Injection.Patch patch && patch.ops().stream().noneMatch(op -> op.op().equals("replace"))
                ? Optional.of((ObjectNode) InjectCase.apply(patch, round.submitted())).filter(RandomInjectionTest::hasUniqueNames)
                : Optional.empty();
    }

    private static boolean hasUniqueNames(ObjectNode pod) {
        return LISTS.stream().allMatch(list -> new HashSet<>(Samples.names(pod, list)).size() == Samples.names(pod, list).size());
    }

    @Test
    void aSecondCallDoesNothing() {
        for (long seed = FIRST; seed < FIRST + ROUNDS; seed++) {
            Round round = Round.of(seed);
            Optional<ObjectNode> once = injected(round);
            once.ifPresent(pod -> assertRests(round, pod, ""));
        }
    }

    /** A dump, or a second call: a server has decoded, defaulted and encoded the pod in between. */
    @Test
    void aSecondCallOnWhatAServerStoredDoesNothing() {
        for (long seed = FIRST; seed < FIRST + ROUNDS; seed++) {
            Round round = Round.of(seed, OtherInjectors::store);
            injected(round).ifPresent(pod -> {
                OtherInjectors.store(pod);
                assertRests(round, pod, "stored");
            });
        }
    }

    private static void assertRests(Round round, JsonNode pod, String when) {
        assertThat(round.asked().withPod(pod).run()).as("seed %d %s", round.seed(), when).isInstanceOf(Injection.Skip.class);
    }

    /** Nothing of ours depends on what they added: at most launch barriers change. */
    @Test
    void afterOtherInjectorsOnlyBarriersAreNeeded() {
        for (long seed = FIRST; seed < FIRST + ROUNDS; seed++) {
            Round round = Round.of(seed);
            Optional<ObjectNode> once = injected(round);
            if (once.isEmpty()) {
                continue;
            }
            new OtherInjectors(new Random(seed)).addHarmless(once.get());
            Injection second = round.asked().withPod(once.get()).run();
            assertThat(second).as("seed %d", seed).isNotInstanceOf(Injection.Refuse.class);
            if (second instanceof Injection.Patch patch) {
                assertThat(patch.ops()).extracting(op -> op.path()).as("seed %d: %s", seed, patch.ops())
                        .allMatch(path -> BARRIER_PATH.matcher(path).matches());
                assertRests(round, InjectCase.apply(second, once.get()), "third call");
            }
        }
    }

    /** Their container has what sidecars take over: each of ours then covers what a first call makes of the pod, and nothing else changes. */
    @Test
    void afterOtherInjectorsSidecarsAreAsIfInjectedNow() {
        int rewritten = 0;
        for (long seed = FIRST; seed < FIRST + ROUNDS; seed++) {
            Round round = Round.of(seed);
            Set<String> ours = ours(round);
            Optional<ObjectNode> once = injected(round);
            if (once.isEmpty() || LISTS.stream().anyMatch(list -> !disjoint(Samples.names(round.submitted(), list), ours))) {
                continue;
            }
            ObjectNode pod = once.get();
            new OtherInjectors(new Random(seed)).addSources(pod);
            ObjectNode without = Stripped.of(pod, ours);
            without.withObject("/metadata").setAll(annotationsOnly(round.submitted()));
            NaivePod.Wanted fresh = round.model(without);
            Injection second = round.asked().withPod(pod).run();
            if (fresh.refusal().isPresent()) {
                assertThat(second).as("seed %d", seed).isInstanceOf(Injection.Refuse.class);
                continue;
            }
            assertThat(second).as("seed %d", seed).isNotInstanceOf(Injection.Refuse.class);
            JsonNode twice = InjectCase.apply(second, pod);
            rewritten += replaces(second) ? 1 : 0;
            for (String list : LISTS) {
                assertThat(Samples.names(twice, list)).as("seed %d", seed).isEqualTo(Samples.names(pod, list));
                for (JsonNode wanted : fresh.pod().path("spec").path(list)) {
                    JsonNode container = named(twice, list, Parts.name(wanted));
                    assertThat(!ours.contains(Parts.name(wanted)) || Stripped.contains(container, Stripped.withoutBarrier(wanted)))
                            .as("seed %d: wanted %s, got %s", seed, wanted, container).isTrue();
                }
            }
            assertThat(Stripped.of(twice, ours)).as("seed %d", seed).isEqualTo(Stripped.of(pod, ours));
            assertRests(round, twice, "third call");
        }
        assertThat(rewritten).isGreaterThan(ROUNDS / 10);
    }

    private static boolean replaces(Injection injection) {
        return injection instanceof Injection.Patch patch && patch.ops().stream().anyMatch(op -> op.op().equals("replace"));
    }

    private static JsonNode named(JsonNode pod, String list, String name) {
        return pod.path("spec").path(list).valueStream().filter(c -> Parts.name(c).equals(name)).findFirst().orElseThrow();
    }

    /** Names that containers of the sets have in pods, in whatever revision. */
    private static Set<String> ours(Round round) {
        Set<String> names = new HashSet<>();
        for (String list : List.of("sidecarSets", "controllerRevisions")) {
            for (JsonNode holder : round.input().path(list)) {
                JsonNode spec = holder.has("spec") ? holder.path("spec") : holder.path("data").path("spec");
                for (String each : LISTS) {
                    spec.path(each).forEach(c -> names.addAll(List.of(Parts.name(c), Parts.name(c) + "-1", Parts.name(c) + "-2")));
                }
            }
        }
        return names;
    }

    /** What is not ours stays in every member and in its order, found out without the model. */
    @Test
    void keepsWhatIsNotOurs() {
        for (long seed = FIRST; seed < FIRST + ROUNDS; seed++) {
            Round round = Round.of(seed);
            Injection injection = round.asked().run();
            Set<String> ours = ours(round);
            assertThat(Stripped.of(InjectCase.apply(injection, round.submitted()), ours)).as("seed %d", seed)
                    .isEqualTo(Stripped.of(round.submitted(), ours));
        }
    }

    private static ObjectNode annotationsOnly(JsonNode pod) {
        return ((ObjectNode) pod.path("metadata").deepCopy()).retain("annotations");
    }

    /** FR-02: the pod comes again from a dump, after the images of all sets changed. */
    @Test
    void aDumpGetsTheChangedSetsOnce() {
        for (long seed = FIRST; seed < FIRST + ROUNDS; seed++) {
            Round round = Round.of(seed, OtherInjectors::store);
            Optional<ObjectNode> once = injected(round);
            if (once.isEmpty()) {
                continue;
            }
            ObjectNode dump = once.get();
            OtherInjectors.store(dump);
            Round changed = round.withNewImages();

            Injection again = changed.asked().withPod(dump).run();
            if (again instanceof Injection.Refuse refuse) {
                // Text that is no JSON went in verbatim, and cannot be merged now.
                assertThat(refuse.reason()).as("seed %d: %s", seed, refuse).isEqualTo("metadata-patch");
                continue;
            }
            JsonNode result = InjectCase.apply(again, dump);
            for (String list : LISTS) {
                assertThat(Samples.names(result, list)).as("seed %d", seed).isEqualTo(Samples.names(dump, list));
                for (JsonNode wanted : changed.model(round.submitted()).pod().path("spec").path(list)) {
                    assertThat(Stripped.contains(named(result, list, Parts.name(wanted)), wanted)).as("seed %d: %s", seed, wanted).isTrue();
                }
            }
            String hash = Json.text(result.path("metadata").path("annotations"), Wire.HASH);
            for (String set : round.model(round.submitted()).sets()) {
                assertThat(hash).as("seed %d", seed).doesNotContain("\"" + set + "\":{\"updateTimestamp\":\"" + InjectCase.NOW);
            }
            assertRests(changed, result, "after the dump");
        }
    }
}
