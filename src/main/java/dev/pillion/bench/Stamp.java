package dev.pillion.bench;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/** Makes a Pod's review one of another Pod of the same workload. */
final class Stamp {
    private static final String DIGITS = "0123456789";

    private final byte[] body;
    /** Where each text of {@link SamplePods#OWN} ends. */
    private final List<List<Integer>> ends = new ArrayList<>();

    /** @param body not changed */
    Stamp(byte[] body) {
        this.body = body;
        // One character for each byte.
        String text = new String(body, StandardCharsets.ISO_8859_1);
        for (String own : SamplePods.OWN) {
            List<Integer> found = new ArrayList<>();
            for (int at = text.indexOf(own); at >= 0; at = text.indexOf(own, at + 1)) {
                found.add(at + own.length());
            }
            ends.add(found);
        }
    }

    /** A copy with the number in the place of each text, as far as it has room for its digits. */
    byte[] with(int number) {
        byte[] stamped = body.clone();
        for (int i = 0; i < ends.size(); i++) {
            for (int end : ends.get(i)) {
                int rest = number;
                for (int at = end - 1; at >= end - SamplePods.OWN.get(i).length(); at--) {
                    stamped[at] = (byte) DIGITS.charAt(rest % DIGITS.length());
                    rest /= DIGITS.length();
                }
            }
        }
        return stamped;
    }
}
