package dev.pillion.expr;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;

import com.google.re2j.Pattern;
import com.google.re2j.PatternSyntaxException;

/**
 * Compiles RE2 expressions that users write. The engine itself unrolls repetitions and recurses into groups without end: a short text such
 * as {@code ((x{1000}){1000}){1000}} takes all memory. So the text is measured first:
 * <ol>
 * <li>repetitions inside of each other make at most 1000 copies, as in the reference's engine, which refuses more too;
 * <li>the whole expands to at most 100,000 steps;
 * <li>groups are at most 500 deep.
 * </ol>
 */
public final class Re2 {
    private static final int MOST_COPIES = 1000;
    private static final int MOST_STEPS = 100_000;
    private static final int DEEPEST = 500;
    private static final java.util.regex.Pattern REPETITION = java.util.regex.Pattern.compile("\\{([0-9]{1,9})(,([0-9]{0,9}))?\\}");

    /** A group that is open: what it holds so far, and its last element, which a repetition may follow. */
    private static final class Group {
        private long steps;
        private long copies = 1;
        private long lastSteps;
        private long lastCopies = 1;

        void element(long size, long most) {
            steps += lastSteps;
            copies = Math.max(copies, lastCopies);
            lastSteps = size;
            lastCopies = most;
        }

        void end() {
            element(0, 1);
        }
    }

    private final String text;
    private final Deque<Group> open = new ArrayDeque<>();
    private int at;

    private Re2(String text) {
        this.text = text;
        open.push(new Group());
    }

    /** Compiles an expression. @throws PatternSyntaxException when it is none, or too large */
    public static Pattern compile(String text) {
        new Re2(text).measure();
        return Pattern.compile(text);
    }

    /** Reads no more of the syntax than what makes an expression grow; the engine judges the rest. */
    private void measure() {
        while (at < text.length()) {
            Group group = open.element();
            switch (text.charAt(at)) {
                case '(' -> {
                    if (open.size() > DEEPEST) {
                        throw new PatternSyntaxException("more than " + DEEPEST + " groups inside of each other", "");
                    }
                    open.push(new Group());
                    at++;
                }
                case ')' -> close();
                case '{' -> repetition(group);
                case '[' -> {
                    characterClass();
                    group.element(1, 1);
                }
                case '\\' -> {
                    escape();
                    group.element(1, 1);
                }
                case '*', '+', '?' -> {
                    group.lastSteps++;
                    at++;
                }
                default -> {
                    group.element(1, 1);
                    at++;
                }
            }
            if (open.element().steps + open.element().lastSteps > MOST_STEPS) {
                throw new PatternSyntaxException("it expands to more than " + MOST_STEPS + " steps", "");
            }
        }
    }

    private void close() {
        at++;
        if (open.size() > 1) {
            Group closed = open.pop();
            closed.end();
            open.element().element(closed.steps + 2, closed.copies);
        }
    }

    private void repetition(Group group) {
        Matcher form = REPETITION.matcher(text).region(at, text.length());
        if (!form.lookingAt()) {
            group.element(1, 1);
            at++;
            return;
        }
        int times = times(form);
        group.lastCopies *= times;
        group.lastSteps *= times;
        if (group.lastCopies > MOST_COPIES) {
            throw new PatternSyntaxException("repetitions inside of each other make more than " + MOST_COPIES + " copies", "");
        }
        at = form.end();
    }

    private static int times(MatchResult form) {
        int least = Integer.parseInt(form.group(1));
        String most = form.group(3) == null ? "" : form.group(3);
        return Math.max(1, most.isEmpty() ? least : Integer.parseInt(most));
    }

    /** Past the end of [...], where a bracket at the beginning and named classes such as [:alpha:] end nothing. */
    private void characterClass() {
        at++;
        if (at < text.length() && text.charAt(at) == '^') {
            at++;
        }
        int first = at;
        while (at < text.length() && (text.charAt(at) != ']' || at == first)) {
            int named = text.startsWith("[:", at) ? text.indexOf(":]", at + 2) : -1;
            if (named > 0) {
                at = named + 2;
            } else if (text.charAt(at) == '\\') {
                escape();
            } else {
                at++;
            }
        }
        at++;
    }

    /** Past an escape; the braces of \x{10FFFF} and \p{Greek} repeat nothing, and \Q...\E is a text. */
    private void escape() {
        char kind = at + 1 < text.length() ? text.charAt(at + 1) : ' ';
        if (kind == 'Q') {
            int end = text.indexOf("\\E", at + 2);
            int until = end < 0 ? text.length() : end;
            open.element().element(until - at, 1);
            at = end < 0 ? until : end + 2;
            return;
        }
        boolean braced = (kind == 'x' || kind == 'p' || kind == 'P') && at + 2 < text.length() && text.charAt(at + 2) == '{';
        int close = braced ? text.indexOf('}', at) : -1;
        at = Math.min(text.length(), close > 0 ? close + 1 : at + 2);
    }
}
