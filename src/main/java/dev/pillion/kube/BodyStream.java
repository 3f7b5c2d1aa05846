package dev.pillion.kube;

import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionException;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

import io.fabric8.kubernetes.client.http.AsyncBody;

/**
 * The body of an answer, for one blocking reader. The event loop asks for the next piece itself as long as little waits to be read; the
 * client's own stream has the reader ask, which wakes the event loop for each piece. What waits is bounded, then the socket is not read.
 * May be closed by any thread, which wakes the reader.
 */
final class BodyStream extends InputStream implements AsyncBody.Consumer<List<ByteBuffer>> {
    /** Bytes that may wait before the event loop stops to ask for more. */
    private static final int MOST_WAITING = 256 * 1024;

    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    private final Deque<ByteBuffer> waiting = new ArrayDeque<>();
    private Optional<AsyncBody> body = Optional.empty();
    private int bytes;
    private boolean held;
    private boolean ended;
    private boolean closed;
    private Optional<Throwable> failure = Optional.empty();

    /** Begins to read; to be called once, when the head has come. */
    void begin(AsyncBody of) {
        lock.lock();
        try {
            body = Optional.of(of);
        } finally {
            lock.unlock();
        }
        var _ = of.done().whenComplete((_, cause) -> end(Optional.ofNullable(cause)));
        of.consume();
    }

    private void end(Optional<Throwable> cause) {
        lock.lock();
        try {
            ended = true;
            failure = cause.map(c -> c instanceof CompletionException && c.getCause() != null ? c.getCause() : c);
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    @Override
    public void consume(List<ByteBuffer> pieces, AsyncBody from) {
        boolean more;
        lock.lock();
        try {
            for (ByteBuffer piece : pieces) {
                bytes += piece.remaining();
                waiting.add(piece);
            }
            more = bytes < MOST_WAITING;
            held = !more;
            changed.signalAll();
        } finally {
            lock.unlock();
        }
        if (more) {
            from.consume();
        }
    }

    @Override
    public int read() throws IOException {
        byte[] one = new byte[1];
        return read(one, 0, 1) < 0 ? -1 : one[0] & 0xFF;
    }

    /** Waits for a piece and returns all that has come, as far as there is room. */
    @Override
    public int read(byte[] to, int offset, int length) throws IOException {
        if (length == 0) {
            return 0;
        }
        Optional<AsyncBody> resumed = Optional.empty();
        int taken = 0;
        lock.lock();
        try {
            while (waiting.isEmpty() && !ended && !closed) {
                changed.await();
            }
            if (closed) {
                throw new IOException("closed");
            }
            while (taken < length && !waiting.isEmpty()) {
                ByteBuffer piece = waiting.getFirst();
                int part = Math.min(piece.remaining(), length - taken);
                piece.get(to, offset + taken, part);
                taken += part;
                if (!piece.hasRemaining()) {
                    waiting.removeFirst();
                }
            }
            bytes -= taken;
            if (held && bytes < MOST_WAITING / 2) {
                held = false;
                resumed = body;
            }
            if (taken == 0 && failure.isPresent()) {
                throw new IOException(String.valueOf(failure.get().getMessage()), failure.get());
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted", e);
        } finally {
            lock.unlock();
        }
        resumed.ifPresent(AsyncBody::consume);
        return taken == 0 ? -1 : taken;
    }

    /** Ends the answer; without effect when it has ended. */
    @Override
    public void close() {
        Optional<AsyncBody> open;
        lock.lock();
        try {
            open = closed || ended ? Optional.empty() : body;
            closed = true;
            waiting.clear();
            bytes = 0;
            changed.signalAll();
        } finally {
            lock.unlock();
        }
        open.ifPresent(AsyncBody::cancel);
    }
}
