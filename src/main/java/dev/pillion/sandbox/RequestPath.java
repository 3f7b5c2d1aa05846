package dev.pillion.sandbox;

import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * A path below /api or /apis, taken apart.
 *
 * @param group "" for core
 * @param name "" for collections
 * @param subresource "" for the object itself
 */
record RequestPath(String group, String version, String namespace, String plural, String name, String subresource) {

    /** Empty for paths that name no resource, such as discovery. */
    static Optional<RequestPath> parse(String path) {
        List<String> parts = parts(path);
        boolean core = !parts.isEmpty() && parts.getFirst().equals("api");
        boolean grouped = !parts.isEmpty() && parts.getFirst().equals("apis");
        int skip = core ? 2 : 3;
        if ((!core && !grouped) || parts.size() <= skip) {
            return Optional.empty();
        }
        String group = core ? "" : parts.get(1);
        String version = parts.get(skip - 1);
        List<String> rest = parts.subList(skip, parts.size());
        String namespace = "";
        if (rest.getFirst().equals("namespaces") && rest.size() > 2 && !(core && isNamespacePart(rest.get(2)) && rest.size() == 3)) {
            namespace = rest.get(1);
            rest = rest.subList(2, rest.size());
        }
        if (rest.size() > 3) {
            return Optional.empty();
        }
        return Optional.of(new RequestPath(group, version, namespace, rest.getFirst(), rest.size() > 1 ? rest.get(1) : "",
                rest.size() > 2 ? rest.get(2) : ""));
    }

    private static boolean isNamespacePart(String part) {
        return part.equals("status") || part.equals("finalize");
    }

    static List<String> parts(String path) {
        List<String> parts = new ArrayList<>();
        for (String part : List.of(path.split("/", -1))) {
            if (!part.isEmpty()) {
                parts.add(URLDecoder.decode(part.replace("+", "%2B"), StandardCharsets.UTF_8));
            }
        }
        return parts;
    }
}
