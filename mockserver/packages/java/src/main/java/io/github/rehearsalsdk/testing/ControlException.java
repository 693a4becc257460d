package io.github.rehearsalsdk.testing;

/** The server refused to do what a test asked it for. */
public final class ControlException extends RuntimeException {
    private static final long serialVersionUID = 1;

    ControlException(String message, Throwable cause) {
        super(message, cause);
    }
}
