package io.github.rehearsalsdk.testing;

import java.time.Instant;
import java.util.Map;

/**
 * What a client should have met in a file: rows that are missing, come twice or have a wrong date.
 *
 * @param arrival is how rows arrive, such as "late=0.03,72h0m0s"; empty when all are on time
 * @param rows how many the file has, whatever a scenario cuts off
 * @param missing are the rows of the window that had not arrived when the file was asked for
 * @param twice are those that come twice in the file, or for the second time in it
 * @param skewed are those with the date of a wrong clock
 * @param completeAt is when the last missing row arrives; null when none is missing
 */
public record Arrivals(String arrival, long rows, ArrivingRows missing, ArrivingRows twice, ArrivingRows skewed, Instant completeAt) {
    static Arrivals of(Map<String, Object> from) {
        String complete = Json.text(from, "complete_at");
        return new Arrivals(Json.text(from, "arrival"), Json.number(from, "rows"), ArrivingRows.of(Json.object(from.get("missing"))),
                ArrivingRows.of(Json.object(from.get("twice"))), ArrivingRows.of(Json.object(from.get("skewed"))), complete.isEmpty() ? null : Instant.parse(complete));
    }
}
