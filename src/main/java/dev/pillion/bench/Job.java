package dev.pillion.bench;

import java.util.Base64;

import dev.pillion.api.Json;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * What the load process is to send: one body many times, in closed loops, each sending its next request when it has the answer to the last;
 * or at a steady rate, whether or not the ones before were answered.
 *
 * @param connections HTTP/2 connections
 * @param streams loops on each connection
 * @param requests in all, shared by the loops
 * @param perSecond of all connections together; 0: closed loops
 */
@SuppressWarnings("ArrayRecordComponent") // written once, never compared
record Job(int port, String path, byte[] body, int connections, int streams, int requests, int perSecond, Start start) {

    /** Which connections a job uses. */
    enum Start {
        /** Those of earlier jobs with the same port and number, opened before the clock runs. */
        OPEN,
        /** New ones, opened all at once while the clock runs, and closed afterwards: every first request counts from the very start. */
        COLD
    }

    /** One line. */
    String line() {
        return Json.write(Json.object().put("port", port).put("path", path).put("body", Base64.getEncoder().encodeToString(body))
                .put("connections", connections).put("streams", streams).put("requests", requests).put("perSecond", perSecond)
                .put("start", start.name()));
    }

    static Job of(String line) {
        JsonNode job = Json.read(line);
        return new Job(job.path("port").intValue(), Json.text(job, "path"), Base64.getDecoder().decode(Json.text(job, "body")),
                job.path("connections").intValue(), job.path("streams").intValue(), job.path("requests").intValue(),
                job.path("perSecond").intValue(),
                Start.valueOf(Json.text(job, "start")));
    }

    /**
     * What came of it.
     *
     * @param nanos from start to the last answer
     * @param latencies of each request, in ns
     * @param bad requests that were not answered with HTTP 200 and an admission
     * @param answer one of the answers, or what was wrong with the last bad one
     */
    @SuppressWarnings("ArrayRecordComponent") // written once, never compared
    record Outcome(long nanos, long[] latencies, int bad, String answer) {
        String line() {
            ObjectNode outcome = Json.object().put("nanos", nanos).put("bad", bad).put("answer", answer);
            var list = outcome.putArray("latencies");
            for (long latency : latencies) {
                list.add(latency);
            }
            return Json.write(outcome);
        }

        static Outcome of(String line) {
            JsonNode outcome = Json.read(line);
            JsonNode list = outcome.path("latencies");
            long[] latencies = new long[list.size()];
            for (int i = 0; i < latencies.length; i++) {
                latencies[i] = list.path(i).longValue();
            }
            return new Outcome(outcome.path("nanos").longValue(), latencies, outcome.path("bad").intValue(), Json.text(outcome, "answer"));
        }
    }
}
