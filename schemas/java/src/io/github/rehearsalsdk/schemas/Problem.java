package io.github.rehearsalsdk.schemas;

/**
 * One fault of a value.
 *
 * @param pointer the JSON Pointer to the value at fault, or to the member that is missing
 * @param keyword the keyword that refuses the value; "false" where the member may not be there at all
 * @param message names the field, what was found, what is allowed, and what was probably meant
 */
public record Problem(String pointer, String keyword, String message) {}
