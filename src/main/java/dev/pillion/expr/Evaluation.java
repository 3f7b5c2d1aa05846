package dev.pillion.expr;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.RoundingMode;
import java.util.List;

/** Computes a parsed expression with one variable (table of injection.md 9.1). */
record Evaluation(String variable, Value value) {

    Value of(Term term) throws ExpressionFault {
        return switch (term) {
            case Term.Literal(Value literal) -> literal;
            case Term.Unreadable _ -> new Value.Plain(0);
            case Term.Variable(String name) when name.equals(variable) -> value;
            case Term.Variable(String name) ->
                throw new ExpressionFault("unknown variable \"" + name + "\", only \"" + variable + "\" is defined");
            case Term.Negation(Term operand) -> switch (of(operand)) {
                case Value.Plain(double n) -> new Value.Plain(-n);
                case Value.Amount(Quantity q) -> new Value.Amount(q.negated());
            };
            case Term.Chain(Term first, List<Term.Chain.Link> links) -> chain(of(first), links);
            case Term.Call call -> call(call);
        };
    }

    private Value chain(Value first, List<Term.Chain.Link> links) throws ExpressionFault {
        Value result = first;
        for (Term.Chain.Link link : links) {
            result = apply(link.operator(), result, of(link.operand()));
        }
        return result;
    }

    private static Value apply(char operator, Value left, Value right) throws ExpressionFault {
        return switch (operator) {
            case '+' -> left instanceof Value.Plain(double a) && right instanceof Value.Plain(double b)
                    ? new Value.Plain(a + b)
                    : new Value.Amount(left.asQuantity().plus(right.asQuantity()));
            case '-' -> left instanceof Value.Plain(double a) && right instanceof Value.Plain(double b)
                    ? new Value.Plain(a - b)
                    : new Value.Amount(left.asQuantity().minus(right.asQuantity()));
            case '*' -> times(left, right);
            default -> divided(left, right);
        };
    }

    private static Value times(Value left, Value right) throws ExpressionFault {
        return switch (left) {
            case Value.Plain(double a) -> switch (right) {
                case Value.Plain(double b) -> new Value.Plain(a * b);
                case Value.Amount(Quantity q) -> scaled(q, q.milli().doubleValue() * a);
            };
            case Value.Amount(Quantity q) -> switch (right) {
                case Value.Plain(double b) -> scaled(q, q.milli().doubleValue() * b);
                case Value.Amount _ -> throw new ExpressionFault("cannot multiply two quantities");
            };
        };
    }

    private static Value divided(Value left, Value right) throws ExpressionFault {
        if (!(right instanceof Value.Plain(double divisor))) {
            throw new ExpressionFault("cannot divide by a quantity");
        }
        if (divisor == 0) {
            throw new ExpressionFault("division by zero");
        }
        return switch (left) {
            case Value.Plain(double a) -> new Value.Plain(a / divisor);
            case Value.Amount(Quantity q) -> scaled(q, q.milli().doubleValue() / divisor);
        };
    }

    /** Compatible: computed in double, cut off to whole thousandths (injection.md trap 21). */
    private static Value scaled(Quantity original, double milli) throws ExpressionFault {
        return new Value.Amount(Quantity.ofMilli(whole(milli), original.format()));
    }

    private Value call(Term.Call call) throws ExpressionFault {
        if (!call.function().equals("max") && !call.function().equals("min")) {
            throw new ExpressionFault("unknown function \"" + call.function() + "\", there are max and min");
        }
        if (call.arguments().size() != 2) {
            throw new ExpressionFault(call.function() + " takes two arguments");
        }
        Value left = of(call.arguments().get(0));
        Value right = of(call.arguments().get(1));
        int order = left instanceof Value.Plain(double a) && right instanceof Value.Plain(double b)
                ? Double.compare(a, b)
                : left.asQuantity().compareTo(right.asQuantity());
        return (call.function().equals("max") ? order >= 0 : order <= 0) ? left : right;
    }

    /** The number cut off to an integer. Beyond every number there is no amount. */
    static BigInteger whole(double number) throws ExpressionFault {
        if (Double.isNaN(number) || Double.isInfinite(number)) {
            throw new ExpressionFault("the result is not a finite number");
        }
        return new BigDecimal(number).setScale(0, RoundingMode.DOWN).toBigInteger();
    }
}
