package dev.pillion.metrics;

import java.time.Duration;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.Supplier;
import java.util.stream.Stream;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.Timer;
import io.micrometer.core.instrument.binder.jvm.ClassLoaderMetrics;
import io.micrometer.core.instrument.binder.jvm.JvmGcMetrics;
import io.micrometer.core.instrument.binder.jvm.JvmMemoryMetrics;
import io.micrometer.core.instrument.binder.jvm.JvmThreadMetrics;
import io.micrometer.core.instrument.binder.system.FileDescriptorMetrics;
import io.micrometer.core.instrument.binder.system.ProcessorMetrics;
import io.micrometer.core.instrument.binder.system.UptimeMetrics;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;

/** The registry of all meters of one process. Names are the ecosystem's where the same thing is measured; no label names an object. */
public final class Meters implements AutoCloseable {
    /** Value of the labels controller and name (events.md 7.20). */
    public static final String CONTROLLER = "sidecarset-controller";

    private final PrometheusMeterRegistry registry = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
    /** Function counters hold their object weakly; this keeps it. */
    private final Queue<Object> kept = new ConcurrentLinkedQueue<>();
    private final JvmGcMetrics gc = new JvmGcMetrics();

    public Meters() {
        gc.bindTo(registry);
        new JvmMemoryMetrics().bindTo(registry);
        new JvmThreadMetrics().bindTo(registry);
        new ClassLoaderMetrics().bindTo(registry);
        new ProcessorMetrics().bindTo(registry);
        new FileDescriptorMetrics().bindTo(registry);
        new UptimeMetrics().bindTo(registry);
    }

    /** Everything in the Prometheus text format. */
    public String scrape() {
        return registry.scrape();
    }

    MeterRegistry registry() {
        return registry;
    }

    Counter counter(String name, String help, String... labels) {
        return Counter.builder(name).description(help).tags(labels).register(registry);
    }

    /** A counter that somebody else keeps; it must never fall. */
    void count(String name, String help, Supplier<Number> value, String... labels) {
        FunctionCounter.builder(name, value, v -> v.get().doubleValue()).description(help).tags(labels).register(registry);
        kept.add(value);
    }

    /** A histogram of seconds with exactly these bounds; name without the unit. */
    Timer timer(String name, String help, Duration[] bounds, String... labels) {
        return Timer.builder(name).description(help).tags(labels).serviceLevelObjectives(bounds).register(registry);
    }

    void gauge(String name, String help, Supplier<Number> value, String... labels) {
        Gauge.builder(name, value).description(help).tags(Tags.of(labels)).strongReference(true).register(registry);
    }

    static Duration[] seconds(double... bounds) {
        return java.util.Arrays.stream(bounds).mapToObj(s -> Duration.ofNanos(Math.round(s * 1e9))).toArray(Duration[]::new);
    }

    /** Bounds that grow tenfold, from a start in nanoseconds. */
    static Duration[] decades(long startNanos, int count) {
        return Stream.iterate(startNanos, n -> n * 10).limit(count).map(Duration::ofNanos).toArray(Duration[]::new);
    }

    @Override
    public void close() {
        gc.close();
        registry.close();
    }
}
