package dev.pillion.bench;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The inner side of a {@link PartProcess}: takes orders, one a line, and answers each with one line. */
final class Part {
    private static final Logger LOG = LoggerFactory.getLogger(Part.class);
    static final String ANSWER = "= ";
    static final String FAILURE = "! ";

    /** Carries an order out and returns the answer, without line ends. */
    @FunctionalInterface
    interface Work {
        String carryOut(String order) throws Exception;
    }

    private Part() {
    }

    /** Works until the standard input ends, which it does when the parent dies. */
    static void run(Work work) throws IOException {
        PrintStream answers = System.out;
        // Whatever else prints must not be taken for an answer.
        System.setOut(System.err);
        BufferedReader orders = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        for (String order = orders.readLine(); order != null; order = orders.readLine()) {
            answers.println(answer(work, order));
            answers.flush();
        }
    }

    private static String answer(Work work, String order) {
        try {
            return ANSWER + work.carryOut(order);
        } catch (Exception e) {
            LOG.atError().setCause(e).addKeyValue("order", order).log("Order failed");
            return FAILURE + order + ": " + String.valueOf(e).replace('\n', ' ');
        }
    }
}
