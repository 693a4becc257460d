package io.github.rehearsalsdk.testing;

/** Which lints fail a test. */
public enum Lints {
    /** Those of severity error. */
    ERRORS,
    /** Warnings as well. */
    WARNINGS,
    /** None; they are published in the report. */
    LOG,
    /** None. */
    IGNORE
}
