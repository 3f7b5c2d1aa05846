package dev.pillion.it;

/** JSON of small objects for the contract tests. */
final class Pods {
    private Pods() {
    }

    /** A pod with the containers `main` and `side`; extra: more members of its metadata, each followed by a comma, or "". */
    static String pod(String name, String extra) {
        return """
                {"apiVersion":"v1","kind":"Pod","metadata":{%s"name":"%s","labels":{"app":"web"}},"spec":{"containers":[
                 {"name":"main","image":"nginx:1"},{"name":"side","image":"envoy:1","env":[{"name":"A","value":"1"}]}]}}""".formatted(extra,
                name);
    }

    /** A strategic merge patch body that sets images: `container=image`, in this order. */
    static String images(String... pairs) {
        StringBuilder list = new StringBuilder();
        for (String pair : pairs) {
            String[] parts = pair.split("=", 2);
            list.append(list.isEmpty() ? "" : ",").append("{\"name\":\"%s\",\"image\":\"%s\"}".formatted(parts[0], parts[1]));
        }
        return "{\"spec\":{\"containers\":[" + list + "]}}";
    }

    static String configMap(String name, String extra) {
        return "{\"apiVersion\":\"v1\",\"kind\":\"ConfigMap\",\"metadata\":{%s\"name\":\"%s\"},\"data\":{\"k\":\"v\"}}".formatted(extra,
                name);
    }
}
