package dev.pillion.kube;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicReference;

import org.junit.jupiter.api.Test;

import io.fabric8.kubernetes.client.http.AsyncBody;

import dev.pillion.it.Eventually;

class BodyStreamTest {
    private static final int PIECE = 64 * 1024;

    private final BodyStream stream = new BodyStream();
    private final Source source = new Source();

    /** Hands out one piece whenever it is asked, as a fast server would. */
    private final class Source implements AsyncBody {
        private final CompletableFuture<Void> done = new CompletableFuture<>();
        private int asked;
        private boolean dry;

        @Override
        public void consume() {
            asked++;
            if (!dry) {
                stream.consume(List.of(ByteBuffer.wrap(new byte[PIECE])), this);
            }
        }

        @Override
        public CompletableFuture<Void> done() {
            return done;
        }

        @Override
        public void cancel() {
            done.cancel(false);
        }
    }

    @Test
    void asksForNoMoreThanIsRead() throws IOException {
        stream.begin(source);
        assertThat(source.asked).as("a bounded number of pieces").isEqualTo(4);

        assertThat(stream.readNBytes(PIECE)).hasSize(PIECE);
        assertThat(source.asked).as("half of it may wait before more is asked for").isEqualTo(4);
        assertThat(stream.readNBytes(2 * PIECE)).hasSize(2 * PIECE);
        assertThat(source.asked).as("asked again, until as much waits as before").isEqualTo(7);
    }

    @Test
    void returnsAllThatHasComeAtOnce() throws IOException {
        source.dry = true;
        stream.begin(source);
        stream.consume(List.of(ByteBuffer.wrap(new byte[]{1, 2}), ByteBuffer.wrap(new byte[]{3})), source);
        stream.consume(List.of(ByteBuffer.wrap(new byte[]{4})), source);
        byte[] to = new byte[10];

        assertThat(stream.read(to, 1, 3)).isEqualTo(3);
        assertThat(stream.read(to, 4, 6)).isEqualTo(1);
        assertThat(to).startsWith(0, 1, 2, 3, 4, 0);
        source.done.complete(null);
        assertThat(stream.read()).isEqualTo(-1);
    }

    @Test
    void whatCameBeforeAFailureIsStillRead() throws IOException {
        source.dry = true;
        stream.begin(source);
        stream.consume(List.of(ByteBuffer.wrap(new byte[]{1})), source);
        source.done.completeExceptionally(new IOException("connection was closed"));

        assertThat(stream.read()).isEqualTo(1);
        assertThatThrownBy(stream::read).isInstanceOf(IOException.class).hasMessageContaining("connection was closed");
    }

    @Test
    void closingWakesTheReaderAndEndsTheAnswer() throws InterruptedException {
        source.dry = true;
        stream.begin(source);
        AtomicReference<Throwable> thrown = new AtomicReference<>(new AssertionError("nothing thrown"));
        Thread reader = Thread.ofVirtual().start(() -> {
            try {
                stream.read();
            } catch (IOException e) {
                thrown.set(e);
            }
        });
        Eventually.until("the reader waits", () -> reader.getState() == Thread.State.WAITING);

        stream.close();
        reader.join();

        assertThat(thrown.get()).isInstanceOf(IOException.class).hasMessage("closed");
        assertThat(source.done).isCancelled();
    }
}
