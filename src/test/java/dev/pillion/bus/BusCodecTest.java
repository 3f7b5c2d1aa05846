package dev.pillion.bus;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

import io.vertx.core.Vertx;
import io.vertx.junit5.VertxExtension;
import io.vertx.junit5.VertxTestContext;

import dev.pillion.api.SetKey;
import dev.pillion.bus.BusMessage.Cause;
import dev.pillion.bus.BusMessage.Enqueue;
import dev.pillion.bus.BusMessage.Priority;

@ExtendWith(VertxExtension.class)
class BusCodecTest {
    @Test
    void theVeryInstanceArrives(Vertx vertx, VertxTestContext context) {
        BusCodec.register(vertx.eventBus());
        Enqueue sent = new Enqueue(new SetKey("a"), Duration.ZERO, Priority.LOW, new Cause("test"));

        vertx.eventBus().<BusMessage>localConsumer(Addresses.QUEUE, message -> context.verify(() -> {
            assertThat(message.body()).isSameAs(sent);
            context.completeNow();
        }));
        vertx.eventBus().send(Addresses.QUEUE, sent);
    }
}
