package dev.pillion.bus;

/** Asked immediately before each write: whether it may still be started. Once closed it stays closed. */
@FunctionalInterface
public interface Fence {
    boolean isOpen();
}
