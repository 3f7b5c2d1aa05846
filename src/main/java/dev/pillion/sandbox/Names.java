package dev.pillion.sandbox;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** Formats of names, labels and annotations, and the checks of an object's metadata. */
final class Names {
    static final String SUBDOMAIN_TEXT = "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an"
            + " alphanumeric character (e.g. 'example.com', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')";
    static final String LABEL_TEXT = "a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must start and end with an"
            + " alphanumeric character (e.g. 'my-name',  or '123-abc', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?')";
    private static final String LABEL_VALUE_TEXT = "a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', and must start and end with an"
            + " alphanumeric character (e.g. 'MyValue',  or 'my_value',  or '12345', regex used for validation is '(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?')";
    private static final String QUALIFIED_TEXT = "name part must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character"
            + " (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')";
    private static final Pattern SUBDOMAIN = Pattern.compile("[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*");
    private static final Pattern LABEL = Pattern.compile("[a-z0-9]([-a-z0-9]*[a-z0-9])?");
    private static final Pattern QUALIFIED = Pattern.compile("([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]");
    private static final int ANNOTATIONS_LIMIT = 256 * 1024;
    private static final Set<String> LABEL_NAMED = Set.of("namespaces", "services");

    private Names() {
    }

    static boolean isSubdomain(String name) {
        return name.length() <= 253 && SUBDOMAIN.matcher(name).matches();
    }

    static boolean isLabel(String name) {
        return name.length() <= 63 && LABEL.matcher(name).matches();
    }

    /** Checks `metadata` of an object that has been given its name. */
    static List<Cause> checkMetadata(ResourceType type, ObjectNode object) {
        List<Cause> faults = new ArrayList<>();
        JsonNode metadata = object.path("metadata");
        checkName(type, Trees.text(metadata, "name"), Trees.text(metadata, "generateName"), faults);
        checkTexts(metadata.path("labels"), "metadata.labels", faults);
        checkAnnotations(metadata.path("annotations"), faults);
        checkOwners(metadata.path("ownerReferences"), faults);
        JsonNode finalizers = metadata.path("finalizers");
        for (int i = 0; i < finalizers.size(); i++) {
            String finalizer = finalizers.path(i).asString("");
            if (!isQualified(finalizer)) {
                faults.add(Cause.invalid("metadata.finalizers[" + i + "]", quoted(finalizer), QUALIFIED_TEXT));
            }
        }
        return faults;
    }

    private static void checkName(ResourceType type, String name, String generateName, List<Cause> faults) {
        if (type.group().equals("rbac.authorization.k8s.io")) {
            if (name.isEmpty()) {
                faults.add(Cause.required("metadata.name", "name or generateName is required"));
            }
            return;
        }
        boolean label = LABEL_NAMED.contains(type.plural());
        if (!generateName.isEmpty()) {
            String stem = generateName.endsWith("-") ? generateName.substring(0, generateName.length() - 1) + "a" : generateName;
            if (label ? !isLabel(stem) : !isSubdomain(stem)) {
                faults.add(Cause.invalid("metadata.generateName", quoted(generateName), label ? LABEL_TEXT : SUBDOMAIN_TEXT));
            }
        }
        if (name.isEmpty()) {
            faults.add(Cause.required("metadata.name", "name or generateName is required"));
        } else if (label ? !isLabel(name) : !isSubdomain(name)) {
            faults.add(Cause.invalid("metadata.name", quoted(name), label ? LABEL_TEXT : SUBDOMAIN_TEXT));
        }
    }

    static void checkTexts(JsonNode labels, String field, List<Cause> faults) {
        labels.properties().forEach(entry -> {
            if (!isQualified(entry.getKey())) {
                faults.add(Cause.invalid(field, quoted(entry.getKey()), QUALIFIED_TEXT));
            }
            String value = entry.getValue().asString("");
            if (!isLabelValue(value)) {
                faults.add(Cause.invalid(field, quoted(value), LABEL_VALUE_TEXT));
            }
        });
    }

    private static void checkAnnotations(JsonNode annotations, List<Cause> faults) {
        long size = 0;
        for (Map.Entry<String, JsonNode> entry : annotations.properties()) {
            if (!isQualified(entry.getKey().toLowerCase(java.util.Locale.ROOT))) {
                faults.add(Cause.invalid("metadata.annotations", quoted(entry.getKey()), QUALIFIED_TEXT));
            }
            size += entry.getKey().length() + (long) entry.getValue().asString("").length();
        }
        if (size > ANNOTATIONS_LIMIT) {
            faults.add(Cause.tooLong("metadata.annotations", ANNOTATIONS_LIMIT));
        }
    }

    private static void checkOwners(JsonNode owners, List<Cause> faults) {
        int controllers = 0;
        for (int i = 0; i < owners.size(); i++) {
            JsonNode owner = owners.path(i);
            for (String member : List.of("apiVersion", "kind", "name", "uid")) {
                if (Trees.text(owner, member).isEmpty()) {
                    faults.add(Cause.invalid("metadata.ownerReferences." + member, "\"\"",
                            member.equals("apiVersion") ? "version must not be empty" : "must not be empty"));
                }
            }
            controllers += owner.path("controller").asBoolean(false) ? 1 : 0;
        }
        if (controllers > 1) {
            faults.add(Cause.invalid("metadata.ownerReferences", owners.toString(),
                    "Only one reference can have Controller set to true"));
        }
    }

    static boolean isQualified(String key) {
        int slash = key.indexOf('/');
        String name = key.substring(slash + 1);
        return (slash < 0 || isSubdomain(key.substring(0, slash))) && name.length() <= 63 && QUALIFIED.matcher(name).matches();
    }

    private static boolean isLabelValue(String value) {
        return value.isEmpty() || (value.length() <= 63 && QUALIFIED.matcher(value).matches());
    }

    static String quoted(String text) {
        return "\"" + text + "\"";
    }
}
