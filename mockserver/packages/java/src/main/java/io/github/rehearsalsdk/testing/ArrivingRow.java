package io.github.rehearsalsdk.testing;

import java.time.Instant;
import java.util.Map;

/**
 * A row that is late, comes twice or has a wrong date. Instants are by the clock of the scope.
 *
 * @param arrivesAt from when on files have it
 * @param row as the file writes it
 */
public record ArrivingRow(Instant happenedAt, Instant arrivesAt, String row) {
    static ArrivingRow of(Map<String, Object> from) {
        return new ArrivingRow(Instant.parse(Json.text(from, "happened_at")), Instant.parse(Json.text(from, "arrives_at")), Json.text(from, "row"));
    }
}
