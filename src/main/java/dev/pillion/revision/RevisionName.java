package dev.pillion.revision;

import java.nio.charset.StandardCharsets;

/** Hash and name of a ControllerRevision, made of its data alone (api.md 4.3, rollout.md 3.2). */
public final class RevisionName {
    private static final int FNV_START = 0x811c9dc5;
    private static final int FNV_PRIME = 16777619;
    /** Leaves room for "-" and the hash in a name of 253. */
    private static final int LONGEST_PREFIX = 223;

    private RevisionName() {
    }

    /** FNV-1, 32 bits, over the data and the decimal text of the collision count; unsigned decimal text in safe encoding. */
    public static String hash(String data, int collisionCount) {
        int hash = FNV_START;
        for (byte b : (data + collisionCount).getBytes(StandardCharsets.UTF_8)) {
            hash = (hash * FNV_PRIME) ^ (b & 0xff);
        }
        return SafeEncoding.of(Integer.toUnsignedString(hash));
    }

    public static String of(String setName, String hash) {
        return setName.substring(0, Math.min(setName.length(), LONGEST_PREFIX)) + "-" + hash;
    }
}
