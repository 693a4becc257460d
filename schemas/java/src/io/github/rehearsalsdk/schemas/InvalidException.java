package io.github.rehearsalsdk.schemas;

import java.util.List;
import java.util.stream.Collectors;

/** Says that a value does not fit its schema. */
public final class InvalidException extends RuntimeException {
    private static final long serialVersionUID = 1;
    private final String schema;
    private final transient List<Problem> problems;

    InvalidException(String schema, List<Problem> problems) {
        super("not a valid " + schema.replaceAll("\\.json$", "") + ": "
                + problems.stream().map(Problem::message).collect(Collectors.joining("; ")));
        this.schema = schema;
        this.problems = problems;
    }

    /** The path of the schema file. */
    public String schema() {
        return schema;
    }

    /** The faults, sorted by pointer; never empty. */
    public List<Problem> problems() {
        return problems;
    }
}
