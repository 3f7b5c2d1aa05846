package dev.pillion.sandbox;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.ServerSocket;
import java.util.stream.IntStream;

import org.junit.jupiter.api.Test;

final class FreePortsTest {
    /** Outgoing connections of this machine get theirs from 32768 on. */
    @Test
    void noOutgoingConnectionTakesThem() {
        assertThat(FreePorts.several(50)).hasSize(50).doesNotHaveDuplicates();
        assertThat(IntStream.of(FreePorts.several(50)).boxed()).allSatisfy(port -> assertThat(port).isBetween(1024, 32_767));
    }

    @Test
    void aServerCanHaveIt() throws IOException {
        int port = FreePorts.next();
        try (ServerSocket server = new ServerSocket(port)) {
            assertThat(server.getLocalPort()).isEqualTo(port);
        }
    }
}
