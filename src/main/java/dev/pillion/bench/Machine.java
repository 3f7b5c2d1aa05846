package dev.pillion.bench;

import java.lang.management.ManagementFactory;
import java.util.Locale;

/** What a table must say of the machine it was made on. */
final class Machine {
    private Machine() {
    }

    static String describe() {
        double load = ManagementFactory.getOperatingSystemMXBean().getSystemLoadAverage();
        return "Java " + Runtime.version() + ", " + System.getProperty("os.arch") + ", " + Runtime.getRuntime().availableProcessors()
                + " processors" + (load < 0 ? "" : String.format(Locale.ROOT, ", load %.1f at the start", load));
    }
}
