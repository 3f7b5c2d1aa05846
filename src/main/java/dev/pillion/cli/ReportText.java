package dev.pillion.cli;

import java.util.List;

import dev.pillion.explain.InjectionReport.Line;
import dev.pillion.explain.InjectionReport.Outcome;

/** Lines of reports as a table. */
final class ReportText {
    private ReportText() {
    }

    static String of(List<Line> lines, String indent) {
        TextTable table = new TextTable("SIDECARSET", "VERDICT", "REASON", "BECAUSE");
        for (Line line : lines) {
            table.row(line.set(), word(line.outcome()), line.reason(), line.sentence());
            line.notes().forEach(n -> table.row("", "", "", "note: " + n));
        }
        return table.isEmpty() ? indent + "there is no SidecarSet" + System.lineSeparator() : table.text(indent);
    }

    private static String word(Outcome outcome) {
        return switch (outcome) {
            case INJECTED -> "injected";
            case LEFT_OUT -> "left out";
            case REFUSED -> "refused";
        };
    }
}
