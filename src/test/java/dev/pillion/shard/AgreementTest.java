package dev.pillion.shard;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import java.util.OptionalLong;
import java.util.concurrent.atomic.AtomicLong;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import dev.pillion.bus.Slots;
import dev.pillion.kube.KubeException;
import dev.pillion.kube.LeaseSpec;
import dev.pillion.shard.Agreement.Finding;

class AgreementTest {
    private final MemoryLeases leases = new MemoryLeases();
    private final AtomicLong clock = new AtomicLong(7);

    private Agreement agreement(int slots) {
        return new Agreement(leases, new Slots(slots), clock::get);
    }

    private String written() {
        return leases.read("pillion-slots").orElseThrow().spec().marks().getOrDefault("pillion.dev/slots", "nothing");
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 4, 32})
    void theFirstFoundsAndTheOthersJoin(int slots) {
        assertThat(agreement(slots).look()).isEqualTo(new Finding.Agreed(OptionalLong.of(7)));
        assertThat(written()).isEqualTo(Integer.toString(slots));

        assertThat(agreement(slots).look()).isEqualTo(new Finding.Agreed(OptionalLong.empty()));
        Finding other = agreement(slots + 1).look();
        assertThat(other).isEqualTo(new Finding.Differs(Integer.toString(slots)));
        assertThat(agreement(slots + 1).trouble(other).orElseThrow()).contains("\"" + slots + "\"", Integer.toString(slots + 1),
                "shard.slots",
                "delete this Lease");
        assertThat(written()).isEqualTo(Integer.toString(slots));
    }

    @ParameterizedTest
    @ValueSource(strings = {"many", "01", "-1", " 1"})
    void garbageIsNoAgreement(String text) {
        leases.create("pillion-slots", LeaseSpec.EMPTY.withMarks(Map.of("pillion.dev/slots", text)));

        assertThat(agreement(1).look()).isEqualTo(new Finding.Differs(text));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "pillion.dev/other"})
    void aLeaseWithoutTheNumberGetsItAndCountsAsOld(String mark) {
        leases.create("pillion-slots", LeaseSpec.EMPTY.withMarks(mark.isEmpty() ? Map.of() : Map.of(mark, "x")));

        assertThat(agreement(4).look()).isEqualTo(new Finding.Agreed(OptionalLong.empty()));
        assertThat(written()).isEqualTo("4");
        assertThat(leases.read("pillion-slots").orElseThrow().spec().marks()).hasSize(mark.isEmpty() ? 1 : 2);
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 4})
    void whoLosesTheRaceToFoundJoins(int slots) {
        leases.before = what -> {
            if (what.equals("create")) {
                leases.before = _ -> {
                };
                assertThat(agreement(4).look()).isEqualTo(new Finding.Agreed(OptionalLong.of(7)));
            }
        };

        Finding found = agreement(slots).look();

        assertThat(found).isEqualTo(slots == 4 ? new Finding.Agreed(OptionalLong.empty()) : new Finding.Differs("4"));
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 403, 404, 500})
    void whatCannotBeReadOrWrittenIsNotKnown(int code) {
        leases.before = what -> {
            if (what.equals("create")) {
                throw new KubeException(code, "", false, "no luck");
            }
        };

        Finding found = agreement(1).look();

        assertThat(found).isInstanceOf(Finding.Unknown.class);
        assertThat(agreement(1).trouble(found).orElseThrow()).contains(Integer.toString(code), "no luck");
    }
}
