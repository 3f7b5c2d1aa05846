package dev.pillion.expr;

/** A value while computing: a plain number or a quantity. */
sealed interface Value {
    record Plain(double value) implements Value {
        @Override
        public Quantity asQuantity() {
            return Quantity.ofMilli((long) (value * 1000), Quantity.Format.DECIMAL);
        }
    }

    record Amount(Quantity quantity) implements Value {
        @Override
        public Quantity asQuantity() {
            return quantity;
        }
    }

    /** A number becomes a decimal quantity of its thousandths, cut off. */
    Quantity asQuantity();
}
