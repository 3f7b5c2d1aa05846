package dev.pillion.api;

/** Names a SidecarSet. The kind is cluster-scoped, so the name is the key of queue, inbox and ledger. */
public record SetKey(String name) {
    @Override
    public String toString() {
        return name;
    }
}
