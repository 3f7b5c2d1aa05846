package dev.pillion.cli;

import java.io.IOException;

/** Something the user gave cannot be used; the message names the file, the place in it and the way out. */
public final class InputFault extends IOException {
    private static final long serialVersionUID = 1;

    InputFault(String message) {
        super(message);
    }

    InputFault(String message, Throwable cause) {
        super(message, cause);
    }
}
