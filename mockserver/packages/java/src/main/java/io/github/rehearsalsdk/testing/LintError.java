package io.github.rehearsalsdk.testing;

import java.util.List;
import java.util.stream.Collectors;

/** A client did what it should not. */
public final class LintError extends AssertionError {
    private static final long serialVersionUID = 1;
    private final transient List<Lint> lints;

    LintError(List<Lint> lints) {
        super("the client:\n" + lints.stream().map(Lint::toString).collect(Collectors.joining("\n")));
        this.lints = lints;
    }

    public List<Lint> lints() {
        return lints;
    }
}
