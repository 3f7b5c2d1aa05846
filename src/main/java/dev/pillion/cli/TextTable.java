package dev.pillion.cli;

import java.util.ArrayList;
import java.util.List;

/** Columns of text, as wide as their widest cell; the last one runs free. */
final class TextTable {
    private static final String GAP = "  ";

    private final List<List<String>> rows = new ArrayList<>();

    TextTable(String... heads) {
        rows.add(List.of(heads));
    }

    void row(String... cells) {
        rows.add(List.of(cells));
    }

    boolean isEmpty() {
        return rows.size() == 1;
    }

    /** Every line indented by this text and ended by a line break. */
    String text(String indent) {
        StringBuilder text = new StringBuilder();
        for (List<String> row : rows) {
            StringBuilder line = new StringBuilder(indent);
            for (int i = 0; i < row.size(); i++) {
                line.append(i < row.size() - 1 ? padded(row.get(i), i) + GAP : row.get(i));
            }
            text.append(line.toString().stripTrailing()).append(System.lineSeparator());
        }
        return text.toString();
    }

    private String padded(String cell, int column) {
        int width = rows.stream().filter(r -> column < r.size()).mapToInt(r -> r.get(column).length()).max().orElse(0);
        return cell + " ".repeat(width - cell.length());
    }
}
