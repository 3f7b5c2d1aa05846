package dev.pillion.kube;

/** Takes what one watch tells, on the watch's own thread. Implementations keep the local view and tell listeners. */
interface Sink<T> {
    /** How views that seem newer than the listed ones are treated. */
    enum History {
        /** The server goes on where it was: own writes may be newer than the list. */
        CONTINUED,
        /** The server was set back (a restored backup): whatever it says now is the truth. */
        LOST
    }

    void listBegins(History history);

    /** An object of the list that is under way. */
    void listed(ObjectReader.Item<T> item);

    /** The list is complete: what it did not name is gone. */
    void listEnds();

    /** An ADDED or MODIFIED event. */
    void seen(ObjectReader.Item<T> item);

    /** A DELETED event. */
    void gone(ObjectReader.Item<T> item);
}
