package dev.pillion.kube;

import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import io.fabric8.kubernetes.client.vertx5.Vertx5HttpClientFactory;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import io.vertx.core.file.FileSystemOptions;
import io.vertx.core.http.PoolOptions;
import io.vertx.core.http.WebSocketClientOptions;
import io.vertx.ext.web.client.WebClientOptions;

/**
 * What the fabric8 client sends with: a Vert.x of its own, as the client makes one by default, but with one event loop. By default each
 * request starts on another loop than its connection, and every step from one to the other wakes a thread: 10 switches for one PATCH
 * against 4.5 with one loop. The loop only moves bytes; whoever calls parses them. Close it after the client.
 */
final class ClientTransport extends Vertx5HttpClientFactory implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(ClientTransport.class);
    /** A Pod in one piece: by default what is longer than 8 KiB arrives in several, and each wakes the reader. */
    private static final int LARGEST_PIECE = 64 * 1024;
    private static final String NO_RESOLVER = "vertx.disableDnsResolver";
    private static final long CLOSE_SECONDS = 5;

    private final Vertx own;
    private final AtomicBoolean closed = new AtomicBoolean();

    private ClientTransport(Vertx own) {
        super(own);
        this.own = own;
    }

    static ClientTransport create() {
        VertxOptions options = new VertxOptions().setPreferNativeTransport(true).setEventLoopPoolSize(1).setUseDaemonThread(true)
                .setFileSystemOptions(new FileSystemOptions().setFileCachingEnabled(false).setClassPathResolvingEnabled(false));
        // As the client does by default: names are resolved by the JDK, which knows the search domains of a cluster.
        @Nullable
        String before = System.setProperty(NO_RESOLVER, "true");
        try {
            return new ClientTransport(Vertx.vertx(options));
        } finally {
            if (before == null) {
                System.clearProperty(NO_RESOLVER);
            } else {
                System.setProperty(NO_RESOLVER, before);
            }
        }
    }

    @Override
    protected void additionalConfig(WebClientOptions options, WebSocketClientOptions webSockets, PoolOptions pool) {
        options.setMaxChunkSize(LARGEST_PIECE);
    }

    @Override
    public void close() {
        if (!closed.compareAndSet(false, true)) {
            return;
        }
        try {
            own.close().toCompletionStage().toCompletableFuture().get(CLOSE_SECONDS, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (ExecutionException | TimeoutException e) {
            LOG.atWarn().setCause(e).log("The client's transport did not close");
        }
    }
}
