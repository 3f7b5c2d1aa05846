package dev.pillion.revision;

/** The text form of hashes that holds no vowels and looks like no word (api.md 5, step 5). */
final class SafeEncoding {
    private static final String ALPHABET = "bcdfghjklmnpqrstvwxz2456789";

    private SafeEncoding() {
    }

    /** Replaces every character by its code modulo 27. Compatible: api.md trap 1, "0" and "f" both become "4". */
    static String of(String ascii) {
        StringBuilder out = new StringBuilder(ascii.length());
        ascii.chars().forEach(c -> out.append(ALPHABET.charAt(c % ALPHABET.length())));
        return out.toString();
    }
}
