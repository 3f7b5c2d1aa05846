package dev.pillion.bench;

import java.util.List;
import java.util.stream.IntStream;

import dev.pillion.api.Json;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * What the load process is to send: reviews of Pods, in closed loops, each sending its next request when it has the answer to the last; or
 * at a steady rate, whether or not the ones before were answered.
 *
 * @param connections HTTP/2 connections
 * @param streams loops on each connection
 * @param requests in all, shared by the loops
 * @param perSecond of all connections together; 0: closed loops
 */
record Job(int port, String path, Pods pods, int connections, int streams, int requests, int perSecond, Start start) {

    /**
     * The Pods of the reviews.
     *
     * @param variables of a Pod's first container
     * @param workloads that the Pods come from in turn; those of one differ in nothing but {@link SamplePods#OWN}
     */
    record Pods(int variables, int workloads) {
        /** The usual ones, all of one workload. */
        static final Pods USUAL = new Pods(SamplePods.USUAL_VARIABLES, 1);

        /** The review of the first Pod of each workload. */
        List<byte[]> reviews() {
            return IntStream.range(0, workloads).mapToObj(w -> Json.bytes(SamplePods.review(variables, w))).toList();
        }
    }

    /** Which connections a job uses. */
    enum Start {
        /** Those of earlier jobs with the same port and number, opened before the clock runs. */
        OPEN,
        /** New ones, opened all at once while the clock runs, and closed afterwards: every first request counts from the very start. */
        COLD
    }

    /** One line. */
    String line() {
        return Json.write(Json.object().put("port", port).put("path", path).put("variables", pods.variables)
                .put("workloads", pods.workloads).put("connections", connections).put("streams", streams).put("requests", requests)
                .put("perSecond", perSecond).put("start", start.name()));
    }

    static Job of(String line) {
        JsonNode job = Json.read(line);
        return new Job(job.path("port").intValue(), Json.text(job, "path"),
                new Pods(job.path("variables").intValue(), job.path("workloads").intValue()), job.path("connections").intValue(),
                job.path("streams").intValue(), job.path("requests").intValue(), job.path("perSecond").intValue(),
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
