package dev.pillion.expr;

import java.util.List;

/** An expression, parsed. */
sealed interface Term {
    record Literal(Value value) implements Term {
    }

    /** A number that cannot be read. Compatible: it counts as 0 (injection.md trap 18). */
    record Unreadable(String text) implements Term {
    }

    record Variable(String name) implements Term {
    }

    record Negation(Term operand) implements Term {
    }

    /** Operators of one rank, applied from left to right; flat, so that a long sum takes no stack. */
    record Chain(Term first, List<Link> links) implements Term {
        record Link(char operator, Term operand) {
        }
    }

    record Call(String function, List<Term> arguments) implements Term {
    }
}
