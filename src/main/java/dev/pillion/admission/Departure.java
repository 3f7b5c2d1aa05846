package dev.pillion.admission;

import java.time.Duration;
import java.util.HashSet;
import java.util.Set;

import io.vertx.core.http.HttpConnection;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpVersion;

/**
 * How a server lets its clients go without failing a request (FR-26). Closing at once would meet requests that are on their way. So, as
 * RFC 9113 6.8 has it, clients are first told to begin nothing new, with the highest stream id, which refuses nothing; what was under way arrives
 * and is answered, then the server ends. For the event loop of one server.
 */
final class Departure {
    /** No error, and any stream that a client has begun is welcome. */
    private static final long NO_ERROR = 0;
    private static final int ANY_STREAM = Integer.MAX_VALUE;
    /** Longer than a request needs to arrive, even on a busy machine. */
    private static final Duration ON_THE_WAY = Duration.ofSeconds(1);

    private final Set<HttpConnection> open = new HashSet<>();
    private boolean begun;

    void opened(HttpConnection connection) {
        open.add(connection);
        connection.closeHandler(_ -> open.remove(connection));
    }

    /** HTTP/1.1 has no other word for it than the answer to a request. */
    HttpServerRequest seen(HttpServerRequest request) {
        if (begun && request.version() != HttpVersion.HTTP_2) {
            request.response().putHeader("connection", "close");
        }
        return request;
    }

    /** Tells everybody; answers how long what is on its way may take to arrive: no time if nobody is there. */
    Duration begin() {
        begun = true;
        Set.copyOf(open).forEach(Departure::tell);
        return open.isEmpty() ? Duration.ZERO : ON_THE_WAY;
    }

    private static void tell(HttpConnection connection) {
        try {
            connection.goAway(NO_ERROR, ANY_STREAM);
        } catch (UnsupportedOperationException _) {
            // HTTP/1.1: it is told with its next answer.
        }
    }
}
