package dev.pillion.inject;

import java.time.Instant;
import java.util.random.RandomGenerator;

/**
 * What one request takes from the outside world.
 *
 * @param now goes into the hash annotations, cut to whole seconds
 * @param draw in [0,1), decides between revision and latest (injection.md 5)
 * @param nameSuffix five characters for a generated name (neighbours.md 1.2)
 */
public record Moment(Instant now, double draw, String nameSuffix) {
    private static final String ALPHABET = "bcdfghjklmnpqrstvwxz2456789";
    private static final int SUFFIX_LENGTH = 5;

    public static Moment of(Instant now, RandomGenerator random) {
        double draw = random.nextDouble();
        StringBuilder suffix = new StringBuilder();
        for (int i = 0; i < SUFFIX_LENGTH; i++) {
            suffix.append(ALPHABET.charAt(random.nextInt(ALPHABET.length())));
        }
        return new Moment(now, draw, suffix.toString());
    }
}
