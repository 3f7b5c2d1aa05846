package dev.pillion.expr;

import java.math.BigInteger;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * A resource expression of resourcesPolicy, such as {@code max(cpu*50%, 50m)}, parsed once (injection.md 9.1). Immutable; a badly
 * written one is a value that yields its fault.
 */
public final class Expression {

    /** How the variable is chosen (injection.md 9.2, trap 19). */
    public enum VariableSearch {
        /** Only the lower-case word memory selects it, as in the reference. */
        EXACT,
        /** Upper case too, as names are read elsewhere. */
        ANY_CASE
    }

    /** What an expression yields. */
    public sealed interface Outcome {
        /** Never negative. */
        record Amount(Quantity quantity) implements Outcome {
        }

        /** Says what is wrong with the expression, in words for its author. */
        record Fault(String text) implements Outcome {
        }
    }

    private static final Pattern MEMORY = Pattern.compile("(?<![0-9A-Za-z_])memory(?![0-9A-Za-z_])");

    private final String text;
    private final Optional<Term> term;
    private final String fault;

    private Expression(String text, Optional<Term> term, String fault) {
        this.text = text;
        this.term = term;
        this.fault = fault;
    }

    public static Expression of(String text) {
        try {
            return new Expression(text, Optional.of(new Parser(text).parse()), "");
        } catch (ExpressionFault e) {
            return new Expression(text, Optional.empty(), e.text());
        }
    }

    /** The check at the write of a set: the variable named like the field is the number 1. Empty: nothing wrong. */
    public Optional<String> check(String field) {
        return switch (run(new Evaluation(field, new Value.Plain(1)))) {
            case Outcome.Amount _ -> Optional.empty();
            case Outcome.Fault(String why) -> Optional.of(why);
        };
    }

    /**
     * The better check: what would deny every pod is a fault, what depends on a pod's amounts is not (validation.md traps 17, 18).
     * Empty: nothing wrong.
     */
    public Optional<String> lint(String field) {
        if (term.isEmpty()) {
            return Optional.of(fault);
        }
        if (text.isBlank() || text.indexOf('\0') >= 0) {
            // The reference takes nothing for 0, and reads no further than to a NUL.
            return Optional.of(text.isBlank() ? "is blank: write a number, or leave it out" : "holds a NUL character: remove it");
        }
        Lint lint = new Lint(field);
        try {
            lint.check(term.get());
        } catch (ExpressionFault e) {
            return Optional.of(e.text());
        }
        return lint.isConstant() ? check(field) : Optional.empty();
    }

    /** What injection computes: the variable, whatever field the expression stands in, has the aggregate of the target containers. */
    public Outcome evaluate(Quantity aggregate, VariableSearch search) {
        String searched = search == VariableSearch.EXACT ? text : text.toLowerCase(Locale.ROOT);
        String variable = MEMORY.matcher(searched).find() ? "memory" : "cpu";
        return run(new Evaluation(variable, new Value.Amount(aggregate)));
    }

    private Outcome run(Evaluation evaluation) {
        if (term.isEmpty()) {
            return new Outcome.Fault(fault);
        }
        try {
            Quantity quantity = switch (evaluation.of(term.get())) {
                case Value.Amount(Quantity q) -> q;
                // Before it is cut off: -0.9 is negative, not 0.
                case Value.Plain(double n) when n < 0 -> throw new ExpressionFault("the result is negative");
                case Value.Plain(double n) when evaluation.variable().equals("memory") -> Quantity.ofMilli(
                        Evaluation.whole(n).multiply(BigInteger.valueOf(1000)), Quantity.Format.DECIMAL);
                case Value.Plain(double n) -> Quantity.ofMilli(Evaluation.whole(n * 1000), Quantity.Format.DECIMAL);
            };
            return quantity.signum() < 0 ? new Outcome.Fault("the result is negative") : new Outcome.Amount(quantity);
        } catch (ExpressionFault e) {
            return new Outcome.Fault(e.text());
        }
    }
}
