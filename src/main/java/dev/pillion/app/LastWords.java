package dev.pillion.app;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What would else be printed past the log, in the log's form. Load this class after the form is known. */
final class LastWords {
    private static final Logger LOG = LoggerFactory.getLogger(LastWords.class);

    private LastWords() {
    }

    /** From now on a thread that ends with an exception is told in the log. */
    static void followThreads() {
        Thread.setDefaultUncaughtExceptionHandler(
                (thread, e) -> LOG.atError().setCause(e).addKeyValue("thread", thread.getName()).log("A thread ended with an exception"));
    }

    static void notStarted(RuntimeException e) {
        LOG.atError().addKeyValue("reason", e.getMessage()).log("Pillion does not start");
    }
}
