package dev.pillion.shard;

/**
 * How this process takes part.
 *
 * @param identity unique for this start of this process
 * @param times settings lease.*
 */
public record ShardOptions(String identity, LeaseTimes times) {
}
