package dev.pillion.match;

/** One label: key and value. */
record LabelPair(String key, String value) {
}
