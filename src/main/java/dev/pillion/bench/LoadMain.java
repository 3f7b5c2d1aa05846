package dev.pillion.bench;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpClientAgent;
import io.vertx.core.http.HttpClientConnection;
import io.vertx.core.http.HttpClientOptions;
import io.vertx.core.http.HttpConnectOptions;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpVersion;
import io.vertx.core.http.RequestOptions;
import io.vertx.core.net.OpenSSLEngineOptions;
import io.vertx.core.net.PemTrustOptions;

import dev.pillion.admission.TlsEngine;

/**
 * The load of {@code pillion bench admission}, a process of its own so that its CPU is not the server's. First line of the input: the CA as
 * base64 of PEM; then one job a line, each answered with one line.
 */
final class LoadMain {
    private static final String HOST = "127.0.0.1";
    private static final long TIMEOUT_MILLIS = 10_000;

    private final Vertx vertx;
    private final HttpClientAgent client;
    /** Everything happens there: a response must not come before somebody waits for it. */
    private final Context loop;
    private final Map<String, Future<List<HttpClientConnection>>> open = new HashMap<>();
    /** Made once, not while the clock runs. */
    private final Map<Job.Pods, List<Stamp>> stamps = new HashMap<>();

    private LoadMain(Vertx vertx, HttpClientAgent client, Context loop) {
        this.vertx = vertx;
        this.client = client;
        this.loop = loop;
    }

    public static void main(String[] args) throws Exception {
        // Logs go to the standard output by default; the answers must not mix with them.
        PrintStream answers = System.out;
        System.setOut(System.err);
        BufferedReader jobs = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        Vertx vertx = Vertx.vertx(new VertxOptions().setPreferNativeTransport(true));
        HttpClientOptions options = new HttpClientOptions().setSsl(true).setUseAlpn(true).setProtocolVersion(HttpVersion.HTTP_2)
                .setVerifyHost(true).setTrustOptions(new PemTrustOptions().addCertValue(Buffer.buffer(LoadProcess.decode(line(jobs)))));
        if (TlsEngine.best() == TlsEngine.OPENSSL) {
            options.setSslEngineOptions(new OpenSSLEngineOptions());
        }
        LoadMain load = new LoadMain(vertx, vertx.createHttpClient(options), vertx.getOrCreateContext());
        for (String line = jobs.readLine(); line != null; line = jobs.readLine()) {
            answers.println(load.run(Job.of(line)).line());
            answers.flush();
        }
        System.exit(0);
    }

    private static String line(BufferedReader input) throws IOException {
        String line = input.readLine();
        if (line == null) {
            throw new IOException("no first line");
        }
        return line;
    }

    private Job.Outcome run(Job job) throws Exception {
        Run run = new Run(job, stamps.computeIfAbsent(job.pods(), pods -> pods.reviews().stream().map(Stamp::new).toList()));
        loop.runOnContext(_ -> begin(job, run));
        return run.done.get();
    }

    private void begin(Job job, Run run) {
        switch (job.start()) {
            case OPEN -> open.computeIfAbsent(job.port() + "/" + job.connections(), _ -> connect(job)).onSuccess(connections -> {
                run.start = System.nanoTime();
                if (job.perSecond() > 0) {
                    run.paced(vertx, connections);
                } else {
                    connections.forEach(c -> run.loops(c, System.nanoTime()));
                }
            }).onFailure(run.done::completeExceptionally);
            case COLD -> {
                run.start = System.nanoTime();
                for (int i = 0; i < job.connections(); i++) {
                    connect(job.port()).onSuccess(c -> {
                        var _ = run.done.whenComplete((_, _) -> c.close());
                        run.loops(c, run.start);
                    }).onFailure(run.done::completeExceptionally);
                }
            }
        }
    }

    private Future<List<HttpClientConnection>> connect(Job job) {
        List<Future<HttpClientConnection>> all = new ArrayList<>();
        for (int i = 0; i < job.connections(); i++) {
            all.add(connect(job.port()));
        }
        return Future.all(all).map(f -> f.list());
    }

    private Future<HttpClientConnection> connect(int port) {
        return client.connect(new HttpConnectOptions().setHost(HOST).setPort(port).setSsl(true));
    }

    /** One job under way, on the one event loop. */
    private static final class Run {
        private final Job job;
        private final List<Stamp> stamps;
        private final RequestOptions head;
        private final long[] latencies;
        private final CompletableFuture<Job.Outcome> done = new CompletableFuture<>();
        private int begun;
        private int ended;
        private int bad;
        private long start;
        private String answer = "";

        private Run(Job job, List<Stamp> stamps) {
            this.job = job;
            this.stamps = stamps;
            this.head = new RequestOptions().setMethod(HttpMethod.POST).setHost(HOST).setPort(job.port()).setURI(job.path())
                    .putHeader("content-type", "application/json").setTimeout(TIMEOUT_MILLIS);
            this.latencies = new long[job.requests()];
        }

        private void loops(HttpClientConnection connection, long from) {
            for (int i = 0; i < job.streams(); i++) {
                next(connection, from);
            }
        }

        /** Sends what is due, each request at its own time; looks again when the next one is. */
        private void paced(Vertx vertx, List<HttpClientConnection> connections) {
            long now = System.nanoTime();
            while (begun < job.requests() && due(begun) <= now - start) {
                send(connections.get(begun % connections.size()), now, () -> {
                });
            }
            if (begun < job.requests()) {
                long wait = due(begun) - (System.nanoTime() - start);
                vertx.setTimer(Math.max(1, TimeUnit.NANOSECONDS.toMillis(wait)), _ -> paced(vertx, connections));
            }
        }

        private long due(int number) {
            return TimeUnit.SECONDS.toNanos(number) / job.perSecond();
        }

        private void next(HttpClientConnection connection, long from) {
            if (begun < job.requests()) {
                send(connection, from, () -> next(connection, System.nanoTime()));
            }
        }

        private void send(HttpClientConnection connection, long from, Runnable afterwards) {
            int number = begun++;
            Buffer body = Buffer.buffer(stamps.get(number % stamps.size()).with(number));
            connection.request(head).compose(r -> r.send(body)).compose(r -> r.body().map(b -> check(r.statusCode(), b)))
                    .onComplete(end -> {
                        latencies[number] = System.nanoTime() - from;
                        if (end.failed()) {
                            bad++;
                            answer = String.valueOf(end.cause());
                        }
                        if (++ended == job.requests()) {
                            done.complete(new Job.Outcome(System.nanoTime() - start, latencies, bad, answer));
                        } else {
                            afterwards.run();
                        }
                    });
        }

        private Buffer check(int status, Buffer reply) {
            if (status != 200 || !reply.toString(StandardCharsets.US_ASCII).contains("\"allowed\":true")) {
                throw new IllegalStateException("HTTP " + status + ": " + reply);
            }
            if (answer.isEmpty()) {
                answer = reply.toString();
            }
            return reply;
        }
    }
}
