package dev.pillion.demo;

import java.io.PrintStream;
import java.util.List;

/** A table that is drawn over itself in a terminal; elsewhere a line for each change. */
final class LiveTable {
    private static final int BAR = 24;

    private final PrintStream out;
    private final Target target;
    private int drawn;
    private String lastLine = "";

    enum Target {
        TERMINAL, FILE
    }

    LiveTable(PrintStream out, Target target) {
        this.out = out;
        this.target = target;
    }

    void draw(List<Progress.Workload> rows, String summary) {
        if (target == Target.FILE) {
            if (!summary.equals(lastLine)) {
                out.println(summary);
                lastLine = summary;
            }
            return;
        }
        StringBuilder text = new StringBuilder();
        if (drawn > 0) {
            text.append("\u001b[").append(drawn).append('A');
        }
        int width = rows.stream().mapToInt(r -> r.name().length()).max().orElse(10);
        for (Progress.Workload row : rows) {
            int full = row.pods() == 0 ? 0 : BAR * row.sound() / row.pods();
            int half = row.pods() == 0 ? 0 : Math.min(BAR - full, (BAR * row.moving() + row.pods() - 1) / row.pods());
            text.append("\u001b[2K")
                    .append(String.format("  %-" + width + "s  [%s%s%s]  %d/%d", row.name(), "#".repeat(full), "~".repeat(half),
                            " ".repeat(BAR - full - half), row.sound(), row.pods()))
                    .append('\n');
        }
        text.append("\u001b[2K  ").append(summary).append('\n');
        out.print(text);
        out.flush();
        drawn = rows.size() + 1;
    }

    /** Leaves the drawn table where it is; the next one goes below. */
    void close() {
        drawn = 0;
        lastLine = "";
    }
}
