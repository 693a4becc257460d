package io.github.rehearsalsdk.testing;

import java.util.List;
import java.util.Map;

/**
 * All rows of one sort, in the order of the file.
 *
 * @param rows how many there are
 */
public record ArrivingRows(long rows, List<ArrivingRow> examples) {
    static ArrivingRows of(Map<String, Object> from) {
        return new ArrivingRows(Json.number(from, "rows"), Json.list(from, "examples").stream().map(each -> ArrivingRow.of(Json.object(each))).toList());
    }
}
