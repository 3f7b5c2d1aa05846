package dev.pillion.sandbox;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServerRequest;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** The door: takes requests from Vert.x, answers each on a virtual thread of its own, and turns whatever goes wrong into a Status. */
final class ApiServer {
    private static final Logger LOG = LoggerFactory.getLogger(ApiServer.class);
    private static final int LARGEST_BODY = 3 * 1024 * 1024;
    private static final Set<String> HEALTH = Set.of("healthz", "livez", "readyz");
    private final ResourceHandler resources;
    private final Discovery discovery;
    private final OpenApi openApi;
    private final Executor threads;
    private final Stall stall;
    private final Set<Thread> running = ConcurrentHashMap.newKeySet();

    ApiServer(ResourceHandler resources, TypeRegistry types, Executor threads) {
        this.resources = resources;
        this.discovery = new Discovery(types);
        this.openApi = new OpenApi(types, discovery);
        this.threads = threads;
        this.stall = new Stall(threads);
    }

    Stall stall() {
        return stall;
    }

    /** Called on an event loop. */
    void accept(HttpServerRequest request) {
        String length = request.getHeader("Content-Length");
        if (length != null && length.length() < 12 && Long.parseLong(length) > LARGEST_BODY) {
            ApiError tooLarge = ApiError.of(413, "RequestEntityTooLarge", "Request entity too large: limit is " + LARGEST_BODY);
            request.response().setStatusCode(413).putHeader("Content-Type", "application/json").end(tooLarge.toStatus().toString());
            return;
        }
        if (Exchange.isUpgrade(request)) {
            // Must stay unread until the handshake.
            request.pause();
            threads.execute(() -> serve(new Exchange(request, new byte[0])));
            return;
        }
        request.body().onSuccess(body -> {
            Exchange exchange = new Exchange(request, body.getBytes());
            if (exchange.parameters().flag("watch")) {
                // Watches are served from the server's cache and begin without the store.
                threads.execute(() -> serve(exchange));
            } else {
                stall.run(exchange.method().equals(HttpMethod.GET) ? Stall.Order.ANY : Stall.Order.ARRIVAL, () -> serve(exchange));
            }
        });
    }

    /** Interrupts the watches that are under way. */
    void stop() {
        running.forEach(Thread::interrupt);
    }

    private void serve(Exchange exchange) {
        running.add(Thread.currentThread());
        try {
            route(exchange);
        } catch (ApiError e) {
            refuse(exchange, e);
        } catch (InterruptedException _) {
            // The client or the server is going; there is nobody to answer.
            exchange.breakOff();
        } catch (RuntimeException e) {
            LOG.atError().setMessage("request failed").addKeyValue("method", exchange.method()).addKeyValue("path", exchange.path())
                    .setCause(e)
                    .log();
            refuse(exchange, ApiError.internal(String.valueOf(e)));
        } finally {
            running.remove(Thread.currentThread());
        }
    }

    private static void refuse(Exchange exchange, ApiError error) {
        if (exchange.hasBegun()) {
            exchange.breakOff();
            return;
        }
        try {
            exchange.send(error.code(), error.toStatus());
        } catch (InterruptedException _) {
            exchange.breakOff();
        }
    }

    private void route(Exchange exchange) throws InterruptedException {
        Optional<RequestPath> resource = RequestPath.parse(exchange.path());
        if (resource.isPresent() && resource.get().group().equals("authorization.k8s.io")) {
            exchange.send(201, allowed(Trees.body(exchange.body())));
            return;
        }
        if (resource.isPresent() && !discovery.knows(resource.get().group(), resource.get().version())) {
            exchange.send(404, "text/plain; charset=utf-8", "404 page not found\n".getBytes(StandardCharsets.UTF_8));
        } else if (resource.isPresent()) {
            resources.handle(resource.get(), exchange);
        } else {
            other(exchange);
        }
    }

    /** Paths that name no resource. */
    private void other(Exchange exchange) throws InterruptedException {
        List<String> path = RequestPath.parts(exchange.path());
        if (path.isEmpty()) {
            ObjectNode roots = Trees.object();
            List.of("/api", "/apis", "/openapi/v3", "/version", "/healthz").forEach(roots.putArray("paths")::add);
            exchange.send(200, roots);
        } else if (HEALTH.contains(path.getFirst())) {
            exchange.send(200, "text/plain", new byte[]{'o', 'k'});
        } else if (path.equals(List.of("version"))) {
            exchange.send(200, version());
        } else {
            Shape.of(exchange);
            Optional<ObjectNode> answer = path.size() >= 2 && path.subList(0, 2).equals(List.of("openapi", "v3"))
                    ? openApi.answer(path.subList(2, path.size()))
                    : discovery.answer(path);
            exchange.send(200, answer.orElseThrow(ApiError::unknownPath));
        }
    }

    private static ObjectNode version() {
        return Trees.object().put("major", "1").put("minor", "36").put("gitVersion", "v1.36.3").put("gitCommit", "")
                .put("gitTreeState", "clean")
                .put("buildDate", "2026-01-01T00:00:00Z").put("goVersion", "").put("compiler", "").put("platform", "sandbox");
    }

    /** Access reviews: everybody may do everything. */
    private static ObjectNode allowed(JsonNode body) {
        if (!(body instanceof ObjectNode review)) {
            throw ApiError.badRequest("the review is not an object");
        }
        ObjectNode status = review.putObject("status");
        if (Trees.text(review, "kind").equals("SelfSubjectRulesReview")) {
            ObjectNode rule = status.putArray("resourceRules").addObject();
            for (String member : List.of("verbs", "apiGroups", "resources")) {
                rule.putArray(member).add("*");
            }
            status.putArray("nonResourceRules");
            status.put("incomplete", false);
        } else {
            status.put("allowed", true);
        }
        return review;
    }
}
