package io.github.rehearsalsdk.testing;

import java.time.Instant;
import java.util.Map;

/**
 * A request of the journal: what was asked, what was decided, and why. What does not apply is empty or 0.
 *
 * @param time by the clock of the scope
 * @param status 0 when the connection was ended without one
 * @param error the name of the error of a refusal
 * @param all everything that the journal has of the request, as it has it
 */
public record JournalEntry(long sequence, Instant time, String method, String path, String query, String route, String key, String body, int status,
        String error, String kind, String export, String exportStatus, String reason, Map<String, Object> all) {
    static JournalEntry of(Map<String, Object> from) {
        String error = from.get("error") instanceof Map<?, ?> its && its.get("name") instanceof String name ? name : "";
        return new JournalEntry(Json.number(from, "sequence"), Instant.parse(Json.text(from, "time")), Json.text(from, "method"), Json.text(from, "path"),
                Json.text(from, "query"), Json.text(from, "route"), Json.text(from, "key"), Json.text(from, "body"), (int) Json.number(from, "status"),
                error, Json.text(from, "kind"), Json.text(from, "export"), Json.text(from, "export_status"), Json.text(from, "reason"), from);
    }

    @Override
    public String toString() {
        return sequence + " " + method + " " + path + " -> " + (status == 0 ? "cut" : status) + ": " + reason;
    }
}
