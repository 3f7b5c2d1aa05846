package dev.pillion.validate;

import java.util.List;
import java.util.Set;
import java.util.function.Function;

import dev.pillion.validate.FieldRefRules.Place;

import tools.jackson.databind.JsonNode;

/** Files that volumes project: key-to-path items, downward API items, trust bundles, modes (core-validation.md 8.2-8.5). */
final class FileRules {
    private static final int MAX_MODE = 0777;
    private static final int MAX_SIGNER_DOMAIN = 253;
    private static final int MAX_SIGNER = 571;
    private static final long MIN_EXPIRATION = 600;
    private static final long MAX_EXPIRATION = 1L << 32;
    private static final List<String> PROJECTIONS = List.of("secret", "configMap", "downwardAPI", "serviceAccountToken",
            "clusterTrustBundle");

    private final Faults faults;
    private final FieldRefRules references;
    private final SelectorRules selectors;

    FileRules(Faults faults) {
        this.faults = faults;
        this.references = new FieldRefRules(faults);
        this.selectors = new SelectorRules(faults);
    }

    void mode(JsonNode object, String member, String path) {
        if (Node.isSet(object, member) && Node.isOutside(Node.number(object, member), 0, MAX_MODE)) {
            faults.invalid(path + "." + member, "must be 0 to 0777 (511)");
        }
    }

    void keyToPath(JsonNode item, String path) {
        faults.present(path + ".key", Node.text(item, "key"));
        filePath(item, path + ".path");
        mode(item, "mode", path);
    }

    private void filePath(JsonNode item, String path) {
        faults.present(path, Node.text(item, "path"));
        faults.invalidEach(path, Formats.localFileName(Node.text(item, "path")));
    }

    /** Compatible: paths hang on the volume, without the item's index (core-validation.md 11). */
    void downward(JsonNode item, String path) {
        filePath(item, path + ".path");
        boolean field = Node.isSet(item, "fieldRef");
        boolean resource = Node.isSet(item, "resourceFieldRef");
        if (field) {
            references.field(item.path("fieldRef"), path + ".fieldRef", Place.VOLUME);
        }
        if (field && resource) {
            faults.invalid(path, "give fieldRef or resourceFieldRef, not both");
        } else if (resource) {
            references.resource(item.path("resourceFieldRef"), path + ".resourceFieldRef", Place.VOLUME);
        } else if (!field) {
            faults.required(path, "each item needs fieldRef or resourceFieldRef");
        }
        mode(item, "mode", path);
    }

    /** One source of a projected volume; used holds the paths of all sources so far. */
    void projection(JsonNode source, String volume, String path, Set<String> used) {
        for (String kind : List.of("secret", "configMap")) {
            if (Node.isSet(source, kind)) {
                JsonNode projection = source.path(kind);
                faults.present(path + "." + kind + ".name", Node.text(projection, "name"));
                List<JsonNode> items = Node.items(projection, "items");
                for (int k = 0; k < items.size(); k++) {
                    keyToPath(items.get(k), path + "." + kind + ".items[" + k + "]");
                    once(Node.text(items.get(k), "path"), volume, used);
                }
            }
        }
        for (JsonNode item : Node.items(source.path("downwardAPI"), "items")) {
            downward(item, path + ".downwardAPI");
            once(Node.text(item, "path"), volume, used);
        }
        if (Node.isSet(source, "serviceAccountToken")) {
            token(source.path("serviceAccountToken"), volume, path + ".serviceAccountToken");
        }
        if (Node.isSet(source, "clusterTrustBundle")) {
            bundle(source.path("clusterTrustBundle"), path + ".clusterTrustBundle");
            if (!used.add(Node.text(source.path("clusterTrustBundle"), "path"))) {
                faults.invalid(volume, "a path is used by two sources: give each its own");
            }
        }
        if (PROJECTIONS.stream().filter(p -> Node.isSet(source, p)).count() > 1) {
            faults.forbidden(path, "a source takes one of " + String.join(", ", PROJECTIONS) + ": split it");
        }
    }

    private void once(String path, String volume, Set<String> used) {
        if (!path.isEmpty() && !used.add(path)) {
            faults.invalid(volume, Faults.quoted(path) + " is used by two items: give each its own path");
        }
    }

    private void token(JsonNode token, String volume, String path) {
        if (Node.isOutside(Node.number(token, "expirationSeconds"), MIN_EXPIRATION, MAX_EXPIRATION)) {
            faults.invalid(path + ".expirationSeconds", "must be " + MIN_EXPIRATION + " to " + MAX_EXPIRATION);
        }
        String file = Node.text(token, "path");
        if (faults.present(volume + ".path", file)) {
            faults.invalidEach(volume + ".path", Formats.localFileName(file));
        }
    }

    private void bundle(JsonNode bundle, String path) {
        boolean named = Node.isSet(bundle, "name");
        boolean signed = Node.isSet(bundle, "signerName");
        if (named == signed) {
            if (named) {
                faults.invalid(path, "give name or signerName, not both");
            } else {
                faults.required(path, "needs name or signerName");
            }
        } else if (named) {
            String name = Node.text(bundle, "name");
            faults.present(path + ".name", name);
            bundleName(name, path + ".name");
            if (Node.isSet(bundle, "labelSelector")) {
                faults.invalid(path + ".labelSelector", "goes with signerName only: remove it");
            }
        } else {
            signer(Node.text(bundle, "signerName"), path + ".signerName");
            if (Node.isSet(bundle, "labelSelector")) {
                selectors.check(bundle.path("labelSelector"), path + ".labelSelector");
            }
        }
        filePath(bundle, path + ".path");
    }

    private void bundleName(String name, String path) {
        int colon = name.lastIndexOf(':');
        if (colon < 0) {
            faults.invalidEach(path, Formats.subdomain(name));
        } else if (colon == 0 || name.substring(0, colon).contains("/")) {
            faults.invalid(path, "the part before ':' must be a signer without '/'");
        } else {
            faults.invalidEach(path, Formats.subdomain(name.substring(colon + 1)));
        }
    }

    private void signer(String signer, String path) {
        if (signer.isEmpty()) {
            // Compatible: reported twice (core-validation.md 8.5 row 6).
            faults.required(path, "must not be empty");
            faults.required(path, "must be a domain, '/' and a path");
            return;
        }
        String[] parts = signer.split("/", -1);
        if (parts.length != 2) {
            faults.invalid(path, "must be a domain, one '/' and a path");
        } else {
            if (Formats.length(parts[0]) > MAX_SIGNER_DOMAIN) {
                faults.tooLong(path, MAX_SIGNER_DOMAIN);
            }
            firstProblem(parts[0].split("\\.", -1), Formats::label, path);
            if (!parts[0].contains(".")) {
                faults.invalid(path, "the domain needs a dot");
            }
            firstProblem(parts[1].split("\\.", -1), Formats::subdomain, path);
            if (Formats.length(signer) > MAX_SIGNER) {
                faults.tooLong(path, MAX_SIGNER);
            }
        }
    }

    private void firstProblem(String[] pieces, Function<String, List<String>> format, String path) {
        for (String piece : pieces) {
            List<String> problems = format.apply(piece);
            if (!problems.isEmpty()) {
                faults.invalidEach(path, problems);
                return;
            }
        }
    }
}
