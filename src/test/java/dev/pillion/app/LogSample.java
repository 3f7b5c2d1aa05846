package dev.pillion.app;

import java.io.IOException;

import org.slf4j.LoggerFactory;

/** Says in a process of its own whatever is hard to print on one line, and ends. */
final class LogSample {
    private LogSample() {
    }

    public static void main(String[] args) throws InterruptedException {
        System.setProperty("pillion.log.format", "json");
        LastWords.followThreads();
        LoggerFactory.getLogger(LogSample.class).atError().setCause(new IllegalStateException("two\nlines", new IOException("\"quoted\"")))
                .addKeyValue("pod", "shop/a\tb").log("It broke\nin two");
        Thread thread = new Thread(() -> {
            throw new IllegalStateException("nobody caught it");
        });
        thread.start();
        thread.join();
    }
}
