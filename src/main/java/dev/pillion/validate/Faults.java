package dev.pillion.validate;

import java.util.ArrayList;
import java.util.List;

import dev.pillion.validate.Fault.Kind;

/** Collects faults. Equal kind and path may occur more than once (core-validation.md 1). */
final class Faults {
    private final List<Fault> faults = new ArrayList<>();

    void required(String path, String text) {
        faults.add(new Fault(Kind.REQUIRED, path, text));
    }

    void invalid(String path, String text) {
        faults.add(new Fault(Kind.INVALID, path, text));
    }

    /** One Invalid for each problem a format reports. */
    void invalidEach(String path, List<String> problems) {
        problems.forEach(p -> invalid(path, p));
    }

    void forbidden(String path, String text) {
        faults.add(new Fault(Kind.FORBIDDEN, path, text));
    }

    void duplicate(String path, String value) {
        faults.add(new Fault(Kind.DUPLICATE, path, quoted(value) + " is used more than once: give each its own"));
    }

    void notFound(String path, String text) {
        faults.add(new Fault(Kind.NOT_FOUND, path, text));
    }

    void tooLong(String path, int limit) {
        faults.add(new Fault(Kind.TOO_LONG, path, "is longer than " + limit + " bytes: shorten it"));
    }

    /** NotSupported unless the value is one of the allowed. */
    void oneOf(String path, String value, List<String> allowed) {
        if (!allowed.contains(value)) {
            faults.add(new Fault(Kind.NOT_SUPPORTED, path, quoted(value) + " is not supported: use one of " + String.join(", ", allowed)));
        }
    }

    /** Required when empty, else NotSupported unless the value is one of the allowed. */
    void requiredOneOf(String path, String value, List<String> allowed) {
        if (value.isEmpty()) {
            required(path, "must be one of " + String.join(", ", allowed));
        } else {
            oneOf(path, value, allowed);
        }
    }

    /** Required when the value is empty; says whether it was given. */
    boolean present(String path, String value) {
        if (value.isEmpty()) {
            required(path, "must be given");
            return false;
        }
        return true;
    }

    void addAll(List<Fault> more) {
        faults.addAll(more);
    }

    int size() {
        return faults.size();
    }

    List<Fault> list() {
        return List.copyOf(faults);
    }

    static String quoted(String value) {
        return "\"" + value + "\"";
    }
}
