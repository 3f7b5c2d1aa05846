package dev.pillion.it;

import static org.assertj.core.api.Assertions.assertThat;

/** A custom type for the contract tests: one member for each thing a schema can say. */
final class Definitions {
    static final String PATH = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";
    private static final String SCHEMA = """
            {"type":"object","properties":{
              "spec":{"type":"object","required":["size"],"properties":{
                "size":{"type":"integer","minimum":1,"maximum":9},
                "colour":{"type":"string","enum":["red","green"],"default":"red"},
                "code":{"type":"string","pattern":"^[a-z]+$","minLength":2,"maxLength":5},
                "limit":{"x-kubernetes-int-or-string":true},
                "free":{"type":"object","x-kubernetes-preserve-unknown-fields":true},
                "parts":{"type":"array","maxItems":3,"x-kubernetes-list-type":"map","x-kubernetes-list-map-keys":["name"],
                  "items":{"type":"object","required":["name"],"properties":{"name":{"type":"string"},"weight":{"type":"integer","default":1}}}},
                "tags":{"type":"array","x-kubernetes-list-type":"set","items":{"type":"string"}},
                "maybe":{"type":"string","nullable":true},
                "when":{"type":"string","format":"date-time"},
                "flags":{"type":"object","additionalProperties":{"type":"boolean"}}}},
              "status":{"type":"object","properties":{"ready":{"type":"integer"},
                "conditions":{"type":"array","items":{"type":"object","properties":{"type":{"type":"string"},"status":{"type":"string"}}}}}}}}""";
    private static final String COLUMNS = """
            [{"name":"Size","type":"integer","jsonPath":".spec.size"},{"name":"Colour","type":"string","jsonPath":".spec.colour"},
             {"name":"Ready","type":"string","jsonPath":".status.conditions[?(@.type==\\"Ready\\")].status"},
             {"name":"Free","type":"string","jsonPath":".spec.free","priority":1},
             {"name":"Age","type":"date","jsonPath":".metadata.creationTimestamp"}]""";

    private Definitions() {
    }

    /** Widgets of the group, cluster-wide, versions v1 (stored) and v1alpha1, converted as told. */
    static String widgets(String group, String conversion) {
        return """
                {"apiVersion":"apiextensions.k8s.io/v1","kind":"CustomResourceDefinition","metadata":{"name":"widgets.%s"},
                 "spec":{"group":"%s","scope":"Cluster","names":{"plural":"widgets","kind":"Widget","shortNames":["wd"]},%s
                  "versions":[{"name":"v1","served":true,"storage":true,"schema":{"openAPIV3Schema":%s},"subresources":{"status":{}},"additionalPrinterColumns":%s},
                   {"name":"v1alpha1","served":true,"storage":false,"schema":{"openAPIV3Schema":%s},"subresources":{"status":{}}}]}}"""
                .formatted(group, group, conversion, SCHEMA, COLUMNS, SCHEMA);
    }

    /** Creates the type if an earlier test has not, and waits until it is served. */
    static void serve(RawHttp http, String group, String conversion) {
        if (http.get("/apis/" + group + "/v1/widgets").code() == 200) {
            return;
        }
        RawHttp.Answer answer = http.post(PATH, widgets(group, conversion));
        assertThat(answer.code()).as(answer.message()).isEqualTo(201);
        Eventually.until("widgets." + group + " is established", () -> http.get(PATH + "/widgets." + group),
                a -> a.body().at("/status/conditions").toString().matches(
                        ".*\"type\":\"Established\"[^}]*\"status\":\"True\".*|.*\"status\":\"True\"[^}]*\"type\":\"Established\".*"));
        Eventually.until("widgets." + group + " is served", () -> http.get("/apis/" + group + "/v1/widgets").code() == 200);
    }

    static String widget(String group, String version, String name, String spec) {
        return "{\"apiVersion\":\"" + group + "/" + version + "\",\"kind\":\"Widget\",\"metadata\":{\"name\":\"" + name + "\"},\"spec\":"
                + spec + "}";
    }
}
