package dev.pillion.bench;

import java.util.List;

import dev.pillion.api.Json;

import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** Pods to measure with, in the review that an API server sends when a ReplicaSet creates one: defaults filled in, token mounted. */
final class SamplePods {
    static final String NAMESPACE = "shop";
    /** What differs between the Pods of one workload: the review's uid, and the end of the name of the token's volume. */
    static final List<String> OWN = List.of("42010a800002", "8xk2m");
    static final int USUAL_VARIABLES = 10;
    /** Characters that the review of one workload is longer than that of the one before. */
    private static final int LONGER = 3;

    private SamplePods() {
    }

    /** The review of a Pod of three containers with 10 variables each, about 8 KiB. */
    static ObjectNode review() {
        return review(USUAL_VARIABLES);
    }

    /** The same Pod with so many variables in its first container. */
    static ObjectNode review(int variables) {
        return review(variables, 0);
    }

    /** The first Pod of one of many workloads, whose reviews differ in length. */
    static ObjectNode review(int variables, int workload) {
        ObjectNode root = Json.object().put("kind", "AdmissionReview").put("apiVersion", "admission.k8s.io/v1");
        ObjectNode request = root.putObject("request").put("uid", "705ab4f5-6393-11e8-b7cc-" + OWN.getFirst());
        request.putObject("kind").put("group", "").put("version", "v1").put("kind", "Pod");
        request.putObject("resource").put("group", "").put("version", "v1").put("resource", "pods");
        request.putObject("requestKind").put("group", "").put("version", "v1").put("kind", "Pod");
        request.putObject("requestResource").put("group", "").put("version", "v1").put("resource", "pods");
        request.put("namespace", NAMESPACE).put("operation", "CREATE");
        request.putObject("userInfo").put("username", "system:serviceaccount:kube-system:replicaset-controller").putArray("groups")
                .add("system:serviceaccounts").add("system:serviceaccounts:kube-system").add("system:authenticated");
        request.set("object", pod(variables, workload));
        request.putNull("oldObject").put("dryRun", false);
        request.putObject("options").put("kind", "CreateOptions").put("apiVersion", "meta.k8s.io/v1");
        return root;
    }

    private static ObjectNode pod(int variables, int workload) {
        ObjectNode pod = Json.object().put("kind", "Pod").put("apiVersion", "v1");
        ObjectNode metadata = pod.putObject("metadata").put("generateName", "web-7d4b9c6f5-").put("namespace", NAMESPACE)
                .putNull("creationTimestamp");
        metadata.putObject("labels").put("app", "web").put("tier", "backend").put("team", "checkout").put("version", "2024.11.3")
                .put("pod-template-hash", "7d4b9c6f5");
        metadata.putObject("annotations").put("example.com/scrape", "true").put("example.com/port", "9102").put("example.com/config-hash",
                "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08" + "0".repeat(LONGER * workload));
        metadata.putArray("ownerReferences").addObject().put("apiVersion", "apps/v1").put("kind", "ReplicaSet").put("name", "web-7d4b9c6f5")
                .put("uid", "5f0a7f0e-9c0e-4f8e-8d62-0f1f6f0a7b11").put("controller", true).put("blockOwnerDeletion", true);
        managedFields(metadata.putArray("managedFields").addObject());
        ObjectNode spec = pod.putObject("spec");
        volumes(spec.putArray("volumes"));
        ArrayNode containers = spec.putArray("containers");
        container(containers.addObject(), "app", variables);
        container(containers.addObject(), "cache", USUAL_VARIABLES);
        container(containers.addObject(), "exporter", USUAL_VARIABLES);
        spec.put("restartPolicy", "Always").put("terminationGracePeriodSeconds", 30).put("dnsPolicy", "ClusterFirst")
                .put("serviceAccountName", "web").put("serviceAccount", "web").put("schedulerName", "default-scheduler");
        spec.putObject("securityContext").put("runAsNonRoot", true).put("fsGroup", 1000);
        spec.putArray("imagePullSecrets").addObject().put("name", "registry");
        for (String taint : new String[]{"node.kubernetes.io/not-ready", "node.kubernetes.io/unreachable"}) {
            spec.withArrayProperty("tolerations").addObject().put("key", taint).put("operator", "Exists").put("effect", "NoExecute")
                    .put("tolerationSeconds", 300);
        }
        spec.put("priority", 0).put("enableServiceLinks", true).put("preemptionPolicy", "PreemptLowerPriority");
        pod.putObject("status");
        return pod;
    }

    private static void managedFields(ObjectNode entry) {
        entry.put("manager", "kube-controller-manager").put("operation", "Update").put("apiVersion", "v1")
                .put("time", "2025-06-01T10:00:00Z").put("fieldsType", "FieldsV1");
        ObjectNode fields = entry.putObject("fieldsV1");
        ObjectNode labels = fields.putObject("f:metadata").putObject("f:labels");
        for (String label : new String[]{"app", "tier", "team", "version", "pod-template-hash"}) {
            labels.putObject("f:" + label);
        }
        for (String container : new String[]{"app", "cache", "exporter"}) {
            ObjectNode owned = fields.withObjectProperty("f:spec").withObjectProperty("f:containers")
                    .putObject("k:{\"name\":\"" + container + "\"}");
            for (String member : new String[]{".", "f:env", "f:image", "f:name", "f:ports", "f:resources", "f:volumeMounts"}) {
                owned.putObject(member);
            }
        }
    }

    private static void volumes(ArrayNode volumes) {
        volumes.addObject().put("name", "data").putObject("emptyDir");
        volumes.addObject().put("name", "config").putObject("configMap").put("name", "web").put("defaultMode", 420);
        ObjectNode token = volumes.addObject().put("name", "kube-api-access-" + OWN.getLast()).putObject("projected").put("defaultMode",
                420);
        ArrayNode sources = token.putArray("sources");
        sources.addObject().putObject("serviceAccountToken").put("expirationSeconds", 3607).put("path", "token");
        sources.addObject().putObject("configMap").put("name", "kube-root-ca.crt").putArray("items").addObject().put("key", "ca.crt")
                .put("path", "ca.crt");
        sources.addObject().putObject("downwardAPI").putArray("items").addObject().put("path", "namespace").putObject("fieldRef")
                .put("apiVersion", "v1").put("fieldPath", "metadata.namespace");
    }

    private static void container(ObjectNode container, String name, int variables) {
        container.put("name", name).put("image", "registry.example/shop/" + name + ":2024.11.3");
        container.putArray("args").add("--config=/etc/" + name + "/config.yaml").add("--log-level=info");
        container.putArray("ports").addObject().put("name", "http").put("containerPort", 8080).put("protocol", "TCP");
        ArrayNode env = container.putArray("env");
        for (int i = 0; i < variables; i++) {
            env.addObject().put("name", "SETTING_" + i).put("value", "value " + i + " of " + name);
        }
        env.addObject().put("name", "POD_IP").putObject("valueFrom").putObject("fieldRef").put("apiVersion", "v1").put("fieldPath",
                "status.podIP");
        ObjectNode resources = container.putObject("resources");
        resources.putObject("limits").put("cpu", "1").put("memory", "1Gi");
        resources.putObject("requests").put("cpu", "250m").put("memory", "512Mi");
        ArrayNode mounts = container.putArray("volumeMounts");
        mounts.addObject().put("name", "data").put("mountPath", "/var/lib/" + name);
        mounts.addObject().put("name", "config").put("mountPath", "/etc/" + name).put("readOnly", true);
        mounts.addObject().put("name", "kube-api-access-" + OWN.getLast()).put("readOnly", true).put("mountPath",
                "/var/run/secrets/kubernetes.io/serviceaccount");
        ObjectNode probe = container.putObject("readinessProbe");
        probe.putObject("httpGet").put("path", "/ready").put("port", "http").put("scheme", "HTTP");
        probe.put("timeoutSeconds", 1).put("periodSeconds", 10).put("successThreshold", 1).put("failureThreshold", 3);
        container.put("terminationMessagePath", "/dev/termination-log").put("terminationMessagePolicy", "File").put("imagePullPolicy",
                "IfNotPresent");
        container.putObject("securityContext").put("allowPrivilegeEscalation", false).putObject("capabilities").putArray("drop").add("ALL");
    }
}
