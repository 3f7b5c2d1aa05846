package dev.pillion.kube;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;

/** Texts from between the quotes of JSON strings. */
final class JsonStrings {
    private JsonStrings() {
    }

    /** A text without escapes. */
    static String plain(byte[] bytes, int from, int to) {
        return new String(bytes, from, to - from, StandardCharsets.UTF_8);
    }

    /** A text with escapes. @throws UncheckedIOException when there is no such escape */
    static String text(byte[] bytes, int from, int to) {
        byte[] out = new byte[to - from];
        int length = 0;
        for (int i = from; i < to; i++) {
            byte b = bytes[i];
            if (b == '\\') {
                i++;
                if (bytes[i] == 'u') {
                    int c = unit(bytes, i + 1, to);
                    if (c >= 0x80) {
                        return beyondAscii(bytes, from, to);
                    }
                    b = (byte) c;
                    i += 4;
                } else {
                    b = escape(bytes[i]);
                }
            }
            out[length++] = b;
        }
        return plain(out, 0, length);
    }

    /** Escapes may be halves of one character, so they have to be put together as such. */
    private static String beyondAscii(byte[] bytes, int from, int to) {
        StringBuilder text = new StringBuilder(to - from);
        int done = from;
        for (int i = from; i < to; i++) {
            if (bytes[i] == '\\') {
                text.append(plain(bytes, done, i));
                i++;
                if (bytes[i] == 'u') {
                    text.append((char) unit(bytes, i + 1, to));
                    i += 4;
                } else {
                    text.append((char) escape(bytes[i]));
                }
                done = i + 1;
            }
        }
        return text.append(plain(bytes, done, to)).toString();
    }

    private static byte escape(byte letter) {
        return switch (letter) {
            case '"', '\\', '/' -> letter;
            case 'n' -> '\n';
            case 't' -> '\t';
            case 'r' -> '\r';
            case 'b' -> '\b';
            case 'f' -> '\f';
            default -> throw new UncheckedIOException(new IOException("the stream is no JSON: unknown escape"));
        };
    }

    private static int unit(byte[] bytes, int from, int to) {
        int unit = 0;
        for (int i = from; i < from + 4; i++) {
            int digit = i < to ? Character.digit(bytes[i], 16) : -1;
            if (digit < 0) {
                throw new UncheckedIOException(new IOException("the stream is no JSON: bad escape"));
            }
            unit = unit << 4 | digit;
        }
        return unit;
    }
}
