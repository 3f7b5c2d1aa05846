package dev.pillion.cli;

import java.io.PrintWriter;
import java.util.function.Supplier;

import dev.pillion.kube.KubeException;

/** Reads that an answer can do without: users of a command need not be allowed to see everything. */
final class Gentle {
    private static final int FORBIDDEN = 403;

    private Gentle() {
    }

    /** The value, or when reading it is forbidden the other one and a note. */
    static <T> T read(String what, Supplier<T> read, T otherwise, PrintWriter err) {
        try {
            return read.get();
        } catch (KubeException e) {
            if (e.code() != FORBIDDEN) {
                throw e;
            }
            err.println("note: " + what + " may not be read and count as unknown: " + e.getMessage());
            return otherwise;
        }
    }
}
