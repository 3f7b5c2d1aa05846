package dev.pillion.expr;

import java.util.List;

/**
 * Judges an expression by the kinds of its operands, whatever amounts pods will bring (validation.md traps 17, 18): what would deny every
 * pod is a fault, what depends on the pod is not.
 */
final class Lint {
    private enum Kind {
        NUMBER, QUANTITY
    }

    private final String variable;
    private boolean variableUsed;

    Lint(String variable) {
        this.variable = variable;
    }

    void check(Term term) throws ExpressionFault {
        kind(term);
    }

    /** Whether the expression is the same for all pods. */
    boolean isConstant() {
        return !variableUsed;
    }

    private Kind kind(Term term) throws ExpressionFault {
        return switch (term) {
            case Term.Literal(Value.Plain(double number)) when Double.isInfinite(number) ->
                throw new ExpressionFault("a number is larger than can be computed with");
            case Term.Literal(Value.Plain _) -> Kind.NUMBER;
            case Term.Literal(Value.Amount _) -> Kind.QUANTITY;
            case Term.Unreadable(String text) -> throw new ExpressionFault("\"" + text + "\" is neither a number nor a quantity");
            case Term.Variable(String name) when name.equals(variable) -> {
                variableUsed = true;
                yield Kind.QUANTITY;
            }
            case Term.Variable(String name) ->
                throw new ExpressionFault("unknown variable \"" + name + "\", only \"" + variable + "\" is defined");
            case Term.Negation(Term operand) -> kind(operand);
            case Term.Chain(Term first, List<Term.Chain.Link> links) -> {
                Kind result = kind(first);
                for (Term.Chain.Link link : links) {
                    result = combine(link, result, kind(link.operand()));
                }
                yield result;
            }
            case Term.Call(String function, List<Term> arguments) -> call(function, arguments);
        };
    }

    private static Kind combine(Term.Chain.Link link, Kind left, Kind right) throws ExpressionFault {
        if (link.operator() == '*' && left == Kind.QUANTITY && right == Kind.QUANTITY) {
            throw new ExpressionFault("cannot multiply two quantities");
        }
        if (link.operator() == '/') {
            if (right == Kind.QUANTITY) {
                throw new ExpressionFault("cannot divide by a quantity");
            }
            if (isZero(link.operand())) {
                throw new ExpressionFault("division by zero");
            }
        }
        return left == Kind.QUANTITY ? left : right;
    }

    /** Whether a divisor is zero for all pods, as 0%, -0 and (1-1) are. */
    private static boolean isZero(Term divisor) {
        try {
            return new Evaluation("", new Value.Plain(0)).of(divisor) instanceof Value.Plain(double number) && number == 0;
        } catch (ExpressionFault e) {
            // It holds the variable, or another fault, which is told where it is.
            return false;
        }
    }

    private Kind call(String function, List<Term> arguments) throws ExpressionFault {
        if (!function.equals("max") && !function.equals("min")) {
            throw new ExpressionFault("unknown function \"" + function + "\", there are max and min");
        }
        if (arguments.size() != 2) {
            throw new ExpressionFault(function + " takes two arguments");
        }
        Kind left = kind(arguments.get(0));
        Kind right = kind(arguments.get(1));
        return left == Kind.QUANTITY ? left : right;
    }
}
