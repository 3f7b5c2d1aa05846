package dev.pillion.api;

import org.jspecify.annotations.Nullable;

/** A type of a member table in the form that {@link TypedScan} reads by: pointers resolved, structs looked up once. */
final class ScanType {
    /** What to do with a value. */
    enum Kind {
        TEXT, BOOL, INT32, INT64, QUANTITY, INT_OR_STRING, TIME, LIST, MAP, STRUCT, RAW
    }

    /** What may be anything. */
    static final ScanType ANY = new ScanType(Kind.RAW, null, null);

    private final Kind kind;
    private final ScanType item;
    private final @Nullable Shape shape;

    private ScanType(Kind kind, @Nullable ScanType item, @Nullable Shape shape) {
        this.kind = kind;
        this.item = item == null ? this : item;
        this.shape = shape;
    }

    static ScanType of(GoType type, Shape.Lookup shapes) {
        return switch (type) {
            case GoType.Leaf leaf -> new ScanType(switch (leaf) {
                case TEXT -> Kind.TEXT;
                case BOOL -> Kind.BOOL;
                case INT32 -> Kind.INT32;
                case INT64 -> Kind.INT64;
                case QUANTITY -> Kind.QUANTITY;
                case INT_OR_STRING -> Kind.INT_OR_STRING;
                case TIME -> Kind.TIME;
            }, null, null);
            case GoType.Pointer(GoType target) -> of(target, shapes);
            case GoType.ListOf(GoType item) -> new ScanType(Kind.LIST, of(item, shapes), null);
            case GoType.MapOf(GoType value) -> new ScanType(Kind.MAP, of(value, shapes), null);
            case GoType.Struct(String name) -> new ScanType(Kind.STRUCT, null, shapes.named(name));
            case GoType.Raw _ -> ANY;
        };
    }

    Kind kind() {
        return kind;
    }

    /** Of a list or map; the type itself otherwise. */
    ScanType item() {
        return item;
    }

    /** Of a struct. */
    Shape shape() {
        if (shape == null) {
            throw new IllegalStateException(kind + " has no members");
        }
        return shape;
    }

    /** Whether a value of it has parts to be found one by one: members, or elements that have members. */
    boolean hasParts() {
        return kind == Kind.STRUCT || isListOfStructs();
    }

    /** Whether it is a list whose elements have members of their own to be found. */
    boolean isListOfStructs() {
        return kind == Kind.LIST && item.kind == Kind.STRUCT;
    }
}
