package dev.pillion.api;

import java.util.Comparator;

/** Orders texts by their UTF-8 bytes, as the reference does everywhere; String.compareTo differs beyond U+FFFF. */
public final class ByteOrder {
    public static final Comparator<String> UTF8 = ByteOrder::compare;

    private ByteOrder() {
    }

    private static int compare(String a, String b) {
        int length = Math.min(a.length(), b.length());
        for (int i = 0; i < length; i++) {
            char left = a.charAt(i);
            char right = b.charAt(i);
            if (left != right) {
                return weight(left) - weight(right);
            }
        }
        return a.length() - b.length();
    }

    /** Puts surrogates, which stand for code points beyond U+FFFF, behind all other characters. */
    private static int weight(char c) {
        return Character.isSurrogate(c) ? c + 0x10000 : c;
    }
}
