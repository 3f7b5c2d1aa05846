package dev.pillion.sandbox;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;

import org.junit.jupiter.api.Test;

import dev.pillion.sandbox.Stall.Order;

final class StallTest {
    private final Queue<Runnable> threads = new ArrayDeque<>();
    private final List<String> done = new ArrayList<>();
    private final Stall stall = new Stall(threads::add);

    private void run(Order order, String name) {
        stall.run(order, () -> done.add(name));
    }

    private void work() {
        for (Runnable next = threads.poll(); next != null; next = threads.poll()) {
            next.run();
        }
    }

    @Test
    void requestsPassUntilItBegins() {
        run(Order.ARRIVAL, "a");
        stall.begin();
        run(Order.ARRIVAL, "b");
        run(Order.ANY, "r");
        work();

        assertThat(done).containsExactly("a");
    }

    @Test
    void writesKeepTheirOrderAlsoBeforeThoseThatComeWhileOthersAreCarriedOut() {
        stall.begin();
        stall.run(Order.ARRIVAL, () -> {
            done.add("a");
            run(Order.ARRIVAL, "late");
        });
        run(Order.ANY, "r");
        run(Order.ARRIVAL, "b");
        stall.end();
        work();

        assertThat(done).containsExactlyInAnyOrder("a", "r", "b", "late").containsSubsequence("a", "b", "late");
        run(Order.ARRIVAL, "after");
        work();
        assertThat(done).last().isEqualTo("after");
    }
}
