package io.github.rehearsalsdk.testing;

import java.util.List;
import java.util.Map;

/**
 * Something that a client does and should not. What does not apply is empty.
 *
 * @param code names it, such as polled_too_fast
 * @param severity is "error" for what loses data or what the specification rules out, "warning" for what costs time, requests or surprises
 * @param requests are the sequences in the journal
 */
public record Lint(String code, String severity, String rule, String advice, String key, String export, String message, long count, List<Long> requests) {
    static Lint of(Map<String, Object> from) {
        return new Lint(Json.text(from, "code"), Json.text(from, "severity"), Json.text(from, "rule"), Json.text(from, "advice"), Json.text(from, "key"),
                Json.text(from, "export"), Json.text(from, "message"), Json.number(from, "count"), Json.list(from, "requests").stream().map(Long.class::cast).toList());
    }

    @Override
    public String toString() {
        return severity + ": " + code + ": " + message + " (requests " + requests + ")\n  rule: " + rule + "\n  instead: " + advice;
    }
}
