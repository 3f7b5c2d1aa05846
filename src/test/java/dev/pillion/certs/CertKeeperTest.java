package dev.pillion.certs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.SecureRandom;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Random;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;

import org.junit.jupiter.api.Test;

import dev.pillion.bus.BusMessage.CertChanged;
import dev.pillion.kube.KubeException;
import dev.pillion.kube.WebhookWrites;

final class CertKeeperTest {
    private static final WebhookPlace URL = new WebhookPlace.Url(URI.create("https://127.0.0.1:9876"));
    private static final String SECOND_CERTIFICATE = "-----END CERTIFICATE-----\n-----BEGIN CERTIFICATE-----";
    private static final Pattern CERTIFICATE = Pattern.compile("-----BEGIN[^-]+-----[^-]+-----END[^-]+-----\n");
    private final Recorder recorder = new Recorder();
    private final StoredSecret secret = new StoredSecret();
    private Instant now = Instant.parse("2026-03-01T12:00:00Z");

    /** Keeps what was written last; refuses while told to. */
    private static final class Recorder implements WebhookWrites {
        private final List<String> calls = new ArrayList<>();
        private String caBundle = "";
        private boolean refuses;

        @Override
        public void putConfigurations(URI base, String ownNamespace, String bundle) {
            note("configurations " + base + " " + ownNamespace);
            caBundle = bundle;
        }

        @Override
        public void putCaBundle(String bundle) {
            note("caBundle");
            caBundle = bundle;
        }

        @Override
        public void putConversionCaBundle(String bundle) {
            note("conversion");
        }

        private void note(String call) {
            if (refuses) {
                throw new KubeException(503, "ServiceUnavailable", false, "down");
            }
            calls.add(call);
        }

        String pem() {
            return new String(Base64.getDecoder().decode(caBundle), StandardCharsets.US_ASCII);
        }
    }

    /** A keeper and what its server shows. */
    private final class Replica {
        private final CertKeeper keeper;
        private CertChanged shown = new CertChanged("", "");

        private Replica(WebhookPlace place) {
            keeper = new CertKeeper(new CertMaker(new SecureRandom(), place.names("ns")), place, "ns", () -> now,
                    new CertKeeper.Ports(secret, recorder));
        }

        private Look look() {
            Look look = keeper.look(Look.Telling.ALLOWED);
            if (look instanceof Look.Changed(CertChanged pair, Instant _)) {
                shown = pair;
            }
            return look;
        }

        private void settle() {
            for (int i = 0; i < 10 && !(look() instanceof Look.Settled); i++) {
                pass(Duration.ofMillis(200));
            }
        }

        /** Whether an API server that knows this bundle takes what is shown. */
        private boolean isTrusted() {
            try {
                X509Certificate certificate = Pem.readCertificate(shown.certificatePem());
                for (String block : CERTIFICATE.matcher(recorder.pem()).results().map(MatchResult::group).toList()) {
                    if (verifies(certificate, Pem.readCertificate(block))) {
                        return true;
                    }
                }
                return false;
            } catch (GeneralSecurityException e) {
                throw new AssertionError(e);
            }
        }
    }

    private static boolean verifies(X509Certificate certificate, X509Certificate authority) {
        try {
            certificate.verify(authority.getPublicKey());
            return true;
        } catch (GeneralSecurityException _) {
            return false;
        }
    }

    private void pass(Duration time) {
        now = now.plus(time);
    }

    @Test
    void makesTheSecretAndWritesBothConfigurationsForAUrl() {
        Replica replica = new Replica(URL);

        assertThat(replica.look()).isInstanceOf(Look.Changed.class);
        assertThat(recorder.calls).as("first the server changes").isEmpty();
        assertThat(replica.look()).isEqualTo(new Look.Settled());

        assertThat(recorder.calls).containsExactly("configurations https://127.0.0.1:9876 ns");
        assertThat(recorder.pem()).isEqualTo(secret.state().current().authority().certificatePem());
        assertThat(replica.isTrusted()).isTrue();
    }

    @Test
    void setsOnlyCaBundleBehindAService() {
        new Replica(new WebhookPlace.Service("pillion-webhook-service")).settle();

        assertThat(recorder.calls).containsExactly("caBundle", "conversion");
    }

    @Test
    void tellsNobodyBeforeTheServerIsWarm() {
        Replica replica = new Replica(URL);

        replica.keeper.look(Look.Telling.NOT_YET);
        replica.keeper.look(Look.Telling.NOT_YET);

        assertThat(recorder.calls).isEmpty();
    }

    @Test
    void allReplicasShowTheSamePairAlsoAfterARestart() {
        Replica first = new Replica(URL);
        Replica second = new Replica(URL);
        first.settle();
        second.settle();
        Replica restarted = new Replica(URL);
        restarted.settle();

        assertThat(second.shown).isEqualTo(first.shown);
        assertThat(restarted.shown).isEqualTo(first.shown);
        assertThat(secret.writes()).isEqualTo(1);
    }

    @Test
    void theLoserOfARaceTakesWhatTheWinnerWrote() {
        Replica winner = new Replica(URL);
        StoredSecret empty = new StoredSecret();
        CertKeeper loser = new CertKeeper(new CertMaker(new SecureRandom(), URL.names("ns")), URL, "ns", () -> now,
                new CertKeeper.Ports(new LateReader(empty, secret), recorder));
        winner.settle();

        assertThatThrownBy(() -> loser.look(Look.Telling.ALLOWED)).isInstanceOfSatisfying(KubeException.class,
                e -> assertThat(e.isAlreadyExists()).isTrue());
        Look second = loser.look(Look.Telling.ALLOWED);

        assertThat(second).isInstanceOfSatisfying(Look.Changed.class, c -> assertThat(c.pair()).isEqualTo(winner.shown));
    }

    @Test
    void oneReplicaRenewsAtTwoThirdsAndTheOthersFollow() {
        Replica first = new Replica(URL);
        Replica second = new Replica(URL);
        first.settle();
        second.settle();
        CertChanged old = first.shown;
        String bundle = recorder.pem();
        pass(Duration.ofDays(61));

        second.settle();
        first.settle();

        assertThat(first.shown).isNotEqualTo(old).isEqualTo(second.shown);
        assertThat(secret.writes()).isEqualTo(2);
        assertThat(recorder.pem()).isEqualTo(bundle);
    }

    @Test
    void changesTheCaThroughABundleWithBoth() {
        Replica replica = new Replica(URL);
        replica.settle();
        String old = recorder.pem();
        pass(Duration.ofDays(3600));

        replica.settle();
        String both = recorder.pem();
        boolean early = replica.isTrusted();
        pass(CertKeeper.TOLD_FOR);
        replica.settle();
        boolean changed = replica.isTrusted();
        String between = recorder.pem();
        pass(Renewal.OVERLAP);
        replica.settle();

        assertThat(both).startsWith(old).contains(SECOND_CERTIFICATE);
        assertThat(between).contains(old).contains(SECOND_CERTIFICATE);
        assertThat(List.of(early, changed, replica.isTrusted())).containsOnly(true);
        assertThat(recorder.pem()).isEqualTo(secret.state().current().authority().certificatePem()).isNotEqualTo(old);
    }

    @Test
    void aDeletedSecretStartsAnOrderlyChange() {
        Replica replica = new Replica(URL);
        replica.settle();
        CertChanged old = replica.shown;
        secret.delete();

        replica.settle();
        assertThat(replica.shown).isEqualTo(old);
        assertThat(secret.state().staged()).isPresent();
        pass(CertKeeper.TOLD_FOR);
        replica.settle();

        assertThat(replica.shown).isNotEqualTo(old);
        assertThat(replica.isTrusted()).isTrue();
    }

    @Test
    void aDamagedSecretIsMadeAnewAndToldBeforeItIsShown() {
        Replica replica = new Replica(URL);
        replica.settle();
        CertChanged old = replica.shown;
        secret.overwrite("ca.key", "no key");
        recorder.refuses = true;

        assertThatThrownBy(replica::look).isInstanceOf(KubeException.class);
        assertThat(replica.shown).isEqualTo(old);
        recorder.refuses = false;
        assertThat(replica.look()).isInstanceOf(Look.Changed.class);

        assertThat(replica.isTrusted()).isTrue();
        assertThat(recorder.pem()).contains(SECOND_CERTIFICATE);
    }

    @Test
    void anOldCaThatIsNoCertificateNeverReachesTheBundle() {
        Replica replica = new Replica(URL);
        replica.settle();
        secret.overwrite("old-ca.crt", "garbage");

        replica.settle();

        assertThat(recorder.pem()).doesNotContain("garbage");
    }

    @Test
    void keepsTheOldCaWhileTheNextOneCannotBeTold() {
        Replica replica = new Replica(URL);
        replica.settle();
        CertChanged old = replica.shown;
        pass(Duration.ofDays(3600));
        replica.settle();
        CertChanged renewed = replica.shown;
        secret.delete();
        recorder.refuses = true;

        assertThatThrownBy(replica::settle).isInstanceOf(KubeException.class);
        pass(Duration.ofHours(5));
        assertThatThrownBy(replica::settle).isInstanceOf(KubeException.class);

        assertThat(renewed).isNotEqualTo(old);
        assertThat(replica.shown).isEqualTo(renewed);
    }

    /** Three replicas over years, looks in any order, some of them lost, the Secret deleted now and then: never a review that fails. */
    @Test
    void theApiServerAlwaysTrustsWhatAnyReplicaShows() {
        long seed = Long.getLong("pillion.seed", 20_261_130L);
        Random random = new Random(seed);
        List<Replica> replicas = new ArrayList<>(List.of(new Replica(URL), new Replica(URL), new Replica(URL)));
        replicas.forEach(Replica::settle);
        for (int step = 0; step < 15; step++) {
            pass(Duration.ofDays(random.nextInt(1, 29)).plusMinutes(random.nextInt(1440)));
            if (random.nextInt(4) == 0) {
                secret.delete();
            }
            if (random.nextInt(3) == 0) {
                pass(Duration.ofDays(25));
            }
            for (int round = 0; round < 16; round++) {
                Replica any = replicas.get(random.nextInt(3));
                recorder.refuses = random.nextInt(6) == 0;
                try {
                    any.look();
                } catch (KubeException _) {
                    // It looks again.
                }
                pass(Duration.ofSeconds(random.nextInt(1, 15)));
                assertThat(replicas).as("seed %d, step %d, round %d", seed, step, round).allMatch(Replica::isTrusted);
            }
            recorder.refuses = false;
            for (int round = 0; round < 3; round++) {
                replicas.forEach(Replica::settle);
            }
            assertThat(replicas).extracting(r -> r.shown).as("seed %d, step %d", seed, step).containsOnly(replicas.getFirst().shown);
        }
    }

    @Test
    void namesFollowThePlace() {
        assertThat(URL.names("ns")).containsExactly("127.0.0.1");
        assertThat(new WebhookPlace.Url(URI.create("https://[::1]:1")).names("ns")).containsExactly("::1");
        assertThat(new WebhookPlace.Service("s").names("ns")).contains("s.ns.svc");
    }
}
