package dev.pillion.validate;

import java.util.List;

import tools.jackson.databind.JsonNode;

/** Probes and lifecycle handlers (core-validation.md 5). */
final class HandlerRules {
    private static final List<String> PROBE_HANDLERS = List.of("exec", "httpGet", "tcpSocket", "grpc");
    private static final List<String> LIFECYCLE_HANDLERS = List.of("exec", "httpGet", "tcpSocket", "sleep");
    private static final List<String> PROBE_NUMBERS = List.of("initialDelaySeconds", "timeoutSeconds", "periodSeconds", "successThreshold",
            "failureThreshold");
    private static final int MAX_PORT = 65535;
    private static final int GRACE_PERIOD = 30;

    private final Faults faults;

    HandlerRules(Faults faults) {
        this.faults = faults;
    }

    /** The three probes of a container. */
    void probes(JsonNode container, String path) {
        for (String probe : List.of("livenessProbe", "readinessProbe", "startupProbe")) {
            if (Node.isSet(container, probe)) {
                probe(container.path(probe), path + "." + probe, probe.equals("readinessProbe"));
            }
        }
    }

    private void probe(JsonNode probe, String path, boolean readiness) {
        handler(probe, path, PROBE_HANDLERS);
        for (String member : PROBE_NUMBERS) {
            if (Node.number(probe, member) < 0) {
                faults.invalid(path + "." + member, "must not be negative");
            }
        }
        String grace = path + ".terminationGracePeriodSeconds";
        if (Node.isSet(probe, "terminationGracePeriodSeconds")) {
            if (Node.number(probe, "terminationGracePeriodSeconds") <= 0) {
                faults.invalid(grace, "must be greater than 0");
            }
            if (readiness) {
                faults.invalid(grace, "must not be given for a readiness probe: it never ends a container");
            }
        }
        if (!readiness && Node.number(probe, "successThreshold") != 1) {
            faults.invalid(path + ".successThreshold", "must be 1 for this kind of probe");
        }
    }

    void lifecycle(JsonNode container, String path) {
        JsonNode lifecycle = container.path("lifecycle");
        for (String hook : List.of("postStart", "preStop")) {
            if (Node.isSet(lifecycle, hook)) {
                handler(lifecycle.path(hook), path + ".lifecycle." + hook, LIFECYCLE_HANDLERS);
            }
        }
    }

    /** Section 5.1: the first handler is checked by content, every further one is forbidden. */
    private void handler(JsonNode node, String path, List<String> kinds) {
        boolean found = false;
        for (String kind : kinds) {
            if (!Node.isSet(node, kind)) {
                continue;
            }
            if (found) {
                faults.forbidden(path + "." + kind, "only one handler may be given: remove the others");
            } else {
                found = true;
                content(kind, node.path(kind), path + "." + kind);
            }
        }
        if (!found) {
            faults.required(path, "needs one handler of " + String.join(", ", kinds));
        }
    }

    private void content(String kind, JsonNode handler, String path) {
        switch (kind) {
            case "exec" -> {
                if (Node.items(handler, "command").isEmpty()) {
                    faults.required(path + ".command", "must name the command to run");
                }
            }
            case "httpGet" -> {
                faults.present(path + ".path", Node.text(handler, "path"));
                port(handler.path("port"), path + ".port");
                faults.oneOf(path + ".scheme", Node.text(handler, "scheme"), List.of("HTTP", "HTTPS"));
                for (JsonNode header : Node.items(handler, "httpHeaders")) {
                    if (!Formats.isHeaderName(Node.text(header, "name"))) {
                        faults.invalid(path + ".httpHeaders", "a header name must be letters, digits and '-'");
                    }
                }
            }
            case "tcpSocket" -> port(handler.path("port"), path + ".port");
            case "grpc" -> number(Node.number(handler, "port"), path + ".port");
            default -> {
                if (Node.isOutside(Node.number(handler, "seconds"), 1, GRACE_PERIOD)) {
                    faults.invalid(path, "seconds must be 1 to " + GRACE_PERIOD + ", the grace period of a pod");
                }
            }
        }
    }

    private void port(JsonNode port, String path) {
        if (port.isString()) {
            faults.invalidEach(path, Formats.portName(port.stringValue()));
        } else {
            number(port.asLong(0), path);
        }
    }

    private void number(long port, String path) {
        if (Node.isOutside(port, 1, MAX_PORT)) {
            faults.invalid(path, port + " is no port: give 1 to " + MAX_PORT);
        }
    }
}
