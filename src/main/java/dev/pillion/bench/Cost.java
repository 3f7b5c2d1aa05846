package dev.pillion.bench;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

import com.sun.management.OperatingSystemMXBean;
import com.sun.management.ThreadMXBean;

import dev.pillion.api.Json;

import tools.jackson.databind.JsonNode;

/**
 * What a process has used since its start. Threads are told apart by their names in /proc, so where there is none compiler and collector
 * count as zero.
 *
 * @param cpu of all threads, compiler and collector included
 * @param compiler CPU of the JIT compiler's threads
 * @param collector CPU of the garbage collector's threads and of the VM thread, in which the serial one works
 * @param allocated bytes, by all Java threads
 * @param switches how often a thread gave its processor up to wait, the compiler's excepted
 * @param peakResident greatest resident memory so far, in bytes
 * @param resident memory now, in bytes
 */
record Cost(Duration cpu, Duration compiler, Duration collector, long allocated, long switches, long peakResident, long resident) {
    private static final Path SELF = Path.of("/proc/self");
    private static final long TICKS_PER_SECOND = 100;
    private static final Pattern STAT = Pattern.compile("\\d+ \\((.*)\\) (.*)", Pattern.DOTALL);
    private static final int USER_TICKS = 11;
    private static final long KIBI = 1024;

    /** Of this process. */
    static Cost ofThisProcess() {
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        OperatingSystemMXBean system = (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();
        Duration compiler = Duration.ZERO;
        Duration collector = Duration.ZERO;
        long switches = 0;
        for (Path task : tasks()) {
            Optional<ThreadTime> thread = read(task.resolve("stat")).flatMap(Cost::thread);
            compiler = compiler.plus(thread.filter(ThreadTime::isCompiler).map(ThreadTime::time).orElse(Duration.ZERO));
            collector = collector.plus(thread.filter(ThreadTime::isCollector).map(ThreadTime::time).orElse(Duration.ZERO));
            switches += thread.filter(ThreadTime::isCompiler).isPresent()
                    ? 0
                    : number(lines(task.resolve("status")), "voluntary_ctxt_switches:");
        }
        List<String> status = lines(SELF.resolve("status"));
        return new Cost(Duration.ofNanos(system.getProcessCpuTime()), compiler, collector, threads.getTotalThreadAllocatedBytes(), switches,
                number(status, "VmHWM:") * KIBI, number(status, "VmRSS:") * KIBI);
    }

    /** CPU time of this process and of those it has started that still run. */
    static Duration ofThisProcessAndItsChildren() {
        ProcessHandle self = ProcessHandle.current();
        return Stream.concat(Stream.of(self), self.descendants()).map(Cost::of).reduce(Duration.ZERO, Duration::plus);
    }

    /** CPU time of a process, without those it has started; zero when it has ended. */
    static Duration of(ProcessHandle process) {
        return process.info().totalCpuDuration().orElse(Duration.ZERO);
    }

    private static List<Path> tasks() {
        try (Stream<Path> tasks = Files.list(SELF.resolve("task"))) {
            return tasks.toList();
        } catch (IOException e) {
            return List.of();
        }
    }

    /** A thread's name, cut at 15 bytes, and what it has used. */
    private record ThreadTime(String name, Duration time) {
        boolean isCompiler() {
            return name.startsWith("C1 Compiler") || name.startsWith("C2 Compiler");
        }

        boolean isCollector() {
            return name.startsWith("G1 ") || name.startsWith("GC Thread") || name.equals("VM Thread");
        }
    }

    private static Optional<ThreadTime> thread(String stat) {
        Matcher line = STAT.matcher(stat);
        if (!line.find()) {
            return Optional.empty();
        }
        String[] fields = line.group(2).split(" ", -1);
        long ticks = Long.parseLong(fields[USER_TICKS]) + Long.parseLong(fields[USER_TICKS + 1]);
        return Optional.of(new ThreadTime(line.group(1), Duration.ofMillis(ticks * 1000 / TICKS_PER_SECOND)));
    }

    private static List<String> lines(Path file) {
        return read(file).map(text -> text.lines().toList()).orElse(List.of());
    }

    /** The number in the line that starts with the key; 0 without such a line. */
    private static long number(List<String> status, String key) {
        return status.stream().filter(line -> line.startsWith(key)).map(line -> line.replaceAll("[^0-9]", "")).filter(n -> !n.isEmpty())
                .mapToLong(Long::parseLong).findFirst().orElse(0);
    }

    /** Empty when the thread has ended meanwhile, or the system has no such file. */
    private static Optional<String> read(Path file) {
        try {
            return Optional.of(Files.readString(file, StandardCharsets.UTF_8));
        } catch (IOException e) {
            return Optional.empty();
        }
    }

    /** What was used between an earlier moment and this one; memory is that of this moment. */
    Cost since(Cost before) {
        return new Cost(cpu.minus(before.cpu), compiler.minus(before.compiler), collector.minus(before.collector),
                allocated - before.allocated, switches - before.switches, peakResident, resident);
    }

    String toJson() {
        return Json.write(Json.object().put("cpu", cpu.toNanos()).put("compiler", compiler.toNanos()).put("collector", collector.toNanos())
                .put("allocated", allocated).put("switches", switches).put("peakResident", peakResident).put("resident", resident));
    }

    static Cost ofJson(String text) {
        JsonNode json = Json.read(text);
        return new Cost(nanos(json, "cpu"), nanos(json, "compiler"), nanos(json, "collector"),
                json.path("allocated").asLong(0), json.path("switches").asLong(0), json.path("peakResident").asLong(0),
                json.path("resident").asLong(0));
    }

    private static Duration nanos(JsonNode json, String member) {
        return Duration.ofNanos(json.path(member).asLong(0));
    }
}
