package dev.pillion.kube;

import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;

import dev.pillion.it.Eventually;

/** Gives prepared answers to requests in order: faults that no healthy server would give. When they are used up, requests wait for the end. */
final class ScriptedServer implements AutoCloseable {
    /** cutWhen: the connection ends in the middle of the body, once this holds. */
    private record Answer(int code, String body, Optional<Callable<Boolean>> cutWhen) {
    }

    private final HttpServer server;
    private final Queue<Answer> answers = new ConcurrentLinkedQueue<>();
    private final List<String> queries = new CopyOnWriteArrayList<>();
    private final CountDownLatch closed = new CountDownLatch(1);

    ScriptedServer() {
        try {
            server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        server.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
        server.createContext("/", this::handle);
        server.start();
    }

    String url() {
        return "http://127.0.0.1:" + server.getAddress().getPort();
    }

    ScriptedServer answer(int code, String body) {
        answers.add(new Answer(code, body, Optional.empty()));
        return this;
    }

    ScriptedServer cut(String body, Callable<Boolean> when) {
        answers.add(new Answer(200, body, Optional.of(when)));
        return this;
    }

    /** Queries of the requests so far, in order. */
    List<String> queries() {
        return List.copyOf(queries);
    }

    private void handle(HttpExchange exchange) throws IOException {
        queries.add(exchange.getRequestURI().getQuery());
        Answer answer = answers.poll();
        try (exchange) {
            if (answer == null) {
                exchange.sendResponseHeaders(200, 0);
                exchange.getResponseBody().flush();
                closed.await();
                return;
            }
            byte[] bytes = answer.body().getBytes(StandardCharsets.UTF_8);
            exchange.sendResponseHeaders(answer.code(), answer.cutWhen().isPresent() ? bytes.length + 100 : 0);
            OutputStream out = exchange.getResponseBody();
            out.write(bytes);
            out.flush();
            if (answer.cutWhen().isPresent()) {
                Eventually.until("the connection may be cut", answer.cutWhen().get());
            } else {
                out.close();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public void close() {
        closed.countDown();
        server.stop(0);
    }
}
