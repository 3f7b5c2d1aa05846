package dev.pillion.expr;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;

/** Recursive descent over the grammar of injection.md 9.1. One use only. */
final class Parser {
    /** Deeper nesting is refused instead of filling the stack. */
    private static final int DEEPEST = 200;
    private static final Pattern NUMBER = Pattern.compile("(?:[0-9]+\\.?[0-9]*|\\.[0-9]+)(?:[eE][+-]?[0-9]+)?");

    private final Lexer lexer;
    private Token token;
    private int depth;

    Parser(String text) {
        lexer = new Lexer(text);
        token = lexer.next();
    }

    /** Compatible: nothing at all is the number 0. */
    Term parse() throws ExpressionFault {
        if (token.kind() == Token.Kind.END) {
            return new Term.Literal(new Value.Plain(0));
        }
        Term term = sum();
        if (token.kind() != Token.Kind.END) {
            throw unexpected();
        }
        return term;
    }

    private Term sum() throws ExpressionFault {
        if (++depth > DEEPEST) {
            throw new ExpressionFault("nested more than " + DEEPEST + " levels deep");
        }
        Term first = product();
        List<Term.Chain.Link> links = new ArrayList<>();
        while (token.is('+') || token.is('-')) {
            char operator = advance().text().charAt(0);
            links.add(new Term.Chain.Link(operator, product()));
        }
        depth--;
        return links.isEmpty() ? first : new Term.Chain(first, links);
    }

    private Term product() throws ExpressionFault {
        Term first = factor();
        List<Term.Chain.Link> links = new ArrayList<>();
        while (token.is('*') || token.is('/')) {
            char operator = advance().text().charAt(0);
            links.add(new Term.Chain.Link(operator, factor()));
        }
        return links.isEmpty() ? first : new Term.Chain(first, links);
    }

    private Term factor() throws ExpressionFault {
        boolean negated = false;
        boolean signed = false;
        while (token.is('-')) {
            advance();
            negated = !negated;
            signed = true;
        }
        Term term = operand();
        if (!signed) {
            return term;
        }
        // Two signs are not the same as none: negating drops a kept text.
        return negated ? new Term.Negation(term) : new Term.Negation(new Term.Negation(term));
    }

    private Term operand() throws ExpressionFault {
        if (token.is('(')) {
            advance();
            Term inner = sum();
            expect(')');
            return inner;
        }
        return switch (token.kind()) {
            case NUMBER -> number(advance().text());
            case QUANTITY -> new Term.Literal(new Value.Amount(quantity(advance().text())));
            case NAME -> nameOrCall(advance().text().toLowerCase(Locale.ROOT));
            case OPERATOR, OTHER, END -> throw unexpected();
        };
    }

    private Term nameOrCall(String name) throws ExpressionFault {
        if (!token.is('(')) {
            return new Term.Variable(name);
        }
        advance();
        List<Term> arguments = new ArrayList<>();
        arguments.add(sum());
        if (token.is(',')) {
            advance();
            arguments.add(sum());
        }
        expect(')');
        return new Term.Call(name, arguments);
    }

    private void expect(char operator) throws ExpressionFault {
        if (!token.is(operator)) {
            throw unexpected();
        }
        advance();
    }

    private Token advance() {
        Token taken = token;
        token = lexer.next();
        return taken;
    }

    private ExpressionFault unexpected() {
        return new ExpressionFault("unexpected " + token.describe() + " at line " + token.line() + ", column " + token.at());
    }

    private static Term number(String text) {
        boolean percent = text.endsWith("%");
        String digits = percent ? text.substring(0, text.length() - 1) : text;
        if (!NUMBER.matcher(digits).matches()) {
            return new Term.Unreadable(text);
        }
        double value = Double.parseDouble(digits);
        return new Term.Literal(new Value.Plain(percent ? value / 100 : value));
    }

    private static Quantity quantity(String text) throws ExpressionFault {
        return Quantity.parse(text).orElseThrow(() -> new ExpressionFault("\"" + text + "\" is no quantity"));
    }
}
