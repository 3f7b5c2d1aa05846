package dev.pillion.admission;

/**
 * The bytes to send with HTTP 200.
 *
 * @param code code inside the answer, for metrics: 200, or that of the denial
 */
@SuppressWarnings("ArrayRecordComponent") // handed on once, never compared
record Reply(byte[] body, int code) {
}
