package dev.pillion.sandbox;

import java.net.ConnectException;
import java.net.URI;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpClient;
import io.vertx.core.http.HttpClientOptions;
import io.vertx.core.http.HttpClientRequest;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpVersion;
import io.vertx.core.http.RequestOptions;
import io.vertx.core.net.PemTrustOptions;
import io.vertx.core.net.SocketAddress;

import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** Calls admission and conversion webhooks over HTTPS, HTTP/2 where they offer it. Blocks, so it belongs on virtual threads. */
final class WebhookCalls {
    private static final int MOST_CLIENTS = 32;
    private final Vertx vertx;
    private final LinkedHashMap<String, HttpClient> clients = new LinkedHashMap<>();

    /** A call without a usable answer; the message is worded as the API server's own client does. */
    static final class Failed extends Exception {
        private static final long serialVersionUID = 1L;

        Failed(String message) {
            super(message, null, false, false);
        }

        String text() {
            return String.valueOf(getMessage());
        }
    }

    private record Answer(int code, Buffer body) {
    }

    WebhookCalls(Vertx vertx) {
        this.vertx = vertx;
    }

    /** Posts a review and answers the JSON object that comes back within the time. */
    ObjectNode post(WebhookTarget target, ObjectNode review, Duration timeout) throws Failed {
        String url = target.url() + (target.url().contains("?") ? "&" : "?") + "timeout=" + timeout.toSeconds() + "s";
        Answer answer = send(target, url, Buffer.buffer(Trees.bytes(review)), timeout);
        if (answer.code() < 200 || answer.code() > 299) {
            throw new Failed(refusal(answer));
        }
        try {
            if (Trees.MAPPER.readTree(answer.body().getBytes()) instanceof ObjectNode object) {
                return object;
            }
            throw new Failed("couldn't get version/kind; json parse error: the answer is no JSON object");
        } catch (JacksonException e) {
            throw new Failed("couldn't get version/kind; json parse error: " + e.getOriginalMessage());
        }
    }

    private Answer send(WebhookTarget target, String url, Buffer body, Duration timeout) throws Failed {
        URI uri = URI.create(url);
        RequestOptions options = new RequestOptions().setMethod(HttpMethod.POST).setSsl(true).setHost(uri.getHost()).setPort(target.port())
                .setServer(SocketAddress.inetSocketAddress(target.port(), target.host())).setURI(pathOf(uri))
                .putHeader("Content-Type", "application/json").putHeader("Accept", "application/json, */*")
                .putHeader("User-Agent", "kube-apiserver-admission");
        Future<HttpClientRequest> request = client(target.authority()).request(options);
        // Composed as Vert.x futures, which run on the connection's event loop: elsewhere the body could be over before anybody listens.
        CompletableFuture<Answer> answer = request.compose(open -> open.send(body)
                .compose(response -> response.body().map(bytes -> new Answer(response.statusCode(), bytes)))).toCompletionStage()
                .toCompletableFuture();
        try {
            return answer.get(timeout.toMillis(), TimeUnit.MILLISECONDS);
        } catch (TimeoutException _) {
            request.onSuccess(HttpClientRequest::reset);
            throw new Failed("Post \"" + url + "\": context deadline exceeded");
        } catch (ExecutionException e) {
            throw new Failed("Post \"" + url + "\": " + reason(target, e.getCause() == null ? e : e.getCause()));
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
            throw new Failed("Post \"" + url + "\": context canceled");
        }
    }

    /** One client per set of CAs, so a changed caBundle opens new connections, as on a real server. */
    private synchronized HttpClient client(String authority) {
        HttpClient there = clients.remove(authority);
        if (there == null) {
            HttpClientOptions options = new HttpClientOptions().setSsl(true).setUseAlpn(true).setProtocolVersion(HttpVersion.HTTP_2)
                    .setVerifyHost(true).setConnectTimeout(10_000);
            if (!authority.isEmpty()) {
                options.setTrustOptions(new PemTrustOptions().addCertValue(Buffer.buffer(authority)));
            }
            there = vertx.createHttpClient(options);
        }
        clients.put(authority, there);
        if (clients.size() > MOST_CLIENTS) {
            clients.pollFirstEntry().getValue().close();
        }
        return there;
    }

    private static String pathOf(URI uri) {
        String path = uri.getRawPath() == null || uri.getRawPath().isEmpty() ? "/" : uri.getRawPath();
        return uri.getRawQuery() == null ? path : path + "?" + uri.getRawQuery();
    }

    private static String reason(WebhookTarget target, Throwable cause) {
        for (Throwable at = cause; at != null; at = at.getCause()) {
            if (at instanceof ConnectException) {
                return "dial tcp " + target.host() + ":" + target.port() + ": connect: connection refused";
            }
            if (at instanceof java.security.cert.CertificateException || at instanceof javax.net.ssl.SSLException) {
                return "tls: failed to verify certificate: x509: " + at.getMessage();
            }
        }
        String text = String.valueOf(cause.getMessage());
        return text.contains("closed") ? "EOF" : text;
    }

    /** What the API server says about a webhook's HTTP error. */
    private static String refusal(Answer answer) {
        String body = answer.body().toString().trim();
        try {
            JsonNode status = Trees.MAPPER.readTree(answer.body().getBytes());
            if ("Status".equals(Trees.text(status, "kind")) && !Trees.text(status, "message").isEmpty()) {
                return Trees.text(status, "message");
            }
        } catch (JacksonException _) {
            // no Status: the code alone speaks
        }
        return switch (answer.code()) {
            case 400 -> "the server rejected our request for an unknown reason";
            case 401 -> "the server has asked for the client to provide credentials";
            case 403 -> "unknown";
            case 404 -> "the server could not find the requested resource";
            case 405 -> "the server does not allow this method on the requested resource";
            case 429 -> "the server has received too many requests and has asked us to try again later";
            case 503 -> "the server is currently unable to handle the request";
            case 504 -> "the server was unable to return a response in the time allotted, but may still be processing the request";
            default -> answer.code() < 500
                    ? "the server responded with the status code " + answer.code() + " but did not return more information"
                    : "an error on the server (\"" + body.replace("\"", "\\\"") + "\") has prevented the request from succeeding";
        };
    }
}
