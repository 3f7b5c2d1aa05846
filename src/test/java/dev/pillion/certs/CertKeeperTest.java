package dev.pillion.certs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Optional;

import org.junit.jupiter.api.Test;

import dev.pillion.bus.BusMessage.CertChanged;
import dev.pillion.kube.KubeException;
import dev.pillion.kube.WebhookWrites;

final class CertKeeperTest {
    private static final WebhookPlace URL = new WebhookPlace.Url(URI.create("https://127.0.0.1:9876"));
    private final Recorder recorder = new Recorder();
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

    private CertKeeper keeper(WebhookPlace place) {
        return new CertKeeper(new CertMaker(new SecureRandom(), place.names("ns")), place, "ns", () -> now, recorder);
    }

    @Test
    void writesBothConfigurationsForAUrl() {
        CertKeeper keeper = keeper(URL);

        Optional<CertChanged> changed = keeper.look();

        assertThat(changed).isEmpty();
        assertThat(recorder.calls).containsExactly("configurations https://127.0.0.1:9876 ns");
        assertThat(recorder.pem()).isEqualTo(keeper.authorityPem());
    }

    @Test
    void setsOnlyCaBundleBehindAService() {
        keeper(new WebhookPlace.Service("pillion-webhook-service")).look();

        assertThat(recorder.calls).containsExactly("caBundle", "conversion");
    }

    @Test
    void renewsTheServingCertificateWithoutTouchingTheBundle() {
        CertKeeper keeper = keeper(URL);
        keeper.look();
        String authority = keeper.authorityPem();
        CertChanged first = keeper.serving();
        int calls = recorder.calls.size();
        now = now.plus(Duration.ofDays(300));

        Optional<CertChanged> changed = keeper.look();

        assertThat(changed).isPresent().get().isNotEqualTo(first);
        assertThat(keeper.authorityPem()).isEqualTo(authority);
        assertThat(recorder.calls).hasSize(calls);
    }

    @Test
    void changesTheCaThroughABundleWithBoth() {
        CertKeeper keeper = keeper(URL);
        keeper.look();
        String old = keeper.authorityPem();
        now = now.plus(Duration.ofDays(3400));

        Optional<CertChanged> changed = keeper.look();
        String between = recorder.pem();
        Optional<CertChanged> again = keeper.look();

        assertThat(changed).isPresent();
        assertThat(between).isEqualTo(old + keeper.authorityPem());
        assertThat(again).isEmpty();
        assertThat(recorder.pem()).isEqualTo(keeper.authorityPem()).isNotEqualTo(old);
    }

    @Test
    void keepsServingTheOldCertificateWhileTheNewCaCannotBeTold() {
        CertKeeper keeper = keeper(URL);
        keeper.look();
        CertChanged first = keeper.serving();
        now = now.plus(Duration.ofDays(3400));
        recorder.refuses = true;

        assertThatThrownBy(keeper::look).isInstanceOf(KubeException.class);

        assertThat(keeper.serving()).isEqualTo(first);
        recorder.refuses = false;
        assertThat(keeper.look()).isPresent();
    }

    @Test
    void namesFollowThePlace() {
        assertThat(URL.names("ns")).containsExactly("127.0.0.1");
        assertThat(new WebhookPlace.Url(URI.create("https://[::1]:1")).names("ns")).containsExactly("::1");
        assertThat(new WebhookPlace.Service("s").names("ns")).contains("s.ns.svc");
    }
}
