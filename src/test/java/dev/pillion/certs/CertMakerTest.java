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
    void isValidFromAnHourBeforeForAYear() throws Exception {
        Credentials made = maker.fresh(NOW);

        validate(made.serving(), made.authority(), NOW.minus(Duration.ofMinutes(59)));
        validate(made.serving(), made.authority(), NOW.plus(Duration.ofDays(364)));
        assertThatThrownBy(() -> validate(made.serving(), made.authority(), NOW.plus(Duration.ofDays(366))))
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
        Instant later = NOW.plus(Duration.ofDays(300));

        Credentials renewed = maker.renewServing(old, later);

        assertThat(renewed.authority()).isEqualTo(old.authority());
        assertThat(renewed.serving().certificatePem()).isNotEqualTo(old.serving().certificatePem());
        validate(renewed.serving(), old.authority(), later.plus(Duration.ofDays(360)));
    }

    @Test
    void textFormsShowNoKey() {
        assertThat(maker.fresh(NOW).toString()).doesNotContain("KEY");
    }

    @ParameterizedTest
    @CsvSource({"0,NOTHING", "200,NOTHING", "240,NOTHING", "244,SERVING", "400,SERVING", "3284,SERVING", "3286,AUTHORITY",
            "9999,AUTHORITY", "-1,AUTHORITY"})
    void renewalGoesByTheTimeLeft(int days, Renewal wanted) {
        assertThat(Renewal.of(maker.fresh(NOW), NOW.plus(Duration.ofDays(days)), NAMES)).isEqualTo(wanted);
    }

    @Test
    void renewalSeesForeignBrokenAndMisnamedCertificates() {
        Credentials ours = maker.fresh(NOW);
        Credentials theirs = maker.fresh(NOW);
        Credentials.Pair broken = new Credentials.Pair("-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n", "x");

        assertThat(Renewal.of(new Credentials(ours.authority(), theirs.serving()), NOW, NAMES)).isEqualTo(Renewal.SERVING);
        assertThat(Renewal.of(new Credentials(ours.authority(), broken), NOW, NAMES)).isEqualTo(Renewal.SERVING);
        assertThat(Renewal.of(new Credentials(broken, ours.serving()), NOW, NAMES)).isEqualTo(Renewal.AUTHORITY);
        assertThat(Renewal.of(ours, NOW, List.of("localhost", "other.svc"))).isEqualTo(Renewal.SERVING);
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
