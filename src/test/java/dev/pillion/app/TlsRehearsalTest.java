package dev.pillion.app;

import static org.assertj.core.api.Assertions.assertThat;

import java.security.SecureRandom;
import java.time.Instant;

import org.junit.jupiter.api.Test;

final class TlsRehearsalTest {
    @Test
    void goesThroughAWholeHandshakeWithTheCertificateChecked() {
        assertThat(TlsRehearsal.run(new SecureRandom(), Instant.now())).isEqualTo("TLSv1.3");
    }
}
