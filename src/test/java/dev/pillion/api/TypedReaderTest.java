package dev.pillion.api;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.Random;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import tools.jackson.databind.node.ObjectNode;

/** Texts alike are read as if they were the first of their kind. First seed: -Dpillion.seed. */
final class TypedReaderTest {
    private static final long SEED = Long.getLong("pillion.seed", 0);
    private static final int MUTATIONS = 60_000;

    private static final String POD = """
            {"kind":"Pod","apiVersion":"v1","metadata":{"name":"web-7x9kq","uid":"705ab4f5-6393-11e8-b7cc-42010a800002",
             "labels":{"app":"web","index":"3","none":null},"annotations":{"note":"a \\"quoted\\" text\\n"},
             "creationTimestamp":"2026-03-01T12:00:00Z","generation":1234,"finalizers":["a.example/b"],
             "managedFields":[{"manager":"m","time":"2026-03-01T12:00:00Z","fieldsV1":{"f:x":{"k:{\\"name\\":\\"a\\"}":{}},"n":[1,-0.5]}}]},
             "spec":{"invented":"text","containers":[{"name":"app","image":"app:1","args":["--a"],
              "env":[{"name":"A","value":"one"},{"name":"B","value":"C:\\\\"}],"resources":{"limits":{"cpu":"100m","memory":1}},
              "livenessProbe":{"httpGet":{"port":"http","path":null}},"tty":true}]},"status":{}}
            """.strip();

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    private final TypedReader reader = new TypedReader("Pod", MemberTable.POD);

    TypedReaderTest() {
        assertThat(reader.known(bytes(POD))).isNull();
        assertThat(reader.read(bytes(POD))).isPresent();
        assertThat(reader.known(bytes(POD))).as("after the first one of its length").isNull();
        assertThat(reader.read(bytes(POD))).isPresent();
    }

    private void isReadLikeNew(byte[] text) {
        Optional<ObjectNode> alone = new TypedReader("Pod", MemberTable.POD).read(text);
        Optional<ObjectNode> read = reader.read(text);
        assertThat(read.isPresent()).as("read: %s", new String(text, StandardCharsets.UTF_8)).isEqualTo(alone.isPresent());
        read.ifPresent(object -> TypedObjectTest.sameAsTree(object, text));
    }

    @ParameterizedTest
    @CsvSource({"web-7x9kq, web-aaaaa", "705ab4f5, 00000000", "\"app\":\"web\", \"app\":\"api\"", "\"index\", \"other\"", "app:1, <pp>1",
            "2026-03-01T12:00:00Z, 2027-12-31T23:59:59Z", "\"one\", \"two\"", "web, w b"})
    void takesTheKnownPlacesOfTextsThatDifferInStrings(String old, String fresh) {
        byte[] text = bytes(POD.replace(old, fresh));

        assertThat(reader.known(text)).isNotNull();
        isReadLikeNew(text);
    }

    /** Where another value could be read in another way, or be wrong. */
    @ParameterizedTest
    @CsvSource({"web-7x9kq, web-\\u00e9", "web-7x9kq, web\"\"x9kq", "web-7x9kq, web\\\\x9kq", "2026-03-01T12:00:00Z, 2026-13-01T12:00:00Z",
            "2026-03-01T12:00:00Z, 2026-03-01 12:00:00Z", "100m, 100x", "\"http\", \"h\\ttp", "1234, 0234", "true, nope",
            "name\":\"a, nope\":\"a",
            "\"kind\", \"Kind\"", "--a, \"\"a", "web-7x9kq, web\u0001x9kq", "-0.5, -0.x"})
    void looksAtEverythingElseAnew(String old, String fresh) {
        byte[] text = bytes(POD.replace(old, fresh));

        assertThat(reader.known(text)).isNull();
        isReadLikeNew(text);
    }

    /** Half a character, and others of one length in bytes. */
    @ParameterizedTest
    @ValueSource(ints = {0xC3, 0x80, 0xFF})
    void bytesBeyondAsciiAreLookedAtAnew(int value) {
        byte[] text = bytes(POD);
        text[POD.indexOf("7x9kq")] = (byte) value;

        assertThat(reader.known(text)).isNull();
        isReadLikeNew(text);
    }

    @Test
    void whateverIsDoneToTheBytesNothingElseIsRead() {
        Random random = new Random(SEED);
        byte[] good = bytes(POD);
        String bits = "{}[]\":,\\u0eE.-+ntfz \n\t\u0001";
        int known = 0;
        for (int i = 0; i < MUTATIONS; i++) {
            byte[] bad = good.clone();
            for (int changes = 1 + random.nextInt(3); changes > 0; changes--) {
                int at = random.nextInt(bad.length);
                if (random.nextBoolean()) {
                    bad[at] = (byte) bits.charAt(random.nextInt(bits.length()));
                } else {
                    int from = random.nextInt(bad.length);
                    System.arraycopy(good, from, bad, at, Math.min(random.nextInt(12), bad.length - Math.max(from, at)));
                }
            }
            known += reader.known(bad) == null ? 0 : 1;
            isReadLikeNew(bad);
        }
        assertThat(known).isGreaterThan(MUTATIONS / 50);
    }

    /** One of another length, or longer than is kept, leaves nothing behind that another one could be taken for. */
    @Test
    void textsOfOtherLengthsAreReadOnTheirOwn() {
        for (int i = 0; i < 400; i++) {
            byte[] text = bytes(POD.replace("\"one\"", "\"" + "x".repeat(i * 100) + "\""));
            isReadLikeNew(text);
            isReadLikeNew(text);
            isReadLikeNew(text);
            assertThat(reader.known(text) == null).isEqualTo(text.length > 32 * 1024);
        }
    }
}
