package dev.pillion.sandbox;

import java.time.Clock;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;

/**
 * What the verbs of the REST layer share.
 *
 * @param uids makes uids of new objects
 * @param random makes the suffixes of generated names
 */
record Services(ObjectStore store, TypeRegistry types, AdmissionChain admission, ApplyPatch apply, Clock clock, Supplier<String> uids,
        RandomGenerator random) {
    private static final String SUFFIX_LETTERS = "bcdfghjklmnpqrstvwxz2456789";
    private static final int LONGEST_STEM = 58;

    /** Now, in whole seconds, as the API writes it. */
    String timestamp() {
        return timestamp(clock.instant());
    }

    static String timestamp(Instant moment) {
        return moment.truncatedTo(ChronoUnit.SECONDS).toString();
    }

    String generatedName(String stem) {
        StringBuilder name = new StringBuilder(stem.length() > LONGEST_STEM ? stem.substring(0, LONGEST_STEM) : stem);
        for (int i = 0; i < 5; i++) {
            name.append(SUFFIX_LETTERS.charAt(random.nextInt(SUFFIX_LETTERS.length())));
        }
        return name.toString();
    }
}
