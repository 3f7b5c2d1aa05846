package dev.pillion.config;

import java.util.List;

/** What came of reading the settings. */
public sealed interface Reading {
    /** All settings are allowed. */
    record Loaded(Config config) implements Reading {
    }

    /** At least one is not; the start must end. */
    record Rejected(List<Problem> problems) implements Reading {
        public Rejected {
            problems = List.copyOf(problems);
        }
    }

    /** One key or value that is not allowed, where it stood, and what would be. */
    record Problem(String where, String key, String value, String allowed) {
        /** The sentence for the user. */
        public String message() {
            return where + ": " + key + (value.isEmpty() ? "" : " = \"" + value + "\"") + " is not allowed; allowed: " + allowed;
        }
    }
}
