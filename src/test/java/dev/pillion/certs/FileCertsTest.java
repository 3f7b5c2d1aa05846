package dev.pillion.certs;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.security.interfaces.ECPrivateKey;
import java.time.Duration;
import java.time.Instant;
import java.util.List;

import org.bouncycastle.asn1.sec.SECObjectIdentifiers;
import org.bouncycastle.util.io.pem.PemObject;
import org.bouncycastle.util.io.pem.PemWriter;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import dev.pillion.bus.BusMessage.CertChanged;

final class FileCertsTest {
    private final CertMaker maker = new CertMaker(new SecureRandom(), List.of("localhost"));
    private Instant now = Instant.parse("2026-03-01T12:00:00Z");
    @TempDir
    private Path directory = Path.of("unset");

    private FileCerts source() {
        return new FileCerts(directory, () -> now);
    }

    private static Look look(FileCerts source) {
        return source.look(Look.Telling.ALLOWED);
    }

    private void put(Credentials.Pair pair) throws IOException {
        Files.writeString(directory.resolve("tls.crt"), pair.certificatePem());
        Files.writeString(directory.resolve("tls.key"), pair.keyPem());
    }

    @Test
    void waitsForTheFilesAndSaysWhere() throws IOException {
        FileCerts source = source();

        Look before = look(source);
        put(maker.fresh(now).serving());
        Look after = look(source);

        assertThat(before).isInstanceOfSatisfying(Look.Lacking.class,
                l -> assertThat(l.reason()).contains(directory.toString()).contains("certs.external"));
        assertThat(after).isInstanceOf(Look.Changed.class);
        assertThat(look(source)).isEqualTo(new Look.Settled());
    }

    @Test
    void takesWhatTheFilesHoldNextUnderTheSameNames() throws IOException {
        FileCerts source = source();
        put(maker.fresh(now).serving());
        look(source);
        Credentials.Pair next = maker.fresh(now).serving();
        put(next);

        Look changed = look(source);

        assertThat(changed).isEqualTo(new Look.Changed(new CertChanged(next.certificatePem(), next.keyPem()),
                Pem.endOf(next.certificatePem())));
    }

    @Test
    void refusesWhatDoesNotFitAndKeepsTheOldPair() throws IOException {
        FileCerts source = source();
        Credentials.Pair good = maker.fresh(now).serving();
        put(good);
        look(source);
        Credentials.Pair other = maker.fresh(now).serving();

        for (Credentials.Pair bad : List.of(new Credentials.Pair(other.certificatePem(), good.keyPem()),
                new Credentials.Pair(other.certificatePem(), ""), new Credentials.Pair("", other.keyPem()),
                new Credentials.Pair("garbage", "garbage"), new Credentials.Pair(other.certificatePem(), other.certificatePem()),
                maker.fresh(now.minus(Duration.ofDays(200))).serving())) {
            put(bad);
            assertThat(look(source)).isInstanceOf(Look.Kept.class);
        }
        put(other);

        assertThat(look(source)).isInstanceOf(Look.Changed.class);
    }

    @Test
    void aReasonNeverShowsTheKey() throws IOException {
        Credentials.Pair good = maker.fresh(now).serving();
        put(new Credentials.Pair(good.certificatePem(), good.keyPem().replace("-----END", "Z?-----END")));

        Look look = look(source());

        assertThat(look).isInstanceOfSatisfying(Look.Lacking.class,
                l -> assertThat(l.reason()).doesNotContain(good.keyPem().lines().skip(1).findFirst().orElseThrow()));
    }

    @Test
    void saysThatTheCertificateHasEnded() throws IOException {
        FileCerts source = source();
        put(maker.fresh(now).serving());
        look(source);
        now = now.plus(Duration.ofDays(91));

        assertThat(look(source)).isInstanceOfSatisfying(Look.Lacking.class, l -> assertThat(l.reason()).contains("ended at"));
    }

    @Test
    void takesTheOldFormsOfKeys() throws Exception {
        Credentials.Pair pair = maker.fresh(now).serving();
        ECPrivateKey key = (ECPrivateKey) Pem.readPrivateKey(pair.keyPem());
        byte[] sec1 = new org.bouncycastle.asn1.sec.ECPrivateKey(256, key.getS(), SECObjectIdentifiers.secp256r1).getEncoded();
        StringWriter text = new StringWriter();
        try (PemWriter writer = new PemWriter(text)) {
            writer.writeObject(new PemObject("EC PARAMETERS", SECObjectIdentifiers.secp256r1.getEncoded()));
            writer.writeObject(new PemObject("EC PRIVATE KEY", sec1));
        }
        put(new Credentials.Pair(pair.certificatePem(), text.toString()));

        Look look = look(source());

        assertThat(look).isInstanceOfSatisfying(Look.Changed.class,
                c -> assertThat(c.pair().keyPem()).startsWith("-----BEGIN PRIVATE KEY-----"));
    }
}
