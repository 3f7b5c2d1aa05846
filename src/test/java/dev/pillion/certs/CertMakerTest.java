package dev.pillion.certs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.security.SecureRandom;
import java.security.Signature;
import java.security.cert.CertPathValidator;
import java.security.cert.CertPathValidatorException;
import java.security.cert.CertificateFactory;
import java.security.cert.PKIXParameters;
import java.security.cert.TrustAnchor;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.util.Date;
import java.util.List;
import java.util.Optional;
import java.util.Set;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class CertMakerTest {
    private static final Instant NOW = Instant.parse("2026-03-01T12:00:00Z");
    private static final List<String> NAMES = List.of("127.0.0.1", "localhost");
    private final CertMaker maker = new CertMaker(new SecureRandom(), NAMES);

    @Test
    void servingCertificateIsTrustedThroughItsCaOnly() throws Exception {
        Credentials ours = maker.fresh(NOW);
        Credentials theirs = maker.fresh(NOW);

        validate(ours.serving(), ours.authority(), NOW);

        assertThatThrownBy(() -> validate(ours.serving(), theirs.authority(), NOW)).isInstanceOf(CertPathValidatorException.class);
    }

    @Test
    void isValidFromAnHourBeforeForNinetyDays() throws Exception {
        Credentials made = maker.fresh(NOW);

        validate(made.serving(), made.authority(), NOW.minus(Duration.ofMinutes(59)));
        validate(made.serving(), made.authority(), NOW.plus(Duration.ofDays(89)));
        assertThatThrownBy(() -> validate(made.serving(), made.authority(), NOW.plus(Duration.ofDays(91))))
                .isInstanceOf(CertPathValidatorException.class);
    }

    @Test
    void namesAddressesAndHostsAndForbidsSigning() throws Exception {
        X509Certificate serving = Pem.readCertificate(new CertMaker(new SecureRandom(), List.of("127.0.0.1", "::1", "a.ns.svc"))
                .fresh(NOW).serving().certificatePem());

        assertThat(serving.getSubjectAlternativeNames()).extracting(n -> List.of(n.get(0), n.get(1))).containsExactly(
                List.of(7, "127.0.0.1"), List.of(7, "0:0:0:0:0:0:0:1"), List.of(2, "a.ns.svc"));
        assertThat(serving.getBasicConstraints()).isEqualTo(-1);
        assertThat(serving.getExtendedKeyUsage()).containsExactly("1.3.6.1.5.5.7.3.1");
    }

    @Test
    void keyBelongsToCertificate() throws Exception {
        Credentials made = maker.fresh(NOW);
        Signature signer = Signature.getInstance("SHA256withECDSA");
        signer.initSign(Pem.readPrivateKey(made.serving().keyPem()));
        signer.update(new byte[]{1, 2, 3});
        byte[] signature = signer.sign();

        signer.initVerify(Pem.readCertificate(made.serving().certificatePem()));
        signer.update(new byte[]{1, 2, 3});

        assertThat(signer.verify(signature)).isTrue();
    }

    @Test
    void renewedServingCertificateKeepsTheCa() throws Exception {
        Credentials old = maker.fresh(NOW);
        Instant later = NOW.plus(Duration.ofDays(60));

        Credentials renewed = maker.renewServing(old, later);

        assertThat(renewed.authority()).isEqualTo(old.authority());
        assertThat(renewed.serving().certificatePem()).isNotEqualTo(old.serving().certificatePem());
        validate(renewed.serving(), old.authority(), later.plus(Duration.ofDays(89)));
    }

    @Test
    void textFormsShowNoKey() {
        assertThat(maker.fresh(NOW).toString()).doesNotContain("KEY");
    }

    @Test
    void renewedServingCertificateKeepsTheNamesOfOtherReplicas() throws Exception {
        Credentials theirs = new CertMaker(new SecureRandom(), List.of("10.0.0.1", "localhost")).fresh(NOW);

        Credentials renewed = maker.renewServing(theirs, NOW);

        assertThat(Pem.namesOf(renewed.serving().certificatePem())).containsExactlyInAnyOrder("127.0.0.1", "localhost", "10.0.0.1");
    }

    @ParameterizedTest
    @CsvSource({"0,NOTHING", "30,NOTHING", "59,NOTHING", "61,SERVING", "400,SERVING", "3559,SERVING", "3561,SERVING", "3649,SERVING",
            "3651,FRESH", "9999,FRESH", "-1,FRESH"})
    void renewalGoesByTheTimeLeft(int days, Renewal wanted) {
        assertThat(renewal(CertState.of(maker.fresh(NOW)), NOW.plus(Duration.ofDays(days)))).isEqualTo(wanted);
    }

    @Test
    void renewalSeesForeignBrokenAndMisnamedCertificates() {
        Credentials ours = maker.fresh(NOW);
        Credentials theirs = maker.fresh(NOW);
        Credentials.Pair broken = new Credentials.Pair("-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n", "x");

        assertThat(renewal(CertState.of(new Credentials(ours.authority(), theirs.serving())), NOW)).isEqualTo(Renewal.SERVING);
        assertThat(renewal(CertState.of(new Credentials(ours.authority(), broken)), NOW)).isEqualTo(Renewal.SERVING);
        assertThat(renewal(CertState.of(new Credentials(broken, ours.serving())), NOW)).isEqualTo(Renewal.FRESH);
        assertThat(renewal(CertState.of(new Credentials(ours.serving(), ours.serving())), NOW)).isEqualTo(Renewal.FRESH);
        assertThat(renewal(CertState.of(new Credentials(broken, ours.serving())).withStaged(theirs.authority()), NOW))
                .isEqualTo(Renewal.PROMOTE);
        assertThat(renewal(CertState.of(ours).withStaged(broken), NOW)).isEqualTo(Renewal.STAGE);
        assertThat(Renewal.of(CertState.of(ours), NOW, List.of("localhost", "other.svc"), Renewal.Told.NO)).isEqualTo(Renewal.SERVING);
    }

    @ParameterizedTest
    @CsvSource({"3559,NOTHING", "3561,STAGE", "3640,STAGE"})
    void theNextCaIsMadeBeforeTheCurrentOneEnds(int days, Renewal wanted) {
        Instant then = NOW.plus(Duration.ofDays(days));

        assertThat(renewal(CertState.of(maker.renewServing(maker.fresh(NOW), then)), then)).isEqualTo(wanted);
    }

    @Test
    void aNextCaSignsOnlyOnceItWasTold() {
        CertState state = CertState.of(maker.fresh(NOW)).withStaged(maker.authority(NOW));

        assertThat(Renewal.of(state, NOW, NAMES, Renewal.Told.NO)).isEqualTo(Renewal.NOTHING);
        assertThat(Renewal.of(state, NOW, NAMES, Renewal.Told.YES)).isEqualTo(Renewal.PROMOTE);
    }

    @Test
    void anOldCaIsToldForAnHour() {
        CertState state = CertState.of(maker.fresh(NOW)).withRetired(Optional.of(maker.authority(NOW).certificatePem()));

        assertThat(renewal(state, NOW.plus(Duration.ofMinutes(59)))).isEqualTo(Renewal.NOTHING);
        assertThat(renewal(state, NOW.plus(Duration.ofMinutes(60)))).isEqualTo(Renewal.RETIRE);
    }

    @Test
    void theSecretHoldsAllOfTheState() {
        CertState state = CertState.of(maker.fresh(NOW)).withStaged(maker.authority(NOW))
                .withRetired(Optional.of(maker.authority(NOW).certificatePem()));

        assertThat(CertState.read(state.data())).isEqualTo(state);
        assertThat(state.toString()).doesNotContain("KEY");
    }

    private static Renewal renewal(CertState state, Instant now) {
        return Renewal.of(state, now, NAMES, Renewal.Told.NO);
    }

    private static void validate(Credentials.Pair serving, Credentials.Pair authority, Instant at) throws Exception {
        PKIXParameters parameters = new PKIXParameters(Set.of(new TrustAnchor(Pem.readCertificate(authority.certificatePem()), null)));
        parameters.setRevocationEnabled(false);
        parameters.setDate(Date.from(at));
        CertPathValidator.getInstance("PKIX").validate(
                CertificateFactory.getInstance("X.509").generateCertPath(List.of(Pem.readCertificate(serving.certificatePem()))),
                parameters);
    }
}
